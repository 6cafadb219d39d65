import { Calls } from "./calls.ts";
import { Codes } from "./codes.ts";
import { type Chunk, type Columns, emptyColumns, extendColumns, Ints, type Pager } from "./columns.ts";
import { insist } from "./error.ts";
import { Files } from "./files.ts";
import { Histories } from "./histories.ts";
import * as layout from "./layout.ts";
import { Lines } from "./lines.ts";
import { Objects } from "./objects.ts";
import { Output } from "./output.ts";
import { PartIndexes } from "./part-index.ts";
import { Slots } from "./slots.ts";
import { Strings } from "./strings.ts";

/** The columns of a trace with the indexes that answer questions about them. Everything that comes in is checked here. */
export class Tables {
  readonly columns: Columns;
  readonly strings: Strings;
  readonly objects: Objects;
  readonly calls: Calls;
  readonly locals: Slots;
  readonly closures: Slots;
  readonly globals: Slots;
  readonly output: Output;
  readonly files: Files;
  readonly codes: Codes;
  readonly lines: Lines;
  readonly parts: PartIndexes;
  /** For each event the index after its last row. */
  readonly rowEnd: Ints;
  /** The steps of each frame's events; the list's number is the frame's. */
  readonly frameSteps: Histories;
  private namespaces = 0;

  constructor(pager: Pager) {
    this.columns = emptyColumns(pager);
    this.strings = new Strings(this.columns, pager);
    this.objects = new Objects(this.columns, this.strings, pager);
    this.calls = new Calls(this.columns, pager);
    this.locals = new Slots(pager);
    this.closures = new Slots(pager);
    this.globals = new Slots(pager);
    this.output = new Output(this.columns, this.strings, pager);
    this.files = new Files(this.columns, this.strings, pager);
    this.codes = new Codes(this.columns, this.strings);
    this.parts = new PartIndexes(this, pager);
    this.lines = new Lines(this.columns, this.codes, pager);
    this.rowEnd = new Ints(pager);
    this.frameSteps = new Histories(pager);
  }

  /** Takes a chunk in. Throws a TraceError at the first thing that cannot be; what came before it stays usable. */
  add(chunk: Chunk): void {
    extendColumns(this.columns, chunk);
    this.strings.grow();
    this.codes.grow();
    this.growFrames();
    this.objects.grow();
    this.files.grow();
    for (let step = this.rowEnd.length; step < this.columns.eventKind.length; step++) this.addEvent(step);
    const rows = this.rowEnd.length === 0 ? 0 : this.rowEnd.at(this.rowEnd.length - 1);
    insist(rows === this.columns.rowTarget.length, "rows follow the last event");
    for (const object of this.objects.busy) this.parts.grow(object);
    this.objects.busy.clear();
  }

  /** Gives back the room that was made for more: up to half of all, when no more will come. */
  trim(): void {
    for (const [name] of layout.COLUMNS) this.columns[name].trim();
    const { rowEnd, frameSteps, lines, calls, locals, closures, globals, objects } = this;
    for (const part of [rowEnd, frameSteps, lines, calls, locals, closures, globals, objects]) part.trim();
  }

  private growFrames(): void {
    const { frameCode, frameGlobals } = this.columns;
    for (let frame = this.frameSteps.length; frame < frameCode.length; frame++) {
      const [code, globals] = [frameCode.at(frame), frameGlobals.at(frame)];
      insist(code >= 0 && code < this.codes.length, () => `frame ${frame} has code ${code} of ${this.codes.length}`);
      insist(
        globals >= 0 && globals <= this.namespaces,
        () => `frame ${frame} has namespace ${globals} of ${this.namespaces}`,
      );
      this.namespaces = Math.max(this.namespaces, globals + 1);
      this.frameSteps.create();
    }
  }

  private addEvent(step: number): void {
    const { eventKind, eventFrame, eventLine, eventRows, frameCode, rowTarget } = this.columns;
    const kind = eventKind.at(step);
    const frame = eventFrame.at(step);
    const first = step === 0 ? 0 : this.rowEnd.at(step - 1);
    const count = eventRows.at(step);
    insist(kind <= layout.END, () => `event ${step} is of kind ${kind}`);
    insist(frame >= -1 && frame < frameCode.length, () => `event ${step} names frame ${frame} of ${frameCode.length}`);
    insist(eventLine.at(step) >= 0, () => `event ${step} is at line ${eventLine.at(step)}`);
    insist(count >= 0 && count <= rowTarget.length - first, () => `event ${step} has no room for its ${count} rows`);
    this.calls.add(step);
    this.addRows(frame, first, first + count);
    this.addArgument(step, kind);
    if (frame >= 0) this.frameSteps.add(frame, step);
    if (kind === layout.LINE) this.lines.add(step, frame);
    else this.lines.skip();
    this.rowEnd.push(first + count);
  }

  private addRows(frame: number, first: number, end: number): void {
    const { rowTarget, rowValue } = this.columns;
    for (let row = first; row < end; row++) {
      const target = rowTarget.at(row);
      insist(target >= 0, () => `row ${row} has target ${target}`);
      this.addRow(frame, row, target >> 2, target & 3, rowValue.at(row));
    }
    // Objects may hold each other, so what a row holds is looked at when all rows of the event are in.
    for (let row = first; row < end; row++) {
      if ((rowTarget.at(row) & 3) === layout.OBJECT) this.objects.checkHeld(rowValue.at(row));
      else this.objects.checkRef(rowValue.at(row));
    }
  }

  private addRow(frame: number, row: number, id: number, space: number, value: number): void {
    if (space === layout.OBJECT) {
      this.objects.addRow(row, id, value);
      return;
    }
    insist(frame >= 0, () => `row ${row} sets a variable of no frame`);
    this.strings.checkId(id, `row ${row}`);
    if (space === layout.GLOBAL) this.globals.add(this.columns.frameGlobals.at(frame), id, row);
    else (space === layout.LOCAL ? this.locals : this.closures).add(frame, id, row);
  }

  private addArgument(step: number, kind: number): void {
    const argument = this.columns.eventArg.at(step);
    if (kind === layout.STDOUT || kind === layout.STDERR) {
      this.strings.checkId(argument, `output at step ${step}`);
      this.output.add(step);
    } else if (kind === layout.FILE) this.files.add(step, argument);
    else if (kind === layout.CALL || kind === layout.LINE || kind === layout.END) {
      insist(argument === 0, () => `event ${step} has argument ${argument}`);
    } else {
      insist(argument !== 0 || kind === layout.RESUME || kind === layout.UNWIND, () => `event ${step} has no value`);
      this.objects.checkRef(argument);
    }
  }
}
