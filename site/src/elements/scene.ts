import { isRunning, type SessionState, statusOf, type Verdict } from "../session.ts";
import type { Say, TextKey } from "../text/text.ts";
import type { Scene } from "./appearance.ts";
import type { Conductor } from "./conductor.ts";
import type { Reference } from "./pane-file.ts";
import type { VerdictText } from "./status.ts";
import { sayFailure } from "./words.ts";

/** What only the view knows of a pane. */
export interface Aside {
  /** The frame that the reader chose; null: the cursor's. */
  readonly frame: number | null;
  readonly notice: string | null;
  readonly values: boolean;
  readonly keys: boolean;
}

export function sceneOf(say: Say, state: SessionState, aside: Aside, conductor: Conductor): Scene {
  const { run, failure } = state;
  const reference = conductor.scenario?.reference;
  return {
    say,
    status: statusOf(state),
    trace: state.trace,
    workspace: conductor.workspace,
    recorded: run?.record ?? false,
    going: isRunning(state),
    seeking: state.wanted !== null && state.wanted !== "first",
    cursor: state.cursor,
    steps: state.steps,
    file: state.setup.file,
    statements: state.setup.statements,
    breakpoints: state.breakpoints,
    frame: aside.frame,
    values: aside.values,
    progress: state.progress,
    waiting: run?.phase === "waiting",
    failure: failure ? sayFailure(say, failure, conductor.failedFile ?? undefined) : null,
    notice: aside.notice,
    native: run?.from === "native" ? (reference?.python ?? "3.14") : null,
  };
}

export function verdictText(
  say: Say,
  { status, step, reason, compared }: Verdict,
  reference: Reference | null,
): VerdictText | null {
  const python = reference?.python ?? "";
  const why = sayReason(say, reason ?? "unknown");
  switch (status) {
    case "none":
      return null;
    case "equal":
      return {
        tone: "equal",
        text: say("verdict.equal", { python, count: compared ?? reference?.events ?? 0 }),
        detail: say(compared === undefined ? "verdict.equalDetail" : "verdict.cutDetail"),
        step: null,
      };
    case "different":
      return step === undefined
        ? { tone: "different", text: say("verdict.differentSomewhere", { python }), detail: why, step: null }
        : { tone: "different", text: say("verdict.different", { python, step }), detail: why, step };
    case "unavailable":
      return { tone: "unknown", text: say("verdict.unavailable"), detail: why, step: null };
  }
}

/** `pointer width`, as `tracepane verify` names it, is the text `reason.pointerWidth`. */
function sayReason(say: Say, reason: string): string {
  return say(`reason.${reason.replace(/ (.)/g, (_, letter: string) => letter.toUpperCase())}` as TextKey);
}
