/**
 * Where the debugger goes from a step. Pure functions of the trace and the cursor.
 *
 * A *stop* is an event at which stepping can halt:
 * - `line`, where it starts a statement. The lines on which a statement of several lines goes on are passed over.
 * - `return` and `yield`, so that a reader sees the value that is given and the effect of the frame's last line, which no
 *   line event shows (a line's effect is found at the frame's next event);
 * - `raise`, in every frame that the exception reaches;
 * - `unwind`, unless the frame's event before is the `raise`: then nothing ran in between and nothing new is to be seen;
 * - `end`.
 * `call`, `resume`, `output` and `file` are no stops: the first line of a frame shows its arguments, and what a line printed
 * is there at the next stop.
 *
 * *Into* goes to the next stop, *back into* to the one before; each undoes the other.
 *
 * *Over* stays in the activation: its next stop is one of the same frame, whatever runs in between (calls, callbacks,
 * recursion, generators). A frame that suspends goes on when it is resumed: `await` and `yield` are stepped over, and the next
 * stop is the line after. From the event that leaves the frame (or when a suspended frame is never resumed), *over* goes on in
 * the caller, at its next stop there, in the middle of a statement too, so that *into* can then enter the statement's next call.
 * *Back over* is the same backwards; from the first line of a frame it goes to the statement that called it.
 *
 * *Out* goes to the caller's first stop after the activation ends. A generator's ends at its next `yield`, where the consumer
 * gets the value; a coroutine's only when it returns, since the suspensions of `await` are no business of whoever awaits it.
 * *Back out* goes to the caller's statement that called (or resumed) the frame.
 *
 * *Continue* goes to the next hit of an enabled breakpoint (one for each time that its statement starts; the turns of a
 * generator expression in it are none), else to the end; *reverse continue* to the hit before, else to the
 * first stop.
 *
 * A move gives the step, `null` when there is none in that direction, or `"pending"` when the run still goes on and the step may
 * be among the events to come: ask again when more have arrived.
 */
import { type Breakpoint, breakpointHits } from "./breakpoints.ts";
import { CALL, LINE, RAISE, RETURN, UNWIND, YIELD } from "./layout.ts";
import { EACH_LINE, type Statements } from "./statements.ts";
import { isStop, startsStatement } from "./stops.ts";
import type { Trace } from "./trace.ts";

export { type Breakpoint, countHits, nextHit, previousHit, unsupported } from "./breakpoints.ts";
export { EACH_LINE, type Statements, statementsOf } from "./statements.ts";
export { isRaised, isStop } from "./stops.ts";

export type Move = number | "pending" | null;

export function stepInto(trace: Trace, cursor: number, statements: Statements = EACH_LINE): Move {
  for (let step = cursor + 1; step < trace.steps; step++) if (isStop(trace, step, statements)) return step;
  return beyond(trace, cursor);
}

export function stepBackInto(trace: Trace, cursor: number, statements: Statements = EACH_LINE): Move {
  for (let step = cursor - 1; step >= 0; step--) if (isStop(trace, step, statements)) return step;
  return null;
}

export function stepOver(trace: Trace, cursor: number, statements: Statements = EACH_LINE): Move {
  const frame = trace.frame(cursor);
  if (frame < 0) return stepInto(trace, cursor, statements);
  if (leaves(trace.code(cursor))) return afterLeaving(trace, cursor, statements);
  return nextStopIn(trace, frame, cursor, statements, false);
}

export function stepBack(trace: Trace, cursor: number, statements: Statements = EACH_LINE): Move {
  const frame = trace.frame(cursor);
  if (frame < 0) return stepBackInto(trace, cursor, statements);
  return previousStopIn(trace, frame, cursor, statements);
}

export function stepOut(trace: Trace, cursor: number, statements: Statements = EACH_LINE): Move {
  const activation = trace.activation(cursor);
  if (activation === null) return beyond(trace, cursor);
  const left = trace.isCoroutine(activation.frame) ? finalEvent(trace, activation.frame) : activation.end;
  return left < 0 ? beyond(trace, cursor) : afterLeaving(trace, left, statements);
}

export function stepBackOut(trace: Trace, cursor: number, statements: Statements = EACH_LINE): Move {
  const activation = trace.activation(cursor);
  return activation === null ? stepBackInto(trace, cursor, statements) : callerOf(trace, cursor, statements);
}

export function continueTo(
  trace: Trace,
  cursor: number,
  breakpoints: readonly Breakpoint[],
  statements: Statements = EACH_LINE,
): Move {
  const steps = breakpoints.map((breakpoint) => breakpointHits(trace, breakpoint, statements).next(cursor));
  const found = steps.filter((step) => step >= 0);
  return found.length > 0 ? Math.min(...found) : beyond(trace, cursor);
}

export function reverseTo(
  trace: Trace,
  cursor: number,
  breakpoints: readonly Breakpoint[],
  statements: Statements = EACH_LINE,
): Move {
  const steps = breakpoints.map((breakpoint) => breakpointHits(trace, breakpoint, statements).previous(cursor));
  const found = Math.max(-1, ...steps);
  return found >= 0 ? found : toStart(trace, cursor, statements);
}

/** Where Debug halts first: at the first hit when there is a breakpoint, else at the first traced line. */
export function firstStop(trace: Trace, breakpoints: readonly Breakpoint[], statements: Statements = EACH_LINE): Move {
  if (breakpoints.some((breakpoint) => breakpoint.enabled)) return continueTo(trace, -1, breakpoints, statements);
  for (let step = 0; step < trace.steps; step++) if (trace.code(step) === LINE) return step;
  return beyond(trace, -1);
}

/** The first stop; null when the cursor is there or before. */
export function toStart(trace: Trace, cursor: number, statements: Statements = EACH_LINE): Move {
  const first = stepInto(trace, -1, statements);
  return typeof first === "number" && first < cursor ? first : null;
}

/** The last step of the run; null when the cursor is there. */
export function toEnd(trace: Trace, cursor: number): Move {
  return beyond(trace, cursor);
}

/** No stop among the events that are there: more may come, or the run's last event is all that is left. */
function beyond(trace: Trace, cursor: number): Move {
  if (trace.end === null) return "pending";
  return cursor < trace.steps - 1 ? trace.steps - 1 : null;
}

function leaves(code: number): boolean {
  return code === RETURN || code === YIELD || code === UNWIND;
}

/** The next stop of a frame after `cursor`, suspensions passed over. `within`: the middle of a statement is a stop too. */
function nextStopIn(trace: Trace, frame: number, cursor: number, statements: Statements, within: boolean): Move {
  let suspended = -1;
  for (let step = trace.nextIn(frame, cursor + 1); step >= 0; step = trace.nextIn(frame, step + 1)) {
    const code = trace.code(step);
    if (code === LINE ? within || startsStatement(trace, step, statements) : code === RAISE || code === RETURN)
      return step;
    if (code === UNWIND) return isStop(trace, step, statements) ? step : afterLeaving(trace, step, statements);
    suspended = code === YIELD ? step : -1;
  }
  if (trace.end === null || suspended < 0) return beyond(trace, cursor);
  return afterLeaving(trace, suspended, statements);
}

/** The caller's first stop after the event that left a frame; without a caller the next stop of all. */
function afterLeaving(trace: Trace, step: number, statements: Statements): Move {
  const parent = trace.activation(step)?.parent ?? -1;
  return parent < 0 ? stepInto(trace, step, statements) : nextStopIn(trace, parent, step, statements, true);
}

function previousStopIn(trace: Trace, frame: number, cursor: number, statements: Statements): Move {
  for (let step = trace.previousIn(frame, cursor); step >= 0; step = trace.previousIn(frame, step)) {
    const code = trace.code(step);
    if (code === CALL) return callerOf(trace, step, statements);
    if (code !== YIELD && isStop(trace, step, statements)) return step;
  }
  return callerOf(trace, cursor, statements);
}

/** The statement that called or resumed the frame of `step`. */
function callerOf(trace: Trace, step: number, statements: Statements): Move {
  const activation = trace.activation(step);
  if (activation === null || activation.parent < 0) return stepBackInto(trace, activation?.start ?? step, statements);
  return previousStopIn(trace, activation.parent, activation.start, statements);
}

/** The event with which a frame is done, −1 if it has not come: nothing of the frame follows it. */
function finalEvent(trace: Trace, frame: number): number {
  const last = trace.previousIn(frame, trace.steps);
  return trace.code(last) === RETURN || trace.code(last) === UNWIND ? last : -1;
}
