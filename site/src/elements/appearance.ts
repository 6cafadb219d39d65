/** What a pane looks like: pure functions of the session, the trace and the little that only the view knows. */
import type { BootProgress, TraceEnd } from "../protocol.ts";
import type { Say } from "../text/text.ts";
import { hitsOf } from "../trace/hits.ts";
import type { Statements } from "../trace/statements.ts";
import type { Trace } from "../trace/trace.ts";
import { lineValues } from "./line-values.ts";
import { HitMarks, Marks, noMarks } from "./marks.ts";
import type { GutterMark, LineNote, SourceModel } from "./source.ts";
import type { StatusText } from "./status.ts";
import type { TimelineMarks } from "./timeline.ts";
import type { Enabled } from "./toolbar.ts";
import { sayEnd, sayProgress } from "./words.ts";
import type { Workspace } from "./workspace.ts";

export type Status = "idle" | "loading" | "running" | "paused" | "finished" | "stopped" | "failed";

export interface BreakpointLine {
  readonly line: number;
  readonly enabled: boolean;
}

/** A moment of a pane. */
export interface Scene {
  readonly say: Say;
  readonly status: Status;
  /** Null before the first run; a run without recording has a trace of output and files alone. */
  readonly trace: Trace | null;
  readonly workspace: Workspace;
  readonly recorded: boolean;
  /** A run goes on. */
  readonly going: boolean;
  /** A command waits for a stop that has not been recorded yet. */
  readonly seeking: boolean;
  readonly cursor: number;
  readonly steps: number;
  readonly file: string;
  readonly statements: Statements;
  readonly breakpoints: readonly BreakpointLine[];
  /** The frame that the reader chose; null: the cursor's. */
  readonly frame: number | null;
  readonly values: boolean;
  readonly progress: BootProgress | null;
  readonly waiting: boolean;
  /** What went wrong, in words. */
  readonly failure: string | null;
  /** The answer to something the reader just did. */
  readonly notice: string | null;
  /** The version of native Python whose recording is replayed; null for a run of this browser's. */
  readonly native: string | null;
}

export function hasCursor({ trace, cursor }: Scene): boolean {
  return trace !== null && cursor >= 0 && cursor < trace.steps;
}

export function shownFrame(scene: Scene): number {
  if (!hasCursor(scene)) return -1;
  return scene.frame ?? scene.trace!.shownFrame(scene.cursor);
}

export function enabled({ status, recorded, going, cursor, steps, trace }: Scene): Enabled {
  const walks = recorded && steps > 0 && status !== "loading" && cursor >= 0;
  const past = walks && cursor > 0;
  const future = walks && (going || cursor < steps - 1);
  const commands: [Parameters<Enabled["has"]>[0], boolean][] = [
    ["debug", !going],
    ["run", !going],
    ["stop", going],
    ["reset", going || trace !== null || status === "failed"],
    ["reverseContinue", past],
    ["stepBack", past],
    ["stepOver", future],
    ["stepInto", future],
    ["stepOut", future],
    ["continue", future],
  ];
  return new Set(commands.filter(([, on]) => on).map(([command]) => command));
}

export function statusText(scene: Scene): StatusText {
  const { say, status, failure, notice, native } = scene;
  if (failure !== null) return { tone: "error", text: failure };
  const busy = busyText(scene);
  // An answer must not hide for the rest of a long loading how far that has come.
  if (busy) return notice === null ? busy : { ...busy, text: `${notice} ${busy.text}` };
  if (notice !== null) return { tone: "calm", text: notice };
  if (status === "idle" || !scene.trace) return { tone: "calm", text: say("status.idle") };
  const text = restText(scene);
  return { tone: "good", text: native === null ? text : say("status.native", { text, python: native }) };
}

function busyText({ say, status, waiting, progress, going, seeking, recorded, steps }: Scene): StatusText | null {
  if (waiting) return { tone: "busy", text: say("status.waiting") };
  if (status === "loading") {
    const part = progress?.total ? { progress: progress.loaded / progress.total } : {};
    return { tone: "busy", text: progress ? sayProgress(say, progress) : say("status.loading"), ...part };
  }
  if (!going || (status === "paused" && !seeking)) return null;
  if (!recorded) return { tone: "busy", text: say("status.running") };
  return { tone: "busy", text: say(seeking ? "status.searching" : "status.recording", { count: steps }) };
}

/** Where the cursor is. */
function restText(scene: Scene): string {
  const { say, status, trace, cursor, steps, going, file } = scene;
  const end = trace!.end;
  // An end that the page made (Stop, a crash, a program stuck in C) is no event of the trace: the last step tells it.
  if (end && hasCursor(scene) && cursor === steps - 1)
    return say("status.end", { step: cursor, last: steps - 1, end: sayEnd(say, end) });
  if (end && (!scene.recorded || !hasCursor(scene) || status === "stopped")) return sayEnd(say, end);
  if (!hasCursor(scene)) return say("status.idle");
  const at = trace!.position(cursor);
  const where = { step: cursor, last: steps - 1, line: at?.line ?? 0 };
  // A module is called before it has a line.
  if (at?.file === file && at.line === 0) return say("status.pausedBefore", where);
  if (at?.file !== file) return say("status.pausedNowhere", where);
  return say(going ? "status.pausedSoFar" : "status.paused", where);
}

export function sourceModel(scene: Scene): SourceModel {
  const { trace, cursor, file, frame, values } = scene;
  const marks = new Map(scene.breakpoints.map((breakpoint) => [breakpoint.line, gutterMark(scene, breakpoint)]));
  if (!hasCursor(scene)) return { marks, line: null, caller: null, note: null, values: new Map() };
  const at = trace!.position(cursor);
  const line = at?.file === file ? at.line : null;
  const chosen = frame === null ? undefined : trace!.stack(cursor).find((each) => each.frame === frame);
  const caller = chosen && chosen.file === file && chosen.line !== line ? chosen.line : null;
  return {
    marks,
    line,
    caller,
    note: lineNote(scene),
    values: values ? lineValues(trace!, cursor, shownFrame(scene)) : new Map(),
  };
}

function gutterMark(
  { trace, recorded, cursor, file, statements }: Scene,
  { line, enabled: on }: BreakpointLine,
): GutterMark {
  if (!trace || !recorded || trace.steps === 0) return { enabled: on, seen: 0, total: 0, recorded: false };
  const hits = hitsOf(trace, file, line, statements);
  return { enabled: on, seen: hits.count(cursor + 1), total: hits.count(trace.steps), recorded: true };
}

/** Values given back and exceptions, where they happen. */
function lineNote({ say, trace, cursor }: Scene): LineNote | null {
  const kind = trace!.kind(cursor);
  const outcome = trace!.outcome(cursor);
  const value = outcome ? trace!.view(outcome.ref, cursor).preview : "";
  if (kind === "return" || kind === "yield")
    return { tone: "value", text: say(kind === "return" ? "note.returns" : "note.yields", { value }) };
  if (kind === "raise" || kind === "unwind")
    return { tone: "error", text: say(kind === "raise" ? "note.raises" : "note.passes", { value }) };
  if (kind === "call" || kind === "resume")
    return { tone: "value", text: say(kind === "call" ? "note.calls" : "note.resumes") };
  return null;
}

/** How the run ended, once the cursor has come to it. */
export function endAtCursor(scene: Scene): TraceEnd | null {
  const end = scene.trace?.end ?? null;
  if (!end || !scene.trace) return null;
  return !scene.recorded || scene.trace.steps === 0 || scene.cursor >= scene.trace.steps - 1 ? end : null;
}

const none: TimelineMarks = { breakpoints: noMarks, output: noMarks, errors: noMarks, files: noMarks };

/** The timeline's marks; the same object while nothing changed, so that the timeline has nothing to draw. */
export class MarkReader {
  #trace: Trace | null = null;
  #marks: Marks | null = null;
  #key = "";
  #last = none;

  read({ trace, recorded, file, breakpoints, statements }: Scene): TimelineMarks {
    if (trace !== this.#trace) {
      this.#trace = trace;
      this.#marks = trace && new Marks(trace);
      this.#key = "";
    }
    const on = breakpoints.filter((each) => each.enabled).map(({ line }) => line);
    const key = trace && recorded ? `${trace.steps} ${on.join(" ")}` : "";
    if (key === this.#key) return this.#last;
    this.#key = key;
    const hits = () => on.map((line) => hitsOf(trace!, file, line, statements));
    this.#last = key ? { ...this.#marks!.read(), breakpoints: new HitMarks(hits(), trace!.steps) } : none;
    return this.#last;
  }
}
