import { Ints } from "./columns.ts";
import type { Statements } from "./statements.ts";
import type { Trace } from "./trace.ts";

/** The steps at which a breakpoint's statement starts, in order. Grows with the trace. */
export interface Hits {
  /** How many come before `step`. */
  count(step: number): number;
  /** The `index`th, −1 when there are not so many. */
  at(index: number): number;
}

/**
 * Hits of a breakpoint on `line`, which may be any line of a statement: one for each time the statement starts. The turns of a
 * generator expression are part of the statement that it stands in.
 */
export function hitsOf(trace: Trace, file: string, line: number, statements: Statements): Hits {
  const lines = statements.linesOf(file, statements.keyOf(file, line));
  const present = lines.filter((each) => trace.tables.lines.listAt(file, each) >= 0);
  // Whatever comes on the only line of a statement starts it.
  if (present.length <= 1) return new LineHits(trace, trace.tables.lines.listAt(file, present[0] ?? line));
  const known = cache.get(trace) ?? new Map<string, StatementHits>();
  cache.set(trace, known);
  const key = `${file}:${present.join()}`;
  const hits = known.get(key) ?? new StatementHits(trace, file, present);
  known.set(key, hits);
  hits.grow();
  return hits;
}

/** What was merged for a trace is of use as long as the trace is, and no longer. */
const cache = new WeakMap<Trace, Map<string, StatementHits>>();

/** The line events of one line. */
class LineHits implements Hits {
  constructor(
    private readonly trace: Trace,
    private readonly list: number,
  ) {}

  count(step: number): number {
    return this.list < 0 ? 0 : this.trace.tables.lines.countIn(this.list, Math.min(step, this.trace.steps));
  }

  at(index: number): number {
    const step = this.list < 0 ? -1 : this.trace.tables.lines.stepIn(this.list, index);
    return step < this.trace.steps ? step : -1;
  }
}

/** The line events of a statement's lines merged, without those that only go on with it (`startsStatement` in stops.ts). */
class StatementHits implements Hits {
  private readonly steps = new Ints();
  private readonly lists: readonly number[];
  private readonly taken: number[];

  constructor(
    private readonly trace: Trace,
    file: string,
    private readonly lines: readonly number[],
  ) {
    this.lists = lines.map((line) => trace.tables.lines.listAt(file, line));
    this.taken = lines.map(() => 0);
  }

  /** Takes in what came since the last time: all of it after all that was there before, on whichever line. */
  grow(): void {
    for (let from = this.earliest(); from >= 0; from = this.earliest()) {
      const step = this.peek(from);
      if (this.starts(step, this.lines[from] as number)) this.steps.push(step);
      this.taken[from] = (this.taken[from] as number) + 1;
    }
  }

  count(step: number): number {
    return this.steps.above(step - 1);
  }

  at(index: number): number {
    return index < 0 || index >= this.steps.length ? -1 : this.steps.at(index);
  }

  /** Which line has the next event, −1 when none has any that was not taken. */
  private earliest(): number {
    let found = -1;
    for (let index = 0; index < this.lists.length; index++)
      if (this.peek(index) < (found < 0 ? this.trace.steps : this.peek(found))) found = index;
    return found;
  }

  private peek(index: number): number {
    const step = this.trace.tables.lines.stepIn(this.lists[index] as number, this.taken[index] as number);
    return step < 0 ? Number.POSITIVE_INFINITY : step;
  }

  private starts(step: number, line: number): boolean {
    const { lines, columns } = this.trace.tables;
    const before = lines.before.at(step);
    const last = before < 0 ? line : columns.eventLine.at(before);
    return last === line || !this.lines.includes(last);
  }
}
