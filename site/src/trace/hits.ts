import { Ints } from "./columns.ts";
import type { Statements } from "./statements.ts";
import { startsStatement } from "./stops.ts";
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
  const known = cache.get(trace) ?? new Map<string, StatementHits>();
  cache.set(trace, known);
  const key = `${file}:${lines.join(",")}`;
  const hits = known.get(key) ?? new StatementHits(trace, file, lines, statements);
  known.set(key, hits);
  hits.grow();
  return hits;
}

/** What was merged for a trace is of use as long as the trace is, and no longer. */
const cache = new WeakMap<Trace, Map<string, StatementHits>>();

/** The line events of a statement's lines merged, without those that only go on with it. */
class StatementHits implements Hits {
  private readonly steps = new Ints();
  private readonly taken: number[];

  constructor(
    private readonly trace: Trace,
    private readonly file: string,
    private readonly lines: readonly number[],
    private readonly statements: Statements,
  ) {
    this.taken = lines.map(() => 0);
  }

  grow(): void {
    const fresh = this.lines.flatMap((line, index) => this.take(line, index));
    // Whatever is new came after all that was there before, on whichever line.
    for (const step of fresh.sort((left, right) => left - right)) this.steps.push(step);
  }

  count(step: number): number {
    return this.steps.above(step - 1);
  }

  at(index: number): number {
    return index < 0 || index >= this.steps.length ? -1 : this.steps.at(index);
  }

  private take(line: number, index: number): number[] {
    const steps: number[] = [];
    const count = this.trace.countAt(this.file, line);
    for (let at = this.taken[index] as number; at < count; at++) {
      const step = this.trace.stepOf(this.file, line, at);
      const inside = this.trace.isExpression(this.trace.frame(step));
      if (!inside && startsStatement(this.trace, step, this.statements)) steps.push(step);
    }
    this.taken[index] = count;
    return steps;
  }
}
