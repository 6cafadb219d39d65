import type { Codes } from "./codes.ts";
import { type Columns, Ints, type Pager } from "./columns.ts";
import { Histories } from "./histories.ts";

/** The line events of each place of a source, apart: those of generator expressions, and all others. */
export class Lines {
  /** For each event that is one the step of the line event before it in the same frame, −1 if it is the first; 0 for others. */
  readonly before: Ints;
  private readonly lists: Histories;
  private readonly written = new Places();
  private readonly inside = new Places();
  private readonly lastOf: Ints;

  constructor(
    private readonly columns: Columns,
    private readonly codes: Codes,
    pager?: Pager,
  ) {
    this.before = new Ints(pager);
    this.lists = new Histories(pager);
    this.lastOf = new Ints(pager);
  }

  /** Takes in an event that is no line event. */
  skip(): void {
    this.before.push(0);
  }

  /** Takes in line event `step`. */
  add(step: number, frame: number): void {
    const line = this.columns.eventLine.at(step);
    const code = this.columns.frameCode.at(frame);
    const places = this.codes.expressions[code] ? this.inside : this.written;
    const lists = places.of(this.codes.files[code] as string);
    const list = lists.get(line) ?? this.lists.create();
    lists.set(line, list);
    this.lists.add(list, step);
    this.lastOf.fill(frame + 1, -1);
    this.before.push(this.lastOf.at(frame));
    this.lastOf.set(frame, step);
  }

  /** How many line events of a place come before `step`. */
  count(file: string, line: number, step: number): number {
    return this.listsAt(file, line).reduce((sum, list) => sum + this.lists.count(list, step), 0);
  }

  /** The steps of a place's line events before `step`, in order. */
  steps(file: string, line: number, step: number): Int32Array {
    const found = this.listsAt(file, line).map((list) => this.lists.values(list, step));
    const all = new Int32Array(found.reduce((sum, { length }) => sum + length, 0));
    let length = 0;
    for (const steps of found) {
      all.set(steps, length);
      length += steps.length;
    }
    return found.length > 1 ? all.sort() : all;
  }

  /** The list of a place's line events without those of generator expressions; −1 when there are none. */
  listAt(file: string, line: number): number {
    return this.written.find(file, line);
  }

  /** How many steps of a list come before `step`. */
  countIn(list: number, step: number): number {
    return this.lists.count(list, step);
  }

  /** The list's `index`th step, −1 when there are not so many. */
  stepIn(list: number, index: number): number {
    return this.lists.at(list, index);
  }

  trim(): void {
    for (const part of [this.before, this.lists, this.lastOf]) part.trim();
  }

  private listsAt(file: string, line: number): number[] {
    return [this.written.find(file, line), this.inside.find(file, line)].filter((list) => list >= 0);
  }
}

/** The number of a list for each line of each file. */
class Places {
  private readonly files = new Map<string, Map<number, number>>();

  of(file: string): Map<number, number> {
    const lines = this.files.get(file) ?? new Map<number, number>();
    this.files.set(file, lines);
    return lines;
  }

  find(file: string, line: number): number {
    return this.files.get(file)?.get(line) ?? -1;
  }
}
