import { END, LINE, RAISE, RETURN, UNWIND, YIELD } from "./layout.ts";
import type { Statements } from "./statements.ts";
import type { Trace } from "./trace.ts";

/**
 * Whether a line event starts a statement rather than goes on with one. Within a statement of several lines the events
 * jump from line to line; the same line twice in a row is the statement once more, in a loop.
 */
export function startsStatement(trace: Trace, step: number, statements: Statements): boolean {
  const before = trace.lineBefore(step);
  if (before < 0) return true;
  const line = trace.line(step);
  const last = trace.line(before);
  if (line === last) return true;
  const file = trace.frameFile(trace.frame(step));
  return statements.keyOf(file, line) !== statements.keyOf(file, last);
}

/** Whether the debugger stops at a step when nothing is skipped; `stepping.ts` says which these are and why. */
export function isStop(trace: Trace, step: number, statements: Statements): boolean {
  switch (trace.code(step)) {
    case LINE:
      return startsStatement(trace, step, statements);
    case UNWIND:
      return !followsRaise(trace, step);
    case RETURN:
    case YIELD:
    case RAISE:
    case END:
      return true;
    default:
      return false;
  }
}

/** Whether an exception appears here first, rather than comes up from a frame that it has just left: one mark for one error. */
export function isRaised(trace: Trace, step: number): boolean {
  if (trace.code(step) !== RAISE) return false;
  const below = step > 0 && trace.code(step - 1) === UNWIND ? trace.outcome(step - 1) : null;
  return below === null || below.ref !== trace.outcome(step)?.ref;
}

/** An exception leaves the frame right where it was seen: nothing of the frame ran in between. */
function followsRaise(trace: Trace, step: number): boolean {
  const before = trace.previousIn(trace.frame(step), step);
  return before >= 0 && trace.code(before) === RAISE;
}
