import { Ints } from "../trace/columns.ts";
import type { Hits } from "../trace/hits.ts";
import { FILE, RAISE, STDERR, STDOUT } from "../trace/layout.ts";
import type { Trace } from "../trace/trace.ts";

/** Sorted steps, asked for by position, so that drawing them costs by the width of the screen. */
export interface MarkList {
  readonly count: number;
  /** The first one at or after `step`, −1 when there is none. */
  from(step: number): number;
}

export const noMarks: MarkList = { count: 0, from: () => -1 };

export interface TraceMarks {
  readonly output: MarkList;
  readonly errors: MarkList;
  readonly files: MarkList;
}

class Steps implements MarkList {
  readonly #items = new Ints();

  push(step: number): void {
    this.#items.push(step);
  }

  get count(): number {
    return this.#items.length;
  }

  from(step: number): number {
    const index = this.#items.above(step - 1);
    return index < this.#items.length ? this.#items.at(index) : -1;
  }
}

/** The stops of several breakpoints as one list. */
export class HitMarks implements MarkList {
  readonly #hits: readonly Hits[];

  constructor(hits: readonly Hits[], steps: number) {
    this.#hits = hits;
    this.count = hits.reduce((sum, each) => sum + each.count(steps), 0);
  }

  readonly count: number;

  from(step: number): number {
    const found = this.#hits.map((each) => each.at(each.count(step))).filter((each) => each >= 0);
    return found.length > 0 ? Math.min(...found) : -1;
  }
}

/** The steps of the events that the timeline marks, looked at once each while a trace grows. */
export class Marks {
  readonly #trace: Trace;
  #read = 0;
  #output = new Steps();
  #errors = new Steps();
  #files = new Steps();

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  /** Takes in what has been recorded since the last call. */
  read(): TraceMarks {
    for (; this.#read < this.#trace.steps; this.#read++) this.#take(this.#trace.code(this.#read));
    return { output: this.#output, errors: this.#errors, files: this.#files };
  }

  #take(code: number): void {
    if (code === STDOUT || code === STDERR) this.#output.push(this.#read);
    else if (code === RAISE) this.#errors.push(this.#read);
    else if (code === FILE) this.#files.push(this.#read);
  }
}
