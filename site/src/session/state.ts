import type { BootProgress, Failure, TraceEnd } from "../protocol.ts";
import type { Divergence, Source } from "../trace/compare.ts";
import type { Breakpoint, Statements } from "../trace/stepping.ts";
import type { Trace } from "../trace/trace.ts";

export type Status = "idle" | "loading" | "running" | "paused" | "finished" | "stopped" | "failed";

/** The native run of a scenario that the site ships: the digest of its trace, and that of the job it recorded. */
export interface ReferenceNote {
  readonly digest: string;
  readonly job: string;
}

/** What stays as it is over a pane's life. */
export interface Setup {
  /** The shown file's name in the job. */
  readonly file: string;
  /** The line on which a breakpoint set on a line stops; null when no line at or after it can run. */
  readonly stopOf: (line: number) => number | null;
  readonly statements: Statements;
  /** By scenario; null when the site was built without recording. */
  readonly references: Readonly<Record<string, ReferenceNote | null>>;
  /** The job's sources by scenario, by which a difference between the platforms is explained. */
  readonly sources: Readonly<Record<string, readonly Source[]>>;
}

export type FileBreakpoint = Breakpoint;

/** Where the last breakpoint that was asked for went; `line` null: nowhere, no line there can run. */
export interface Placed {
  readonly asked: number;
  readonly line: number | null;
}

/** `waiting`: two interpreters of the page are in use, the run starts when one is free. */
export type Phase = "loading" | "waiting" | "running" | "stopping" | "over";

/** One request to run. Whoever drives the session starts what has a new `id`, and drops what had another one. */
export interface Run {
  readonly id: number;
  readonly record: boolean;
  /** `native`: the shipped reference is replayed, since this browser cannot run Python. */
  readonly from: "browser" | "native";
  readonly phase: Phase;
}

/** A move by which the reader goes from where the cursor is. */
export type Way =
  | "into"
  | "over"
  | "out"
  | "backInto"
  | "back"
  | "backOut"
  | "continue"
  | "reverse"
  | "start"
  | "end"
  | "first";

export interface Verdict {
  readonly status: "none" | "equal" | "different" | "unavailable";
  /** The first event that differs, once it was looked for. */
  readonly step?: number;
  /**
   * Why: of `different` the known difference of platforms (as `tracepane verify` names it) if one is seen; of `unavailable`
   * `none` (no reference was shipped), `input` (what the reader typed is no part of the reference), `native` (it is the
   * reference that is shown), `crashed`, or `fetch` (the reference could not be read).
   */
  readonly reason?: string;
  /** How many events were compared when the run was cut short; absent when all of them are covered. */
  readonly compared?: number;
  readonly divergence?: Divergence;
}

/** The whole state of a pane. Never changed in place; the trace only grows, and `steps` says how far this state knows it. */
export interface SessionState {
  readonly setup: Setup;
  readonly scenario: string;
  readonly breakpoints: readonly FileBreakpoint[];
  readonly placed: Placed | null;
  readonly run: Run | null;
  /** The id of the newest run there ever was. */
  readonly lastRun: number;
  readonly progress: BootProgress | null;
  readonly trace: Trace | null;
  readonly steps: number;
  /** The step that every view shows, −1 before the first stop and without recording. */
  readonly cursor: number;
  /** A move, or a step to go to, that waits for events to come. */
  readonly wanted: Way | number | null;
  /** While the run goes on the cursor goes along with its newest stop. */
  readonly follow: boolean;
  /** The reader pressed Stop and has not moved since. */
  readonly halted: boolean;
  readonly end: TraceEnd | null;
  readonly failure: Failure | null;
  readonly verdict: Verdict;
  /** The verdict needs the shipped trace: whoever drives the session fetches it and sends `reference`. */
  readonly wantsReference: boolean;
}

export const NO_VERDICT: Verdict = { status: "none" };

export function initialState(setup: Setup, scenario: string): SessionState {
  return {
    setup,
    scenario,
    breakpoints: [],
    placed: null,
    progress: null,
    run: null,
    lastRun: 0,
    ...NOTHING_RUN,
  };
}

/** What a new run starts from. */
export const NOTHING_RUN = {
  trace: null,
  steps: 0,
  cursor: -1,
  wanted: null,
  follow: false,
  halted: false,
  end: null,
  failure: null,
  verdict: NO_VERDICT,
  wantsReference: false,
} as const;
