import { html, type PropertyValues, svg, type TemplateResult } from "lit";
import type { TextKey } from "../text/text.ts";
import type { MarkList, TraceMarks } from "./marks.ts";
import { View } from "./view.ts";

export interface TimelineMarks extends TraceMarks {
  readonly breakpoints: MarkList;
}

type Kind = keyof TimelineMarks;

const height = 36;
const track = 16;
const kinds: readonly { kind: Kind; name: TextKey; draw: (x: number) => string }[] = [
  { kind: "breakpoints", name: "mark.breakpoints", draw: (x) => `M${x - 4} ${track}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z` },
  { kind: "errors", name: "mark.errors", draw: (x) => `M${x} 1l4.5 8h-9z` },
  { kind: "output", name: "mark.output", draw: (x) => `M${x - 1} 24h2v9h-2z` },
  { kind: "files", name: "mark.files", draw: (x) => `M${x} 23.5l4.5 5l-4.5 5l-4.5 -5z` },
];

/** The run as a line to drag along. Marks of one kind that fall on the same spot are drawn once, so that a million cost no more than a screenful. */
export class TimelineView extends View {
  static override properties = {
    ...View.properties,
    marks: { attribute: false },
    steps: { type: Number },
    cursor: { type: Number },
    now: {},
    width: { state: true },
  };
  declare marks: TimelineMarks;
  declare steps: number;
  declare cursor: number;
  /** The cursor in words. */
  declare now: string;
  declare width: number;

  #size = new ResizeObserver(([entry]) => {
    if (entry) this.width = Math.max(Math.round(entry.contentRect.width), 40);
  });
  #paths = new Map<Kind, string>();

  constructor() {
    super();
    this.width = 600;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size.disconnect();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("marks") && !changed.has("steps") && !changed.has("width")) return;
    for (const { kind, draw } of kinds) this.#paths.set(kind, this.#path(this.marks[kind], draw));
  }

  protected override render(): TemplateResult {
    const x = this.#x(this.cursor);
    const last = Math.max(this.steps - 1, 0);
    return html`
      <div class="tp-slider" role="slider" tabindex="0" aria-label=${this.say("timeline")} aria-disabled=${this.steps === 0}
        aria-valuemin="0" aria-valuemax=${last} aria-valuenow=${Math.min(this.cursor, last)} aria-valuetext=${this.now}
        @keydown=${this.#key} @pointerdown=${this.#grab} @pointermove=${this.#drag}>
        <svg class="tp-track" width=${this.width} height=${height} viewBox="0 0 ${this.width} ${height}" aria-hidden="true">
          <rect class="tp-rest" x="0" y=${track - 3} width=${this.width} height="6" rx="3"/>
          ${this.steps ? svg`<rect class="tp-past" x="0" y=${track - 3} width=${x} height="6" rx="3"/>` : ""}
          ${kinds.map(({ kind }) => svg`<path class="tp-mark-${kind}" d=${this.#paths.get(kind) ?? ""}/>`)}
          ${this.steps ? svg`<rect class="tp-thumb" x=${x - 3} y="2" width="6" height=${height - 4} rx="3"/>` : ""}
        </svg>
      </div>
      <p class="tp-legend">${kinds.map(({ kind, name }) => this.#legend(kind, name))}</p>`;
  }

  #legend(kind: Kind, name: TextKey): TemplateResult {
    const count = this.marks[kind].count;
    const draw = kinds.find((each) => each.kind === kind)!.draw;
    return html`<span class="tp-key" ?data-none=${count === 0}><svg width="12" height="12" viewBox=${boxes[kind]} aria-hidden="true">
      <path class="tp-mark-${kind}" d=${draw(6)}/></svg>${this.say(name, { count })}</span>`;
  }

  #x(step: number): number {
    return 6 + ((this.width - 12) * step) / Math.max(this.steps - 1, 1);
  }

  #path(list: MarkList, draw: (x: number) => string): string {
    const perMark = (2 * Math.max(this.steps - 1, 1)) / Math.max(this.width - 12, 1);
    let path = "";
    for (let step = list.from(0); step >= 0; step = list.from(Math.max(step + 1, Math.ceil(step + perMark))))
      path += draw(Math.round(this.#x(step) * 2) / 2);
    return path;
  }

  #grab(event: PointerEvent): void {
    if (event.button !== 0 || this.steps === 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.#follow(event);
  }

  #drag(event: PointerEvent): void {
    if ((event.currentTarget as Element).hasPointerCapture(event.pointerId)) this.#follow(event);
  }

  #follow(event: PointerEvent): void {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const part = (event.clientX - box.left - 6) / Math.max(box.width - 12, 1);
    void this.actions.goto(Math.round(Math.min(Math.max(part, 0), 1) * (this.steps - 1)));
  }

  /** Arrows, Home and End are the pane's own as well; a page of steps is the slider's. */
  #key(event: KeyboardEvent): void {
    const page = Math.max(Math.round(this.steps / 20), 1);
    const move = { PageUp: page, PageDown: -page, ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (move === undefined || this.steps === 0) return;
    void this.actions.goto(Math.min(Math.max(this.cursor + move, 0), this.steps - 1));
    event.preventDefault();
    event.stopPropagation();
  }
}

const boxes: Record<Kind, string> = {
  breakpoints: `0 ${track - 6} 12 12`,
  errors: "0 -1 12 12",
  output: "0 22.5 12 12",
  files: "0 22.5 12 12",
};
