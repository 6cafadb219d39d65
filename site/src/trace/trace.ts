import type { TraceEnd, TraceHeader } from "../protocol.ts";
import type { Activation, Outcome, Position, StackFrame, Written } from "./answers.ts";
import { type Chunk, decodeChunk } from "./chunk.ts";
import { checkHeader, readContainer } from "./container.ts";
import { checkDigest } from "./digest.ts";
import { isWhole } from "./ending.ts";
import { insist, TraceError } from "./error.ts";
import { type Expanded, expand } from "./expanded.ts";
import type { FileState } from "./files.ts";
import * as layout from "./layout.ts";
import type { OutputPiece, Stream } from "./output.ts";
import { Paging } from "./paging.ts";
import { Tables } from "./tables.ts";
import { type Scope, type Variable, Variables } from "./variables.ts";
import { type ValueView, viewOf } from "./view.ts";
import { NO_ROWS, Writes } from "./writes.ts";

export type { Activation, Outcome, Position, StackFrame, Written } from "./answers.ts";
export { TraceError } from "./error.ts";
export type { Expanded } from "./expanded.ts";
export type { FileChange, FileState } from "./files.ts";
export type { EventKind } from "./layout.ts";
export type { OutputPiece, Stream } from "./output.ts";
export type { Scope, Variable } from "./variables.ts";
export type { ShapeName, ValueView } from "./view.ts";

/**
 * The events and values of one run. It only grows: `append` adds chunks while the run goes on, `finish` closes it. Every
 * question is about a step; steps beyond the last give a RangeError. Nothing is made for an event that nobody asks about.
 */
export class Trace {
  /** What the questions are answered from; for the other files of this folder. */
  readonly tables: Tables;
  private readonly variablesOf: Variables;
  private known = 0;
  private closing: TraceEnd | null = null;
  private damage: TraceError | null = null;

  /** `pager` says how much of it stays unfolded in memory. */
  constructor(
    readonly header: TraceHeader,
    private readonly pager = new Paging(),
  ) {
    checkHeader(header);
    this.tables = new Tables(pager);
    this.variablesOf = new Variables(this.tables);
  }

  /** Reads a whole trace file. */
  static async parse(file: Uint8Array): Promise<Trace> {
    const { header, chunks, end } = await readContainer(file);
    const trace = new Trace(header);
    for await (const chunk of chunks()) trace.take(() => chunk);
    trace.finish(end);
    return await checkDigest(trace, end);
  }

  /** How many events have arrived. */
  get steps(): number {
    return this.known;
  }

  /** Bytes of memory that it takes. */
  get held(): number {
    return this.pager.held;
  }

  /** How the run ended; null while it goes on. */
  get end(): TraceEnd | null {
    return this.closing;
  }

  /** Takes in the raw bytes of the next chunk. After a TraceError the steps before that chunk stay readable, and no more are taken. */
  append(chunk: Uint8Array): void {
    this.take(() => decodeChunk(chunk));
  }

  private take(chunk: () => Chunk): void {
    if (this.damage) throw this.damage;
    insist(this.closing === null, "a chunk follows the end of the trace");
    try {
      this.tables.add(chunk());
      this.known = this.tables.rowEnd.length;
    } catch (error) {
      this.damage = error instanceof TraceError ? error : new TraceError(String(error));
      throw this.damage;
    }
  }

  /**
   * Closes the trace. Who stops or loses an interpreter cannot know how many steps it had sent, so the count of such an
   * end is not held against the trace.
   */
  finish(end: TraceEnd): void {
    const whole = isWhole(end);
    insist(!whole || end.steps === this.known, () => `the trace ends with ${end.steps} steps, ${this.known} have come`);
    this.tables.trim();
    this.closing = whole ? end : { ...end, steps: this.known };
  }

  kind(step: number): layout.EventKind {
    return layout.KINDS[this.code(step)] as layout.EventKind;
  }

  /** The number of the event's kind, as `layout.ts` names them. */
  code(step: number): number {
    return this.tables.columns.eventKind.at(this.check(step));
  }

  /** The frame of the event, −1 when no traced frame was on the stack. */
  frame(step: number): number {
    return this.tables.columns.eventFrame.at(this.check(step));
  }

  /** 0 when the event has no line. */
  line(step: number): number {
    return this.tables.columns.eventLine.at(this.check(step));
  }

  /** The source's name in the job; null without a frame. */
  file(step: number): string | null {
    const frame = this.frame(step);
    return frame < 0 ? null : this.frameFile(frame);
  }

  depth(step: number): number {
    const segment = this.segment(step);
    return segment < 0 ? 0 : this.tables.calls.segmentDepth.at(segment);
  }

  position(step: number): Position | null {
    const frame = this.frame(step);
    return frame < 0 ? null : this.place(frame, this.line(step), this.depth(step));
  }

  /** The frames on the stack, innermost first. At the end of a run that was cut short: those that were still there. */
  stack(step: number): StackFrame[] {
    const { segmentFrame, segmentParent, segmentDepth, segmentStart } = this.tables.calls;
    const frames: StackFrame[] = [];
    let limit = step + 1;
    for (let segment = this.segment(step); segment >= 0; segment = segmentParent.at(segment)) {
      const frame = segmentFrame.at(segment);
      const last = this.lookBefore(frame, limit);
      const place = this.place(frame, this.tables.columns.eventLine.at(last), segmentDepth.at(segment));
      frames.push({ frame, step: last, ...place });
      limit = segmentStart.at(segment);
    }
    return frames;
  }

  /**
   * The frame whose variables a reader wants at a step: the event's, or without one the innermost that is still on the
   * stack, or at the end of the run the one that left last. −1 when there never was any.
   */
  shownFrame(step: number): number {
    const frame = this.frame(step);
    if (frame >= 0) return frame;
    const segment = this.segment(step);
    if (segment >= 0) return this.tables.calls.segmentFrame.at(segment);
    const last = step > 0 && this.code(step) === layout.END ? this.previousWithFrame(step) : -1;
    return last < 0 ? -1 : this.frame(last);
  }

  /**
   * Variables of a frame (of `shownFrame` when none is given): locals as of the frame's last event, what is shared with
   * others (cells, globals, objects) as of `step`; changed is what differs from the frame's event before that one. A frame
   * that was not called by then has none.
   */
  variables(step: number, frame = this.shownFrame(step)): Variable[] {
    this.check(step);
    if (frame < 0 || !this.wasCalled(frame, step)) return [];
    return this.variablesOf.at(frame, this.momentBefore(frame, step), this.moment(step));
  }

  /** Names that the frame's event before still had and that are gone at `step`. */
  removed(step: number, frame = this.shownFrame(step)): { scope: Scope; name: string }[] {
    const now = this.moment(step);
    return frame < 0 ? [] : this.variablesOf.gone(frame, this.momentBefore(frame, step), now);
  }

  /** Whether a value, or anything reached from it, is another at `step` than it was at the step `before`. */
  changedSince(ref: number, before: number, step: number): boolean {
    return this.variablesOf.differs(ref, this.moment(before), this.moment(step));
  }

  /** One level of a value, as it was at `step`. */
  view(ref: number, step: number): ValueView {
    return viewOf(this.tables, this.checkRef(ref, step), this.moment(step));
  }

  /** The whole value in the form of the expanded JSON. */
  expanded(ref: number, step: number): Expanded {
    return expand(this.tables, this.checkRef(ref, step), this.moment(step));
  }

  outcome(step: number): Outcome | null {
    const kind = this.kind(step);
    const ref = this.tables.columns.eventArg.at(step);
    const gives = kind === "return" || kind === "yield" || kind === "raise" || kind === "unwind" || kind === "resume";
    return gives && ref !== 0 ? { kind, ref } : null;
  }

  /** How many pieces of output there were up to and including `step`. */
  outputCount(step: number): number {
    return this.tables.output.count(this.check(step));
  }

  outputPiece(index: number): OutputPiece {
    const count = this.known === 0 ? 0 : this.outputCount(this.known - 1);
    insist(index >= 0 && index < count, () => `there is no piece of output ${index}`);
    return this.tables.output.piece(index);
  }

  /** The last piece of a stream up to and including `step`, null when there is none. */
  outputBefore(step: number, stream: Stream | "all"): OutputPiece | null {
    const index = this.tables.output.before(this.outputCount(step), stream);
    return index < 0 ? null : this.tables.output.piece(index);
  }

  /** The next piece of a stream after `step`, null when there is none so far. */
  outputAfter(step: number, stream: Stream | "all"): OutputPiece | null {
    const index = this.tables.output.from(step < 0 ? 0 : this.outputCount(step), stream);
    return index < 0 || this.bounded(this.tables.output.piece(index).step) < 0 ? null : this.tables.output.piece(index);
  }

  outputText(step: number, stream: Stream | "all" = "all"): string {
    return this.tables.output.text(this.check(step), stream);
  }

  /** The files that the program touched up to and including `step`. */
  files(step: number): FileState[] {
    return this.tables.files.states(this.check(step));
  }

  /** What a file event did; null at other events. */
  fileChange(step: number): FileState | null {
    return this.code(step) === layout.FILE ? this.tables.files.state(this.tables.columns.eventArg.at(step)) : null;
  }

  fileContent(path: string, step: number): Uint8Array | null {
    return this.tables.files.content(path, this.check(step));
  }

  /** All states that a file had up to and including `step`, oldest first. */
  fileHistory(path: string, step: number): FileState[] {
    return this.tables.files.history(path, this.check(step));
  }

  /** The steps of the line events of a place that have arrived so far. */
  stepsAt(file: string, line: number): Int32Array {
    return this.tables.lines.steps(file, line, this.known);
  }

  /** How many line events of the place come before `step`. */
  countAt(file: string, line: number, step = this.known): number {
    return this.tables.lines.count(file, line, Math.min(step, this.known));
  }

  /** The step of the line event before this one in the same frame, −1 if it is the frame's first. Of line events only. */
  lineBefore(step: number): number {
    return this.tables.lines.before.at(this.check(step));
  }

  /** The next event of a frame at or after `step`, −1 if none has arrived. */
  nextIn(frame: number, step: number): number {
    return this.bounded(this.tables.frameSteps.from(frame, step));
  }

  /** The last event of a frame before `step`, −1 if there is none. */
  previousIn(frame: number, step: number): number {
    return this.tables.frameSteps.before(frame, step);
  }

  /** The stay on the stack that a step belongs to; null without a frame. */
  activation(step: number): Activation | null {
    const segment = this.segment(step);
    if (segment < 0) return null;
    const { segmentFrame, segmentParent, segmentStart, segmentEnd } = this.tables.calls;
    const below = segmentParent.at(segment);
    return {
      frame: segmentFrame.at(segment),
      parent: below < 0 ? -1 : segmentFrame.at(below),
      start: segmentStart.at(segment),
      end: this.bounded(segmentEnd.at(segment)),
    };
  }

  /** The values that a variable took up to and including `step`. Of a shared one, those of its cell. */
  writes(scope: Scope, name: string, step: number, frame = this.shownFrame(step)): Writes<Written> {
    const called = frame >= 0 && this.wasCalled(frame, step);
    const rows = called ? this.variablesOf.rows(frame, scope, name, this.moment(step)) : NO_ROWS;
    return new Writes(rows, (row) => ({ step: this.stepOfRow(row), ref: this.variablesOf.written(row) }));
  }

  /** The step that gave a variable the value it has at `step`, −1 when it has none. */
  writtenAt(scope: Scope, name: string, step: number, frame = this.shownFrame(step)): number {
    if (frame < 0 || !this.wasCalled(frame, step)) return -1;
    const row = this.variablesOf.lastRow(frame, scope, name, this.moment(step));
    return row < 0 ? -1 : this.stepOfRow(row);
  }

  /** The steps up to and including `step` at which an object took a new version, oldest first. */
  objectWrites(id: number, step: number): Writes<number> {
    return new Writes(this.tables.objects.history(id, this.moment(step)), (row) => this.stepOfRow(row));
  }

  /** The step at which an object took the contents that it has at `step`, −1 if it was not seen by then. */
  objectWrittenAt(id: number, step: number): number {
    const row = this.tables.objects.row(id, this.moment(step));
    return row < 0 ? -1 : this.stepOfRow(row);
  }

  frameFile(frame: number): string {
    return this.tables.codes.files[this.codeOf(frame)] as string;
  }

  frameFunction(frame: number): string {
    return this.tables.codes.names[this.codeOf(frame)] as string;
  }

  /** Whether the frame suspends for others to run and not to give a value. */
  isCoroutine(frame: number): boolean {
    return this.tables.columns.codeKind.at(this.codeOf(frame)) === layout.COROUTINE_CODE;
  }

  /** Whether the frame is that of a generator expression: no function that anyone wrote, but a part of a statement. */
  isExpression(frame: number): boolean {
    return this.tables.codes.expressions[this.codeOf(frame)] as boolean;
  }

  private place(frame: number, line: number, depth: number): Position {
    return { file: this.frameFile(frame), line, function: this.frameFunction(frame), depth };
  }

  private codeOf(frame: number): number {
    insist(frame >= 0 && frame < this.tables.columns.frameCode.length, () => `there is no frame ${frame}`);
    return this.tables.columns.frameCode.at(frame);
  }

  private segment(step: number): number {
    return this.tables.calls.eventSegment.at(this.check(step));
  }

  /** The number of rows that hold at a step. */
  moment(step: number): number {
    return this.tables.rowEnd.at(this.check(step));
  }

  /**
   * The moment with which a step is compared: that of the frame's event before its last one. Only events count at which the
   * recorder looked; output and files are noted without a look. Of a frame's first event, the event before in any frame.
   */
  private momentBefore(frame: number, step: number): number {
    const last = this.lookBefore(frame, step + 1);
    const before = this.lookBefore(frame, last);
    if (before >= 0) return this.moment(before);
    return last > 0 ? this.moment(last - 1) : 0;
  }

  /** The last event of a frame before `step` at which the recorder looked at its variables. */
  private lookBefore(frame: number, step: number): number {
    let before = this.previousIn(frame, step);
    while (before >= 0 && this.tables.columns.eventKind.at(before) >= layout.STDOUT)
      before = this.previousIn(frame, before);
    return before;
  }

  private wasCalled(frame: number, step: number): boolean {
    return frame < this.tables.frameSteps.length && this.tables.frameSteps.before(frame, step + 1) >= 0;
  }

  private previousWithFrame(step: number): number {
    let at = step - 1;
    while (at >= 0 && this.frame(at) < 0) at--;
    return at;
  }

  stepOfRow(row: number): number {
    return this.tables.rowEnd.above(row);
  }

  /** −1 for a step that was indexed with a chunk that turned out to be damaged. */
  private bounded(step: number): number {
    return step < this.known ? step : -1;
  }

  private check(step: number): number {
    if (!Number.isInteger(step) || step < 0 || step >= this.known) {
      throw new RangeError(`there is no step ${step}; the trace has ${this.known}`);
    }
    return step;
  }

  private checkRef(ref: number, step: number): number {
    const known =
      ref > 0 ? ref <= this.tables.strings.length : this.tables.objects.version(-ref, this.moment(step)) >= 0;
    if (ref === 0 || !known) throw new RangeError(`ref ${ref} names no value at step ${step}`);
    return ref;
  }
}
