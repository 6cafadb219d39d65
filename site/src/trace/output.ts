import { type Columns, Ints, type Pager } from "./columns.ts";
import { STDERR } from "./layout.ts";
import type { Strings } from "./strings.ts";

export type Stream = "stdout" | "stderr";

export interface OutputPiece {
  readonly stream: Stream;
  readonly text: string;
  readonly step: number;
}

/** What the program printed. The whole text is joined once as it arrives; the text up to a step is a slice of it. */
export class Output {
  private readonly steps: Ints;
  private readonly ends: Readonly<Record<Stream | "all", Ints>>;
  private readonly texts = { all: "", stdout: "", stderr: "" };

  constructor(
    private readonly columns: Columns,
    private readonly strings: Strings,
    private readonly pager?: Pager,
  ) {
    this.steps = new Ints(pager);
    this.ends = { all: new Ints(pager), stdout: new Ints(pager), stderr: new Ints(pager) };
  }

  add(step: number): void {
    const text = this.strings.text(this.columns.eventArg.at(step));
    this.pager?.weigh(2 * text.length);
    this.steps.push(step);
    this.texts.all += text;
    this.texts[this.stream(step)] += text;
    for (const name of ["all", "stdout", "stderr"] as const) this.ends[name].push(this.texts[name].length);
  }

  /** How many pieces were printed up to and including `step`. */
  count(step: number): number {
    return this.steps.above(step);
  }

  piece(index: number): OutputPiece {
    const step = this.steps.at(index);
    return { stream: this.stream(step), text: this.strings.text(this.columns.eventArg.at(step)), step };
  }

  /** The number of a stream's last piece before piece `index`, −1 when there is none. */
  before(index: number, stream: Stream | "all"): number {
    const length = index <= 0 ? 0 : this.ends[stream].at(index - 1);
    return length === 0 ? -1 : this.ends[stream].above(length - 1);
  }

  /** The number of a stream's first piece from piece `index` on, −1 when there is none. */
  from(index: number, stream: Stream | "all"): number {
    const found = this.ends[stream].above(index <= 0 ? 0 : this.ends[stream].at(index - 1));
    return found < this.steps.length ? found : -1;
  }

  /** The text up to and including `step`, of one stream or of both as they came. */
  text(step: number, stream: Stream | "all"): string {
    const count = this.count(step);
    return count === 0 ? "" : this.texts[stream].slice(0, this.ends[stream].at(count - 1));
  }

  private stream(step: number): Stream {
    return this.columns.eventKind.at(step) === STDERR ? "stderr" : "stdout";
  }
}
