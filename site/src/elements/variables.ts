import { html, nothing, type TemplateResult } from "lit";
import type { Trace, Variable } from "../trace/trace.ts";
import { icon } from "./icons.ts";
import { type Child, childrenOf, isDeep, isOwn } from "./values.ts";
import { View } from "./view.ts";
import { contentsWrittenAt, makerOf, partWrittenAt } from "./written.ts";

/** Children of one value that are drawn at once; more come on request. */
const page = 100;

/**
 * A value in the tree. `before` is what stood in its place at the frame's event before, 0 for nothing. It is null in a value
 * that is new as a whole: marks on all its parts would say nothing.
 */
interface Item {
  readonly path: string;
  readonly name: string;
  readonly ref: number;
  readonly before: number | null;
  /** The step at which the place got its value; looked for only when a reader asks. */
  readonly placedAt: () => number;
  readonly depth: number;
  /** Objects that it lies in: one that comes again is not unfolded again. */
  readonly inside: readonly number[];
}

/** The moment that is shown and the one that it is compared with; −1 when the frame has just begun. */
interface Moment {
  readonly trace: Trace;
  readonly step: number;
  readonly before: number;
}

/** Variables by scope, as a tree that unfolds where the reader looks. */
export class VariablesView extends View {
  static override properties = {
    ...View.properties,
    trace: { attribute: false },
    steps: { type: Number },
    cursor: { type: Number },
    frame: { type: Number },
    empty: {},
    unfolded: { state: true },
    pages: { state: true },
  };
  declare trace: Trace | null;
  declare steps: number;
  declare cursor: number;
  /** The frame whose variables are shown, −1 for none. */
  declare frame: number;
  /** What is said when there is nothing to show. */
  declare empty: string;
  declare unfolded: ReadonlySet<string>;
  declare pages: ReadonlyMap<string, number>;

  /** The tree's row that the Tab key comes to. */
  #stop: string | null = null;
  #scroller: HTMLElement | null = null;
  #size = new ResizeObserver(() => this.#tellBeyond());
  readonly #tellBeyond = () => this.#countBeyond();

  constructor() {
    super();
    this.unfolded = new Set();
    this.pages = new Map();
  }

  protected override render(): TemplateResult {
    const { trace } = this;
    if (!trace || this.cursor < 0 || this.cursor >= trace.steps || this.frame < 0) return this.#nothing();
    const moment = { trace, step: this.cursor, before: trace.previousIn(this.frame, this.cursor) };
    const now = trace.variables(this.cursor, this.frame).filter(({ hidden }) => !hidden);
    const outcome = this.#outcome(moment);
    if (now.length === 0 && !outcome) return this.#nothing();
    const groups = this.#groups(now, moment);
    return html`<div role="tree" class="tp-tree" aria-label=${this.say("variables.title")} @keydown=${this.#key} @focusin=${this.#focus}>${outcome}${groups}</div>
      <button type="button" class="tp-beyond" hidden @click=${this.#seek}></button>`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#scroller = this.closest<HTMLElement>(".tp-scroll");
    this.#scroller?.addEventListener("scroll", this.#tellBeyond, { passive: true });
    if (this.#scroller) this.#size.observe(this.#scroller);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#scroller?.removeEventListener("scroll", this.#tellBeyond);
    this.#size.disconnect();
  }

  override updated(): void {
    const rows = this.#rows();
    const stop = rows.find((row) => row.dataset["path"] === this.#stop) ?? rows[0];
    for (const row of rows) row.tabIndex = row === stop ? 0 : -1;
    this.#countBeyond();
  }

  /** Among hundreds of variables the few that changed may be out of sight: their number stays in it. */
  #countBeyond(): void {
    const button = this.querySelector<HTMLButtonElement>(".tp-beyond");
    if (!button) return;
    const { above, below } = this.#beyond();
    const count = above.length + below.length;
    button.hidden = count === 0;
    button.textContent = count === 0 ? "" : this.say("variables.beyond", { count });
  }

  /** Rows that changed and whose middle lies outside what the panel shows. */
  #beyond(): { above: HTMLElement[]; below: HTMLElement[] } {
    const box = this.#scroller?.getBoundingClientRect();
    const rows = box?.height ? [...this.querySelectorAll<HTMLElement>(".tp-variable[data-changed]")] : [];
    const middle = (row: HTMLElement) => row.getBoundingClientRect().top + row.offsetHeight / 2;
    return {
      above: rows.filter((row) => middle(row) < box!.top),
      below: rows.filter((row) => middle(row) > box!.bottom),
    };
  }

  /** To the next one below, or the first above, by scrolling the panel and never the page. */
  #seek(): void {
    const { above, below } = this.#beyond();
    const row = below[0] ?? above[0];
    const box = this.#scroller;
    if (!row || !box) return;
    const top = row.getBoundingClientRect().top - box.getBoundingClientRect().top;
    box.scrollTop += top - (box.clientHeight - row.offsetHeight) / 2;
    row.closest<HTMLElement>("[role=treeitem]")?.focus({ preventScroll: true });
  }

  #nothing(): TemplateResult {
    return html`<p class="tp-empty">${this.empty}</p>`;
  }

  /** What the frame gives back or raises at this very step. */
  #outcome(moment: Moment): TemplateResult | null {
    const outcome = moment.trace.frame(moment.step) === this.frame ? moment.trace.outcome(moment.step) : null;
    if (!outcome || outcome.kind === "resume") return null;
    const name = this.say(
      (
        {
          return: "variables.returned",
          yield: "variables.yielded",
          raise: "variables.raised",
          unwind: "variables.unwound",
        } as const
      )[outcome.kind],
    );
    return this.#group(this.say("variables.outcome"), [
      this.#item(
        { path: "=", name, ref: outcome.ref, before: null, placedAt: () => moment.step, depth: 0, inside: [] },
        moment,
        false,
      ),
    ]);
  }

  #groups(now: readonly Variable[], moment: Moment): (TemplateResult | null)[] {
    const earlier = moment.before < 0 ? [] : moment.trace.variables(moment.before, this.frame);
    const before = new Map(earlier.map(({ scope, name, ref }) => [`${scope} ${name}`, ref]));
    const isCode = ({ scope, ref }: Variable) => scope === "global" && isOwn(moment.trace.view(ref, moment.step));
    const draw = (variables: readonly Variable[]) =>
      variables.map(({ scope, name, ref, changed }) => {
        const path = `${scope} ${name}`;
        const placedAt = () => moment.trace.writtenAt(scope, name, moment.step, this.frame);
        const item = { path, name, ref, before: before.get(path) ?? 0, placedAt, depth: 0, inside: [] };
        return this.#item(item, moment, changed);
      });
    const shown = now.filter((variable) => !isCode(variable));
    return [
      ...(["local", "closure", "global"] as const).map((scope) =>
        this.#group(this.#title(scope), draw(shown.filter((variable) => variable.scope === scope))),
      ),
      this.#code(now.filter(isCode), draw),
    ];
  }

  #title(scope: Variable["scope"]): string {
    return scope === "local"
      ? this.say("variables.localOf", { name: this.trace!.frameFunction(this.frame) })
      : this.say(`variables.${scope}`);
  }

  #group(title: string, items: readonly TemplateResult[]): TemplateResult | null {
    return items.length === 0
      ? null
      : html`<div role="group" aria-label=${title}><p class="tp-scope" aria-hidden="true">${title}</p>${items}</div>`;
  }

  /** Functions, classes and modules that the code names: there, but out of the way. */
  #code(
    variables: readonly Variable[],
    draw: (variables: readonly Variable[]) => TemplateResult[],
  ): TemplateResult | null {
    if (variables.length === 0) return null;
    const open = this.unfolded.has("code");
    const changed = !open && variables.some((variable) => variable.changed);
    return html`<div role="treeitem" tabindex="-1" data-path="code" aria-expanded=${open}>
      <div class="tp-variable tp-folded" ?data-changed=${changed} @click=${() => this.#toggle("code")}><span class="tp-type">${twist(open)}${this.say("variables.hidden", { count: variables.length })}</span></div>
      ${open ? html`<div role="group">${draw(variables)}</div>` : nothing}</div>`;
  }

  #item(item: Item, moment: Moment, changed: boolean): TemplateResult {
    const view = moment.trace.view(item.ref, moment.step);
    const again = view.id !== undefined && item.inside.includes(view.id);
    const deep = !again && isDeep(view);
    const open = deep && this.unfolded.has(item.path);
    const mark = changed ? this.#mark(item, moment) : "";
    const origin = this.say("variables.origin");
    return html`<div role="treeitem" tabindex="-1" data-path=${item.path} aria-expanded=${deep ? open : nothing} .style=${`--tp-depth:${item.depth}`}>
      <div class="tp-variable" ?data-changed=${changed} @click=${deep ? () => this.#toggle(item.path) : nothing}>
        <span class="tp-name">${twist(deep ? open : null)}${item.name}</span>
        <span class="tp-value">${open ? html`<span class="tp-type">${this.#describe(view)}</span>` : again ? `${view.preview} ${this.say("variables.again")}` : view.preview}</span>
        ${mark ? html`<span class="tp-mark" title=${mark}>${mark}</span>` : nothing}
        <button type="button" class="tp-origin" tabindex="-1" title=${origin} aria-label=${`${origin}: ${item.name}`} @click=${(
          event: Event,
        ) => this.#goToOrigin(event, item, moment)}>${icon("origin")}</button></div>
      ${open ? this.#children(item, moment) : nothing}</div>`;
  }

  /** To the line that gave the place its value, or the value what it holds. */
  #goToOrigin(event: Event, { ref, placedAt }: Item, { trace, step }: Moment): void {
    event.stopPropagation();
    const maker = makerOf(trace, Math.max(placedAt(), contentsWrittenAt(trace, ref, step)));
    if (maker >= 0) void this.actions.goto(maker);
  }

  #describe({ type, shape, length, id }: ReturnType<Trace["view"]>): string {
    const count = shape === "instance" || shape === "exception" || shape === "function" ? "" : ` · ${length}`;
    return `${type}${count}${id === undefined ? "" : `  #${id}`}`;
  }

  #mark({ before, ref }: Item, moment: Moment): string {
    if (!before || moment.before < 0) return this.say("variables.new");
    const was = moment.trace.view(before, moment.before).preview;
    const is = moment.trace.view(ref, moment.step).preview;
    return was === is
      ? this.say("variables.changed")
      : `${this.say("variables.changed")}, ${this.say("variables.was", { value: was })}`;
  }

  #children(item: Item, moment: Moment): TemplateResult {
    const view = moment.trace.view(item.ref, moment.step);
    if (view.shape === "atom")
      return html`<div role="group"><pre class="tp-long-text">${view.text}</pre>${this.#left(view.left)}</div>`;
    const earlier = !item.before || moment.before < 0 ? null : childrenOf(moment.trace, item.before, moment.before);
    const before = new Map(earlier?.map(({ key, ref }) => [key, ref]));
    const all = childrenOf(moment.trace, item.ref, moment.step);
    const room = (this.pages.get(item.path) ?? 1) * page;
    const inside = view.id === undefined ? item.inside : [...item.inside, view.id];
    return html`<div role="group">${all.slice(0, room).map((child) => this.#child(child, { ...item, inside }, earlier ? (before.get(child.key) ?? 0) : null, moment))}
      ${all.length > room ? this.#more(item.path, all.length - room) : nothing}${this.#left(view.left)}</div>`;
  }

  #child({ key, name, ref }: Child, parent: Item, before: number | null, moment: Moment): TemplateResult {
    const { path, depth, inside } = parent;
    const placedAt = () => partWrittenAt(moment.trace, parent.ref, key, moment.step);
    const item = { path: `${path}/${key}`, name, ref, before, placedAt, depth: depth + 1, inside };
    const changed = before !== null && (before !== ref || moment.trace.changedSince(ref, moment.before, moment.step));
    return this.#item(item, moment, changed);
  }

  #more(path: string, count: number): TemplateResult {
    return html`<button type="button" class="tp-link" @click=${() => {
      this.pages = new Map(this.pages).set(path, (this.pages.get(path) ?? 1) + 1);
    }}>${this.say("variables.more", { count })}</button>`;
  }

  #left(count: number): TemplateResult | typeof nothing {
    return count > 0 ? html`<p class="tp-empty">${this.say("variables.left", { count })}</p>` : nothing;
  }

  #toggle(path: string, open = !this.unfolded.has(path)): void {
    const unfolded = new Set(this.unfolded);
    if (open) unfolded.add(path);
    else unfolded.delete(path);
    this.unfolded = unfolded;
  }

  #rows(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>("[role=treeitem]")];
  }

  #focus(event: FocusEvent): void {
    const row = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
    if (!row) return;
    this.#stop = row.dataset["path"] ?? null;
    for (const each of this.#rows()) each.tabIndex = each === row ? 0 : -1;
  }

  /** As trees are moved through everywhere. */
  #key(event: KeyboardEvent): void {
    const row = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
    if (!row || event.target !== row || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.#move(event.key, row)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #move(key: string, row: HTMLElement): boolean {
    const rows = this.#rows();
    const at = rows.indexOf(row);
    const expanded = row.getAttribute("aria-expanded");
    const path = row.dataset["path"] ?? "";
    const parent = row.parentElement?.closest<HTMLElement>("[role=treeitem]");
    if (key === "ArrowDown") rows[at + 1]?.focus();
    else if (key === "ArrowUp") rows[at - 1]?.focus();
    else if (key === "Home") rows[0]?.focus();
    else if (key === "End") rows.at(-1)?.focus();
    else if (key === "w") row.querySelector<HTMLElement>(":scope > .tp-variable > .tp-origin")?.click();
    else if ((key === "Enter" || key === " ") && expanded !== null) this.#toggle(path);
    else if (key === "ArrowRight")
      expanded === "false" ? this.#toggle(path, true) : expanded === "true" && rows[at + 1]?.focus();
    else if (key === "ArrowLeft") expanded === "true" ? this.#toggle(path, false) : parent?.focus();
    else return false;
    return true;
  }
}

function twist(open: boolean | null): TemplateResult {
  return html`<span class="tp-twist" aria-hidden="true">${open === null ? "" : open ? "▾" : "▸"}</span>`;
}
