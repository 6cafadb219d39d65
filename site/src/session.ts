/**
 * What a pane knows and how it changes: an immutable state and one pure function. No document, no timers, no network.
 * What is to be done outside is told by the state itself: a `run` with a new id is to be started and the one before dropped, a
 * `run` in the phase `stopping` is to be stopped, `wantsReference` asks for the shipped trace.
 */
import type { BootProgress, Failure, TraceEnd } from "./protocol.ts";
import { type BreakpointOptions, toggle } from "./session/breakpoints.ts";
import { goTo, move, settle } from "./session/movement.ts";
import { initialState, NOTHING_RUN, type Run, type SessionState, type Status, type Way } from "./session/state.ts";
import { judge, judgeWith } from "./session/verdict.ts";
import type { Trace } from "./trace/trace.ts";

export { type BreakpointOptions, type BreakpointView, breakpointViews, stopFinder } from "./session/breakpoints.ts";
export {
  initialState,
  type Phase,
  type Placed,
  type ReferenceNote,
  type Run,
  type SessionState,
  type Setup,
  type Status,
  type Verdict,
  type Way,
} from "./session/state.ts";

export type SessionEvent =
  // from the reader
  | { readonly type: "choose"; readonly scenario: string }
  | { readonly type: "press"; readonly record: boolean; readonly from?: Run["from"] }
  | { readonly type: "retry" }
  | { readonly type: "stop" }
  | { readonly type: "reset" }
  | { readonly type: "move"; readonly way: Way }
  | { readonly type: "goto"; readonly step: number }
  | { readonly type: "follow"; readonly on: boolean }
  | { readonly type: "toggle"; readonly line: number; readonly options?: BreakpointOptions }
  | { readonly type: "clear" }
  // from the run with that id; what an older one says is not heard
  | { readonly type: "waiting"; readonly run: number; readonly busy: boolean }
  | { readonly type: "progress"; readonly progress: BootProgress | null }
  | { readonly type: "started"; readonly run: number }
  | { readonly type: "opened"; readonly run: number; readonly trace: Trace }
  | { readonly type: "grew"; readonly run: number }
  | { readonly type: "ended"; readonly run: number; readonly end: TraceEnd }
  | { readonly type: "failed"; readonly run: number; readonly failure: Failure }
  | { readonly type: "reference"; readonly run: number; readonly trace: Trace | null };

/** The state after an event. The state before is untouched. */
export function update(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case "choose":
      return choose(state, event.scenario);
    case "press":
      return press(state, event.record, event.from ?? "browser");
    case "retry":
      return state.run ? start(state, state.run.record, state.run.from) : state;
    case "stop":
      return stop(state);
    case "reset":
      return { ...state, ...NOTHING_RUN, run: null, progress: null };
    case "move":
      return move(state, event.way);
    case "goto":
      return goTo(state, event.step);
    case "follow":
      return settle({ ...state, follow: event.on });
    case "toggle":
      return toggle(state, event.line, event.options);
    case "clear":
      return { ...state, breakpoints: [] };
    case "progress":
      return { ...state, progress: event.progress };
    default:
      return state.run?.id === event.run ? hear(state, state.run, event) : state;
  }
}

/** What the pane says it is doing. */
export function statusOf(state: SessionState): Status {
  const { run, failure, end, cursor, steps } = state;
  if (failure) return "failed";
  if (!run) return "idle";
  if (run.phase === "loading" || run.phase === "waiting") return "loading";
  if (!end) return state.wanted !== null || cursor < 0 ? "running" : "paused";
  const ended = cursor < 0 || cursor === steps - 1 || state.halted;
  return ended ? ending(end) : "paused";
}

/** Whether the run still goes on, whatever the cursor shows. */
export function isRunning(state: SessionState): boolean {
  return state.run !== null && state.run.phase !== "over";
}

function ending(end: TraceEnd): Status {
  switch (end.status) {
    case "stopped":
    case "limit":
    case "crashed":
      return "stopped";
    case "input":
      return "paused";
    default:
      return "finished";
  }
}

/** Another scenario is another program: nothing that belongs to the one before stays. */
function choose(state: SessionState, scenario: string): SessionState {
  if (scenario === state.scenario) return state;
  return { ...initialState(state.setup, scenario), progress: state.progress, lastRun: state.lastRun };
}

/** One press is one run: pressing again while the interpreter loads changes nothing, the other button changes what will run. */
function press(state: SessionState, record: boolean, from: Run["from"]): SessionState {
  const { run } = state;
  const loading = run?.phase === "loading" || run?.phase === "waiting";
  if (loading && run.record === record && run.from === from) return state;
  return start(state, record, from);
}

function start(state: SessionState, record: boolean, from: Run["from"]): SessionState {
  const id = state.lastRun + 1;
  const run: Run = { id, record, from, phase: "loading" };
  return { ...state, ...NOTHING_RUN, run, wanted: record ? "first" : null, lastRun: id };
}

/** What has not started is taken back; what runs is asked to end, and says itself how it did. */
function stop(state: SessionState): SessionState {
  const { run } = state;
  if (!run || run.phase === "over") return state;
  if (run.phase === "loading" || run.phase === "waiting") return { ...state, ...NOTHING_RUN, run: null };
  return { ...state, run: { ...run, phase: "stopping" } };
}

type RunEvent = Extract<SessionEvent, { readonly run: number }>;

function hear(state: SessionState, run: Run, event: RunEvent): SessionState {
  switch (event.type) {
    case "waiting":
      return run.phase === "loading" || run.phase === "waiting"
        ? { ...state, run: { ...run, phase: event.busy ? "waiting" : "loading" } }
        : state;
    case "started":
      return { ...state, run: { ...run, phase: "running" }, progress: null };
    case "opened":
      return grow({ ...state, trace: event.trace, run: running(run) });
    case "grew":
      return grow(state);
    case "ended":
      return finish(state, run, event.end);
    case "failed":
      return { ...state, run: { ...run, phase: "over" }, failure: event.failure, wanted: null };
    case "reference":
      return { ...state, ...judgeWith(state, event.trace) };
  }
}

function running(run: Run): Run {
  return run.phase === "stopping" ? run : { ...run, phase: "running" };
}

function grow(state: SessionState): SessionState {
  const steps = state.trace?.steps ?? 0;
  return settle({ ...state, steps });
}

function finish(state: SessionState, run: Run, end: TraceEnd): SessionState {
  const halted = run.phase === "stopping" && end.status === "stopped";
  const over: SessionState = { ...grow(state), run: { ...run, phase: "over" }, end, halted };
  const settled = settle(over);
  return { ...settled, halted, wanted: null, follow: false, ...judge(settled), failure: null };
}
