/** Runs that the tests of stepping share, and how they tell where a move leads. */
import assert from "node:assert/strict";
import { type Breakpoint, EACH_LINE, type Move, stepInto } from "../../site/src/trace/stepping.ts";
import type { Trace } from "../../site/src/trace/trace.ts";
import { factorial as recorded } from "./trace-runs.ts";

/** What a reader sees at a move's end: `kind line function`, or the move itself. */
export function at(trace: Trace, move: Move): string | null {
  if (typeof move !== "number") return move;
  const position = trace.position(move);
  return position ? `${trace.kind(move)} ${position.line} ${position.function}` : trace.kind(move);
}

/** The first step of an event, as `at` writes it; `nth` counts from 0. */
export function find(trace: Trace, event: string, nth = 0): number {
  const steps = Array.from({ length: trace.steps }, (_, step) => step).filter((step) => at(trace, step) === event);
  assert.ok(steps[nth] !== undefined, `no event ${event}`);
  return steps[nth] as number;
}

/** All stops from the start, by steps into. */
export function walk(trace: Trace, statements = EACH_LINE): (string | null)[] {
  const seen: (string | null)[] = [];
  for (let move = stepInto(trace, -1, statements); typeof move === "number"; move = stepInto(trace, move, statements)) {
    seen.push(at(trace, move));
  }
  return seen;
}

export const breakpoint = (line: number, more: Partial<Breakpoint> = {}): Breakpoint => ({
  file: "prog.py",
  line,
  enabled: true,
  ...more,
});

/** Case 006: `fact(4)`, the recursion on line 18 and its result on line 19. */
export const factorial = ({ open = false } = {}): Trace => recorded({ n: 4, first: 15, open }).trace({ open });

/** The value of a variable at a step. */
export function value(trace: Trace, step: Move, name: string): string | undefined {
  const found = trace.variables(step as number).find((variable) => variable.name === name);
  return found && trace.view(found.ref, step as number).text;
}
