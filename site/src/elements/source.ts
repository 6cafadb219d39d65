import type { Say } from "../text/text.ts";

/** A breakpoint as the gutter shows it. `seen` of `total` hits lie at or before the cursor. */
export interface GutterMark {
  readonly enabled: boolean;
  readonly seen: number;
  readonly total: number;
  readonly recorded: boolean;
}

/** What happens on the line that the cursor is at, apart from the line's own turn. */
export interface LineNote {
  readonly tone: "value" | "error";
  readonly text: string;
}

export interface SourceModel {
  readonly marks: ReadonlyMap<number, GutterMark>;
  /** The cursor's line and that of the selected caller; null when they are not in this source. */
  readonly line: number | null;
  readonly caller: number | null;
  readonly note: LineNote | null;
  /** Texts for the ends of lines. */
  readonly values: ReadonlyMap<number, string>;
}

/** Pixels that a text behind a line needs at least. */
const least = 90;

const empty: SourceModel = { marks: new Map(), line: null, caller: null, note: null, values: new Map() };

interface Line {
  readonly number: number;
  readonly target: number | null;
  readonly row: HTMLElement;
  readonly gutter: HTMLButtonElement | null;
  readonly hits: HTMLElement;
  readonly end: HTMLElement;
}

/**
 * The source as the build highlighted it, with a gutter to set breakpoints in. It takes the lines over from the page
 * and changes only what a step changed, so that a long source costs no more than a short one.
 */
export class SourceView extends HTMLElement {
  toggle: (line: number) => void = () => {};
  #say: Say = (key) => key;
  #lines = new Map<number, Line>();
  #shown = empty;
  #scroller: HTMLElement | null = null;
  #size = new ResizeObserver(() => this.#fit());

  /** Takes over the source's element, once. */
  adopt(source: HTMLElement, say: Say): void {
    this.#say = say;
    this.#scroller = source;
    this.append(source);
    // The gutter's buttons are the stops of the Tab key; a click on the code still brings the focus into the pane.
    source.tabIndex = -1;
    for (const row of source.querySelectorAll<HTMLElement>(".tp-line")) this.#equip(row);
    this.#rove(this.#buttons()[0] ?? null);
    this.#size.observe(source);
    source.addEventListener("click", (event) => this.#click(event));
    source.addEventListener("keydown", (event) => this.#key(event));
    source.addEventListener("focusin", (event) =>
      this.#rove((event.target as Element).closest<HTMLButtonElement>(".tp-gutter")),
    );
  }

  connectedCallback(): void {
    if (this.#scroller) this.#size.observe(this.#scroller);
  }

  disconnectedCallback(): void {
    this.#size.disconnect();
  }

  /** The line that the gutter's focus is on, if it is there. */
  get focusedLine(): number | null {
    const button = document.activeElement?.closest<HTMLElement>(".tp-gutter");
    return button && this.contains(button) ? Number(button.dataset["line"]) : null;
  }

  show(model: SourceModel): void {
    const before = this.#shown;
    this.#shown = model;
    for (const number of touched(before, model)) this.#draw(number);
    this.#fit();
    if (model.line !== null && (model.line !== before.line || model.caller !== before.caller))
      this.#reveal(model.caller ?? model.line);
  }

  #equip(row: HTMLElement): void {
    const number = Number(row.dataset["line"]);
    const target = row.dataset["breakpoint"] ? Number(row.dataset["breakpoint"]) : null;
    const hits = row.querySelector<HTMLElement>(".tp-hits") ?? make("span", "tp-hits");
    const end = row.querySelector<HTMLElement>(".tp-end") ?? make("span", "tp-end");
    const gutter =
      target === null ? null : (row.querySelector<HTMLButtonElement>(".tp-gutter") ?? this.#gutter(number));
    row.querySelector(".tp-number")?.after(hits);
    const code = row.querySelector<HTMLElement>("code") ?? row;
    // Its lines that are broken go on below where it begins, and the text behind it stands where its last one ends.
    code.style.setProperty("--tp-indent", String(/^[ \t]*/.exec(code.textContent ?? "")![0].length));
    code.append(end);
    row.prepend(gutter ?? row.querySelector(".tp-nogutter") ?? make("span", "tp-nogutter"));
    const line = { number, target, row, gutter, hits, end };
    this.#lines.set(number, line);
    this.#name(line, undefined);
  }

  #gutter(number: number): HTMLButtonElement {
    const button = make("button", "tp-gutter");
    button.type = "button";
    button.tabIndex = -1;
    button.dataset["line"] = String(number);
    return button;
  }

  #draw(number: number): void {
    const line = this.#lines.get(number);
    if (!line) return;
    const { marks, line: current, caller, note, values } = this.#shown;
    const mark = marks.get(number);
    this.#name(line, mark);
    line.hits.textContent = mark?.recorded ? this.#say("hits", { seen: mark.seen, total: mark.total }) : "";
    setAttribute(line.row, "aria-current", number === current ? "step" : null);
    setAttribute(line.row, "data-caller", number === caller && number !== current ? "" : null);
    const text = number === current && note ? note.text : (values.get(number) ?? "");
    line.end.textContent = text;
    setAttribute(line.end, "data-tone", text && number === current ? (note?.tone ?? null) : null);
  }

  /** A text behind a line ends at the source's edge. Where the cursor's line leaves it no room it covers that line's end. */
  #fit(): void {
    const ends = [...this.#lines.values()].map(({ end }) => end).filter((end) => end.textContent);
    const box = this.#scroller;
    if (!box || ends.length === 0) return;
    for (const end of ends) end.removeAttribute("data-over");
    const edge = box.getBoundingClientRect().left + box.clientLeft + box.clientWidth;
    const room = ends.map((end) => Math.max(Math.floor(edge - end.getBoundingClientRect().left), 0));
    for (const [index, end] of ends.entries()) {
      end.toggleAttribute("data-over", room[index]! < least && end.closest("[aria-current]") !== null);
      end.style.setProperty("--tp-room", `${room[index]}px`);
    }
  }

  #name({ gutter, number, row }: Line, mark: GutterMark | undefined): void {
    const state = !mark ? "off" : !mark.enabled ? "disabled" : mark.recorded && mark.seen === 0 ? "waiting" : "on";
    setAttribute(row, "data-mark", mark ? state : null);
    gutter?.setAttribute("aria-label", this.#say(mark?.enabled ? "breakpoint.on" : "breakpoint.off", { line: number }));
  }

  /** A finger that scrolls makes no click, so only a tap sets a breakpoint. */
  #click(event: MouseEvent): void {
    const row = (event.target as Element).closest<HTMLElement>(".tp-line");
    const inGutter = (event.target as Element).closest(".tp-gutter, .tp-number, .tp-hits");
    const line = row && inGutter ? this.#lines.get(Number(row.dataset["line"])) : undefined;
    if (line?.gutter) this.toggle(line.number);
  }

  #key(event: KeyboardEvent): void {
    const move = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 }[event.key];
    const buttons = this.#buttons();
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (move === undefined || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = buttons[Math.min(Math.max(at + move, 0), buttons.length - 1)]!;
    next.focus({ preventScroll: true });
    this.#reveal(Number(next.dataset["line"]));
    event.preventDefault();
    event.stopPropagation();
  }

  #rove(to: HTMLButtonElement | null): void {
    if (!to) return;
    for (const button of this.#buttons()) button.tabIndex = button === to ? 0 : -1;
  }

  #buttons(): HTMLButtonElement[] {
    return [...this.#lines.values()].flatMap(({ gutter }) => gutter ?? []);
  }

  /** Scrolls the source, never the page: `scrollIntoView` would move both. */
  #reveal(number: number): void {
    const row = this.#lines.get(number)?.row;
    const box = this.#scroller;
    if (!row || !box) return;
    const top = row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientTop + box.scrollTop;
    const margin = row.offsetHeight * 2;
    if (top - margin < box.scrollTop) box.scrollTop = top - margin;
    else if (top + row.offsetHeight + margin > box.scrollTop + box.clientHeight)
      box.scrollTop = top + row.offsetHeight + margin - box.clientHeight;
  }
}

/** The lines on which two models differ. */
function touched(before: SourceModel, after: SourceModel): Set<number> {
  const lines = new Set<number>([before.line, before.caller, after.line, after.caller].filter((line) => line !== null));
  for (const [line, mark] of [...before.marks, ...after.marks])
    if (before.marks.get(line) !== mark || after.marks.get(line) !== mark) lines.add(line);
  for (const [line, text] of [...before.values, ...after.values])
    if (before.values.get(line) !== text || after.values.get(line) !== text) lines.add(line);
  return lines;
}

function make<Name extends "span" | "button">(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  return element;
}

function setAttribute(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
