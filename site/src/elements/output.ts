import { html, nothing, type TemplateResult } from "lit";
import type { TraceEnd } from "../protocol.ts";
import type { OutputPiece, Trace } from "../trace/trace.ts";
import { View } from "./view.ts";

const filters = ["all", "stdout", "stderr"] as const;
export type Filter = (typeof filters)[number];

/**
 * Characters and pieces of the newest output that are drawn; a flood would otherwise cost more than the run that made it.
 * While it grows every frame draws all of them anew, so that they are no more than nobody can read at that pace anyway.
 */
const shown = {
  still: { characters: 40_000, pieces: 1000 },
  growing: { characters: 8_000, pieces: 100 },
};

/** What the program has written up to the cursor. What it writes later is not shown, only that and where it comes. */
export class OutputView extends View {
  static override properties = {
    ...View.properties,
    trace: { attribute: false },
    at: { type: Number },
    cursor: { type: Number },
    later: { type: Number },
    growing: { type: Boolean },
    end: { attribute: false },
    ending: {},
    filter: { state: true },
  };
  declare trace: Trace | null;
  /** The step up to which output is shown, −1 for none of it. */
  declare at: number;
  /** The cursor, −1 where there is none. */
  declare cursor: number;
  /** The step of the next output after the cursor, −1 for none. */
  declare later: number;
  /** More of it comes while it is shown. */
  declare growing: boolean;
  /** How the run ended, once the cursor is there. */
  declare end: TraceEnd | null;
  declare ending: string;
  declare filter: Filter;

  constructor() {
    super();
    this.filter = "all";
  }

  protected override render(): TemplateResult {
    return html`
      <div class="tp-panel-head"><p class="tp-heading">${this.say("output.title")}</p>
        <div class="tp-segments tp-small" role="group" aria-label=${this.say("output.filter")}>${filters.map((filter) => this.#choice(filter))}</div></div>
      <div class="tp-text tp-scroll" role="group" aria-label=${this.say("output.title")} tabindex="0" @pointerover=${this.#point}>${this.#text()}${this.#next()}${this.#ending()}</div>`;
  }

  override updated(): void {
    const box = this.querySelector(".tp-text");
    if (box) box.scrollTop = box.scrollHeight;
  }

  #choice(filter: Filter): TemplateResult {
    return html`<button type="button" class="tp-segment" aria-pressed=${filter === this.filter} @click=${() => {
      this.filter = filter;
    }}><span>${this.say(`output.${filter}`)}</span></button>`;
  }

  #text(): unknown {
    const most = this.growing ? shown.growing : shown.still;
    const { kept, cut } =
      this.trace && this.at >= 0 ? newest(this.trace, this.at, this.filter, most) : { kept: [], cut: 0 };
    if (kept.length === 0) return html`<p class="tp-empty">${this.say("output.none")}</p>`;
    return [
      cut ? html`<p class="tp-empty">${this.say("output.cut", { count: cut })}</p>` : nothing,
      ...kept.map((piece) => this.#piece(piece)),
    ];
  }

  #piece({ stream, text, step }: OutputPiece): TemplateResult {
    return html`<span class="tp-piece" data-stream=${stream} data-step=${step} ?data-now=${step === this.cursor}>${text}</span>`;
  }

  /** Which step wrote a piece is told of the one that is pointed at: to word it for all of them takes longer than to draw them. */
  #point(event: PointerEvent): void {
    const piece = (event.target as Element).closest<HTMLElement>(".tp-piece");
    if (!piece) return;
    const { stream, step } = piece.dataset;
    piece.title = this.say(stream === "stderr" ? "output.stderrAt" : "output.at", { step: Number(step) });
  }

  #next(): TemplateResult | typeof nothing {
    const step = this.#later();
    if (step < 0) return nothing;
    return html`<button type="button" class="tp-link" @click=${() => void this.actions.goto(step)}>${this.say("output.next", { step })}</button>`;
  }

  /** Of one stream it is the stream's own next output that is offered. */
  #later(): number {
    if (this.filter === "all" || this.later < 0 || !this.trace) return this.later;
    return this.trace.outputAfter(this.at, this.filter)?.step ?? -1;
  }

  #ending(): TemplateResult | typeof nothing {
    if (!this.end) return nothing;
    // Python's own report, if it has been written, has the traceback already.
    const told =
      this.trace &&
      this.at >= 0 &&
      this.trace.outputText(this.at, "stderr").includes("Traceback (most recent call last)");
    const failure = told ? undefined : this.end.exception;
    return html`<div class="tp-ending" data-status=${this.end.status}><p>${this.ending}</p>${
      failure
        ? html`<ol class="tp-traceback">${failure.traceback.map((at) => html`<li>${this.say("end.frame", { file: at.file, line: at.line, name: at.function })}</li>`)}</ol>`
        : nothing
    }</div>`;
  }
}

/** The last pieces up to a step that fit the limits, and how many characters before them were left out. */
function newest(
  trace: Trace,
  step: number,
  filter: Filter,
  { characters, pieces }: (typeof shown)["still"],
): { kept: OutputPiece[]; cut: number } {
  const kept: OutputPiece[] = [];
  let room = characters;
  for (
    let piece = trace.outputBefore(step, filter);
    piece && room > 0 && kept.length < pieces;
    piece = piece.step > 0 ? trace.outputBefore(piece.step - 1, filter) : null
  ) {
    kept.push({ ...piece, text: piece.text.slice(-room) });
    room -= piece.text.length;
  }
  const drawn = kept.reduce((sum, { text }) => sum + text.length, 0);
  return { kept: kept.reverse(), cut: trace.outputText(step, filter).length - drawn };
}
