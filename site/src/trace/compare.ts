/**
 * Compares two traces of one job by meaning, as `tracepane compare` does. Ids of strings, objects, frames and codes are given
 * in order of first use, so what is equal has equal ids, and the first event in which an id, a text or a number differs is
 * the first that differs.
 */
import type { TraceEnd } from "../protocol.ts";
import { isWhole } from "./ending.ts";
import { ATTRIBUTES, FILE, OBJECT, SPLICE, STDERR, STDOUT } from "./layout.ts";
import { Evidence, likelyReason, type Reason } from "./reasons.ts";
import type { Tables } from "./tables.ts";
import type { Trace } from "./trace.ts";

/** A source of the job; its text says what a line that differs does. */
export interface Source {
  readonly name: string;
  /** Absent when the source is not UTF-8. */
  readonly text?: string;
}

export type What = "event" | "variable" | "object" | "file" | "text" | "length" | "end";

export interface Divergence {
  /** The first event that differs. */
  readonly step: number;
  readonly what: What;
  /** The known difference of the platforms that it looks like, as `tracepane verify` names it. */
  readonly reason: Reason | null;
}

export interface Comparison {
  /** Null: equal as far as both reach. */
  readonly divergence: Divergence | null;
  /** How many events are equal. */
  readonly compared: number;
}

/** Compares finished traces; one that was cut short is compared up to the shorter end. */
export function compare(left: Trace, right: Trace, sources: readonly Source[] = []): Comparison {
  const whole = wholeTraces(left, right);
  const reach = whole ? Math.max(left.steps, right.steps) : Math.min(before(left), before(right));
  const found = firstDifference(left, right, reach);
  if (found && !(cutOutput(left, right, found.step) && !whole && found.step === reach - 1)) {
    return { divergence: explain(left, right, found, sources), compared: found.step };
  }
  if (whole && !sameEnd(left.end, right.end)) {
    return { divergence: explain(left, right, { step: reach - 1, what: "end" }, sources), compared: reach - 1 };
  }
  return { divergence: null, compared: reach };
}

interface Difference {
  readonly step: number;
  readonly what: What;
}

function firstDifference(left: Trace, right: Trace, reach: number): Difference | null {
  const pair = new Pair(left.tables, right.tables);
  for (let step = 0; step < reach; step++) {
    if (step >= left.steps || step >= right.steps) return { step, what: "length" };
    const what = pair.event(step);
    if (what !== null) return { step, what };
  }
  return null;
}

/** Two traces read side by side. Numbers that are equal need a second look only where they name a text. */
class Pair {
  /** Texts below this id are equal in both. */
  private readonly sameTexts: number;

  constructor(
    private readonly left: Tables,
    private readonly right: Tables,
  ) {
    this.sameTexts = firstText(left, right);
  }

  /** What differs in an event, null when nothing does. */
  event(step: number): What | null {
    const { eventKind, eventFrame, eventLine, eventArg } = this.left.columns;
    const other = this.right.columns;
    const kind = eventKind.at(step);
    const frame = eventFrame.at(step);
    if (kind !== other.eventKind.at(step) || frame !== other.eventFrame.at(step)) return "event";
    if (eventLine.at(step) !== other.eventLine.at(step) || !this.frame(frame)) return "event";
    const changed = this.rows(step);
    if (changed !== null) return changed;
    return this.argument(kind, eventArg.at(step), other.eventArg.at(step));
  }

  private argument(kind: number, left: number, right: number): What | null {
    if (left !== right) return kind === STDOUT || kind === STDERR ? "text" : "event";
    if (kind === STDOUT || kind === STDERR) return this.text(left) ? null : "text";
    if (kind === FILE) return this.file(left) ? null : "file";
    return this.ref(left) ? null : "event";
  }

  private frame(frame: number): boolean {
    if (frame < 0) return true;
    const [left, right] = [this.left.columns, this.right.columns];
    const code = left.frameCode.at(frame);
    return (
      code === right.frameCode.at(frame) &&
      left.frameGlobals.at(frame) === right.frameGlobals.at(frame) &&
      left.codeFirst.at(code) === right.codeFirst.at(code) &&
      left.codeKind.at(code) === right.codeKind.at(code) &&
      this.textIn("codeFile", code) &&
      this.textIn("codeName", code)
    );
  }

  private rows(step: number): What | null {
    const first = step === 0 ? 0 : this.left.rowEnd.at(step - 1);
    const end = this.left.rowEnd.at(step);
    if (end !== this.right.rowEnd.at(step)) return "variable";
    for (let row = first; row < end; row++) {
      const what = this.row(row);
      if (what !== null) return what;
    }
    return null;
  }

  private row(row: number): What | null {
    const [left, right] = [this.left.columns, this.right.columns];
    const target = left.rowTarget.at(row);
    const value = left.rowValue.at(row);
    const object = (target & 3) === OBJECT;
    if (target !== right.rowTarget.at(row) || value !== right.rowValue.at(row)) return object ? "object" : "variable";
    if (object) return this.version(value) ? null : "object";
    return this.text(target >> 2) && this.ref(value) ? null : "variable";
  }

  private version(version: number): boolean {
    const [left, right] = [this.left, this.right];
    const shape = left.columns.versionShape.at(version);
    if (shape !== right.columns.versionShape.at(version) || !this.textIn("versionType", version)) return false;
    if (left.columns.versionLength.at(version) !== right.columns.versionLength.at(version)) return false;
    if (left.columns.versionForm.at(version) !== right.columns.versionForm.at(version)) return false;
    const [one, other] = [left.objects.written(version), right.objects.written(version)];
    if (one.length !== other.length || !one.every((slot, at) => slot === other[at])) return false;
    // What stands at the head of a splice, or of a version with attributes, counts and names no text.
    const head = left.columns.versionForm.at(version) === SPLICE ? 2 : shape & ATTRIBUTES ? 1 : 0;
    return one.every((slot, at) => at < head || slot <= this.sameTexts || this.ref(slot));
  }

  private file(change: number): boolean {
    const [left, right] = [this.left, this.right];
    const numbers = ["fileChange", "fileSize", "filePrefix", "fileSuffix", "fileCount"] as const;
    if (numbers.some((name) => left.columns[name].at(change) !== right.columns[name].at(change))) return false;
    const [one, other] = [left.files.written(change), right.files.written(change)];
    return this.textIn("filePath", change) && one.every((byte, at) => byte === other[at]);
  }

  private textIn(column: "codeFile" | "codeName" | "versionType" | "filePath", index: number): boolean {
    const id = this.left.columns[column].at(index);
    return id === this.right.columns[column].at(index) && this.text(id);
  }

  private ref(ref: number): boolean {
    return ref <= 0 || this.text(ref - 1);
  }

  private text(id: number): boolean {
    if (id < this.sameTexts) return true;
    const [left, right] = [this.left.strings, this.right.strings];
    if (id >= left.length || id >= right.length) return id >= left.length && id >= right.length;
    return left.text(id) === right.text(id);
  }
}

/** The id of the first text that is not the same in both, or not told in the same way. */
function firstText(left: Tables, right: Tables): number {
  const count = Math.min(left.strings.length, right.strings.length, firstShare(left, right));
  const [a, b] = [left.columns, right.columns];
  let place = 0;
  for (let id = 0; id < count; id++) {
    const length = a.stringLength.at(id);
    if (length !== b.stringLength.at(id)) return id;
    for (const end = place + length; place < end; place++)
      if (a.stringBytes.at(place) !== b.stringBytes.at(place)) return id;
  }
  return count;
}

/** The id of the first text that shares something else in one than in the other. */
function firstShare(left: Tables, right: Tables): number {
  const names = ["shareString", "shareOther", "shareKept", "shareTail"] as const;
  const [a, b] = [left.columns, right.columns];
  const string = ({ shareString }: typeof a, share: number) =>
    share < shareString.length ? shareString.at(share) : Number.POSITIVE_INFINITY;
  const count = Math.min(a.shareString.length, b.shareString.length);
  let share = 0;
  while (share < count && names.every((name) => a[name].at(share) === b[name].at(share))) share++;
  return Math.min(string(a, share), string(b, share));
}

function wholeTraces(left: Trace, right: Trace): boolean {
  return left.end !== null && right.end !== null && isWhole(left.end) && isWhole(right.end);
}

/** How many events of a trace are compared when one of two was cut short: the end of such a one is not the program's. */
function before(trace: Trace): number {
  return trace.end !== null && isWhole(trace.end) ? trace.steps : trace.steps - 1;
}

/** Whether both have output at a step, one the start of the other: the shorter run did not finish it. */
function cutOutput(left: Trace, right: Trace, step: number): boolean {
  if (step >= left.steps || step >= right.steps) return false;
  const [kind, text] = [left.code(step), outputAt(left, step)];
  const other = outputAt(right, step);
  return (
    kind === right.code(step) && text !== null && other !== null && (text.startsWith(other) || other.startsWith(text))
  );
}

function outputAt(trace: Trace, step: number): string | null {
  return trace.kind(step) === "output" ? trace.outputPiece(trace.outputCount(step) - 1).text : null;
}

function sameEnd(left: TraceEnd | null, right: TraceEnd | null): boolean {
  const identity = (end: TraceEnd | null) => {
    const { digest: _digest, wall: _wall, steps: _steps, ...rest } = (end ?? {}) as Partial<TraceEnd>;
    return stable(rest);
  };
  return identity(left) === identity(right);
}

/** JSON with sorted keys. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function explain(left: Trace, right: Trace, { step, what }: Difference, sources: readonly Source[]): Divergence {
  return { step, what, reason: likelyReason(new Evidence(left, right, step, sources)) };
}
