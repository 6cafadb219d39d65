import { Calls } from "./calls.ts";
import { type Chunk, emptyColumns, extendColumns, Ints } from "./columns.ts";
import { insist } from "./error.ts";
import { Files } from "./files.ts";
import { Histories } from "./histories.ts";
import * as layout from "./layout.ts";
import { Objects } from "./objects.ts";
import { Output } from "./output.ts";
import { Slots } from "./slots.ts";
import { Strings } from "./strings.ts";

/** The columns of a trace with the indexes that answer questions about them. Everything that comes in is checked here. */
export class Tables {
  readonly columns = emptyColumns();
  readonly strings = new Strings(this.columns);
  readonly objects = new Objects(this.columns, this.strings);
  readonly calls = new Calls(this.columns);
  readonly locals = new Slots();
  readonly closures = new Slots();
  readonly globals = new Slots();
  readonly output = new Output(this.columns, this.strings);
  readonly files = new Files(this.columns, this.strings);
  /** For each event the index after its last row. */
  readonly rowEnd = new Ints();
  /** For each line event the step of the line event before it in the same frame, −1 if it is the first; 0 for others. */
  readonly lineBefore = new Ints();
  /** The steps of each frame's events; the list's number is the frame's. */
  readonly frameSteps = new Histories();
  /** The steps of the line events of each (file, line). */
  readonly lineSteps = new Histories();
  /** Names of the files that have line events, with their string ids. */
  readonly fileIds = new Map<string, number>();
  /** For each code its file and its name: asked for at every event, and there are few. */
  readonly codeFiles: string[] = [];
  readonly codeNames: string[] = [];
  private readonly lineLists = new Map<number, Map<number, number>>();
  private readonly frameLine = new Ints();
  private namespaces = 0;
  private codes = 0;

  /** Takes a chunk in. Throws a TraceError at the first thing that cannot be; what came before it stays usable. */
  add(chunk: Chunk): void {
    extendColumns(this.columns, chunk);
    this.strings.grow();
    this.growCodes();
    this.growFrames();
    this.objects.grow();
    this.files.grow();
    for (let step = this.rowEnd.length; step < this.columns.eventKind.length; step++) this.addEvent(step);
    const rows = this.rowEnd.length === 0 ? 0 : this.rowEnd.at(this.rowEnd.length - 1);
    insist(rows === this.columns.rowTarget.length, "rows follow the last event");
  }

  /** Gives back the room that was made for more: up to half of all, when no more will come. */
  trim(): void {
    for (const [name] of layout.COLUMNS) this.columns[name].trim();
    const { rowEnd, lineBefore, frameSteps, lineSteps, calls, locals, closures, globals, objects, frameLine } = this;
    for (const part of [
      rowEnd,
      lineBefore,
      frameSteps,
      lineSteps,
      calls,
      locals,
      closures,
      globals,
      objects,
      frameLine,
    ])
      part.trim();
  }

  /** The list of the line events of a place, −1 when there are none. */
  lineList(file: number, line: number): number {
    return this.lineLists.get(file)?.get(line) ?? -1;
  }

  private growCodes(): void {
    const { codeFile, codeName, codeFirst, codeKind } = this.columns;
    for (let code = this.codes; code < codeFile.length; code++) {
      this.strings.checkId(codeFile.at(code), `code ${code}`);
      this.strings.checkId(codeName.at(code), `code ${code}`);
      insist(codeFirst.at(code) >= 0, () => `code ${code} starts at line ${codeFirst.at(code)}`);
      this.codeFiles.push(this.strings.text(codeFile.at(code)));
      this.codeNames.push(this.strings.text(codeName.at(code)));
      insist(codeKind.at(code) <= layout.LAST_CODE_KIND, () => `code ${code} is of kind ${codeKind.at(code)}`);
    }
    this.codes = codeFile.length;
  }

  private growFrames(): void {
    const { frameCode, frameGlobals } = this.columns;
    for (let frame = this.frameSteps.length; frame < frameCode.length; frame++) {
      const [code, globals] = [frameCode.at(frame), frameGlobals.at(frame)];
      insist(code >= 0 && code < this.codes, () => `frame ${frame} has code ${code} of ${this.codes}`);
      insist(
        globals >= 0 && globals <= this.namespaces,
        () => `frame ${frame} has namespace ${globals} of ${this.namespaces}`,
      );
      this.namespaces = Math.max(this.namespaces, globals + 1);
      this.frameSteps.create();
      this.frameLine.push(-1);
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
    this.lineBefore.push(kind === layout.LINE ? this.addLine(step, frame) : 0);
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

  private addLine(step: number, frame: number): number {
    const line = this.columns.eventLine.at(step);
    const file = this.columns.codeFile.at(this.columns.frameCode.at(frame));
    const lines = this.lineLists.get(file) ?? this.addFile(file);
    const list = lines.get(line) ?? this.lineSteps.create();
    lines.set(line, list);
    this.lineSteps.add(list, step);
    const before = this.frameLine.at(frame);
    this.frameLine.set(frame, step);
    return before;
  }

  private addFile(file: number): Map<number, number> {
    const lines = new Map<number, number>();
    this.lineLists.set(file, lines);
    this.fileIds.set(this.strings.text(file), file);
    return lines;
  }
}
