import * as stepping from "../trace/stepping.ts";
import type { SessionState, Way } from "./state.ts";

/** Where a move leads from the cursor. */
export function destination(state: SessionState, way: Way): stepping.Move {
  const { trace, cursor, breakpoints } = state;
  const { statements } = state.setup;
  if (!trace) return null;
  if (way === "first" || cursor < 0) return stepping.firstStop(trace, breakpoints, statements);
  switch (way) {
    case "into":
      return stepping.stepInto(trace, cursor, statements);
    case "over":
      return stepping.stepOver(trace, cursor, statements);
    case "out":
      return stepping.stepOut(trace, cursor, statements);
    case "backInto":
      return stepping.stepBackInto(trace, cursor, statements);
    case "back":
      return stepping.stepBack(trace, cursor, statements);
    case "backOut":
      return stepping.stepBackOut(trace, cursor, statements);
    case "continue":
      return stepping.continueTo(trace, cursor, breakpoints, statements);
    case "reverse":
      return stepping.reverseTo(trace, cursor, breakpoints, statements);
    case "start":
      return stepping.toStart(trace, cursor, statements);
    case "end":
      return stepping.toEnd(trace, cursor);
  }
}

/** Moves, or remembers the move until the events that it needs have come. */
export function move(state: SessionState, way: Way): SessionState {
  if (!state.trace || !state.run?.record) return state;
  return settle({ ...state, wanted: way, follow: false });
}

/** Carries out the move that is waiting, if it can be told by now where it leads. */
export function settle(state: SessionState): SessionState {
  const { wanted } = state;
  if (wanted === null) return state.follow ? followRun(state) : state;
  const to = typeof wanted === "number" ? nearest(state, wanted) : destination(state, wanted);
  if (to === "pending") return state;
  const moved = { ...state, wanted: null };
  return to === null ? moved : { ...moved, cursor: to, halted: false };
}

/** To a step, or the nearest there is; one that is still to come is waited for; what is no number leads nowhere. */
export function goTo(state: SessionState, step: number): SessionState {
  if (!state.trace || !state.run?.record || Number.isNaN(Number(step))) return state;
  return settle({ ...state, wanted: Math.trunc(step), follow: false });
}

function nearest({ steps, run }: SessionState, step: number): stepping.Move {
  if (step >= steps && run?.phase !== "over") return "pending";
  return steps === 0 ? null : Math.min(Math.max(step, 0), steps - 1);
}

/** To the newest stop of a run that goes on. */
function followRun(state: SessionState): SessionState {
  if (!state.trace || state.steps === 0) return state;
  const last = state.steps - 1;
  const { statements } = state.setup;
  const newest = stepping.isStop(state.trace, last, statements)
    ? last
    : stepping.stepBackInto(state.trace, last, statements);
  return typeof newest === "number" ? { ...state, cursor: newest } : state;
}
