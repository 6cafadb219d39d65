import { Bytes, type Columns, Ints, type Pager } from "./columns.ts";
import { insist } from "./error.ts";
import { CALL, END, FILE, FIRST_SUSPENDING, LINE, RESUME, RETURN, STDERR, STDOUT, UNWIND, YIELD } from "./layout.ts";

const ACTIVE = 1;
const SUSPENDED = 2;
const FINISHED = 3;

/**
 * Who called whom. A *segment* is a stay of a frame on the stack: from its call or a resume to the return, yield or unwind
 * that pops it. A segment knows the one below it, so the stack at a step is a walk along parents.
 */
export class Calls {
  readonly segmentFrame: Ints;
  /** The segment that it lies on, −1 for the outermost. */
  readonly segmentParent: Ints;
  readonly segmentDepth: Ints;
  /** Step of the event that pushed it. */
  readonly segmentStart: Ints;
  /** Step of the event that popped it, −1 while it is on the stack. */
  readonly segmentEnd: Ints;
  /** For each event the segment on top of the stack, −1 when there is none. */
  readonly eventSegment: Ints;
  private readonly frameState: Bytes;
  private top = -1;
  private ended = false;

  constructor(
    private readonly columns: Columns,
    pager?: Pager,
  ) {
    this.segmentFrame = new Ints(pager);
    this.segmentParent = new Ints(pager);
    this.segmentDepth = new Ints(pager);
    this.segmentStart = new Ints(pager);
    this.segmentEnd = new Ints(pager);
    this.eventSegment = new Ints(pager);
    this.frameState = new Bytes(pager);
  }

  /** Takes event `step` in, and refuses one that cannot stand here. */
  add(step: number): void {
    const kind = this.columns.eventKind.at(step);
    const frame = this.columns.eventFrame.at(step);
    insist(!this.ended, () => `event ${step} follows the end`);
    if (kind === CALL || kind === RESUME) this.push(step, kind, frame);
    else this.checkTop(step, kind, frame);
    this.eventSegment.push(this.top);
    if (kind === RETURN || kind === YIELD || kind === UNWIND) this.pop(step, kind, frame);
    if (kind === END) this.ended = true;
  }

  trim(): void {
    const { segmentFrame, segmentParent, segmentDepth, segmentStart, segmentEnd, eventSegment } = this;
    for (const column of [segmentFrame, segmentParent, segmentDepth, segmentStart, segmentEnd, eventSegment])
      column.trim();
  }

  private push(step: number, kind: number, frame: number): void {
    if (kind === CALL) {
      insist(frame === this.frameState.length, () => `call at step ${step} opens frame ${frame}, not the next one`);
      this.frameState.push(ACTIVE);
    } else {
      insist(
        this.frameState.at(frame) === SUSPENDED && frame < this.frameState.length,
        () => `step ${step} resumes frame ${frame}, which is not suspended`,
      );
      this.frameState.set(frame, ACTIVE);
    }
    this.segmentFrame.push(frame);
    this.segmentParent.push(this.top);
    this.segmentDepth.push(this.top < 0 ? 1 : this.segmentDepth.at(this.top) + 1);
    this.segmentStart.push(step);
    this.top = this.segmentEnd.push(-1);
  }

  private checkTop(step: number, kind: number, frame: number): void {
    if (kind === END) {
      insist(frame === -1, () => `the end at step ${step} names frame ${frame}`);
      return;
    }
    const top = this.top < 0 ? -1 : this.segmentFrame.at(this.top);
    insist(frame === top, () => `event ${step} belongs to frame ${frame}, the stack's top is frame ${top}`);
    const frameless = kind === STDOUT || kind === STDERR || kind === FILE;
    insist(frame >= 0 || frameless, () => `event ${step} needs a frame`);
    if (kind === LINE) insist(this.columns.eventLine.at(step) > 0, () => `line event ${step} has no line`);
  }

  private pop(step: number, kind: number, frame: number): void {
    const code = this.columns.codeKind.at(this.columns.frameCode.at(frame));
    insist(kind !== YIELD || code >= FIRST_SUSPENDING, () => `step ${step} yields from a frame that cannot`);
    this.frameState.set(frame, kind === YIELD ? SUSPENDED : FINISHED);
    this.segmentEnd.set(this.top, step);
    this.top = this.segmentParent.at(this.top);
  }
}
