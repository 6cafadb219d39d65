/**
 * Writes traces for the tests, straight from docs/reference/trace-format.md and without a line of the reader's code. A test
 * says what the program did, event by event; values are looked at anew at every event, as a recorder that compares
 * everything would. What held at each step is kept beside it, so that a test can ask the reader the same.
 */
import { Trace } from "../../site/src/trace/trace.ts";

const TABLES = `event_kind event_frame event_line event_arg event_rows; row_target row_value; frame_code frame_globals;
code_file code_name code_first code_kind;
version_object version_shape version_type version_length version_form version_count; slot;
file_path file_change file_size file_prefix file_suffix file_count; file_bytes;
share_string share_other share_kept share_tail; string_length; string_bytes`
  .split(";")
  .map((table) => table.trim().split(/\s+/));

const KINDS = {
  call: 0,
  resume: 1,
  line: 2,
  return: 3,
  yield: 4,
  raise: 5,
  unwind: 6,
  stdout: 7,
  stderr: 8,
  file: 9,
  end: 10,
};
export type Kind = keyof typeof KINDS;

export const HEADER = {
  format: "tracepane-trace/1",
  features: [],
  job: "0".repeat(64),
  runtime: { implementation: "test" },
};

/** A Python object. Change what it holds between events, and the next event records a version. */
export class Thing {
  id = 0;
  constructor(
    readonly shape: number,
    readonly type: string,
    public items: Value[] = [],
    public attributes?: Record<string, Value>,
    /** A name that stands among its slots, first or last as its shape has it. */
    readonly name?: string,
    public length?: number,
  ) {}
}

/** A number is an int, `null` None; `{atom}` gives the text of any other atom. */
export type Value = number | string | boolean | null | { readonly atom: string } | Thing;

export const list = (...items: Value[]): Thing => new Thing(1, "list", items);
export const tuple = (...items: Value[]): Thing => new Thing(2, "tuple", items);
export const dict = (...entries: [Value, Value][]): Thing => new Thing(6, "dict", entries.flat());
export const instance = (type: string, attributes: Record<string, Value>): Thing => new Thing(7, type, [], attributes);
export const exception = (type: string, ...args: Value[]): Thing => new Thing(8 + 128, type, args, {});
export const cell = (...value: Value[]): Thing => new Thing(9, "cell", value);

export interface Snapshot {
  /** Frames on the stack, innermost first, while the event is looked at. */
  readonly stack: readonly number[];
  readonly locals: ReadonlyMap<number, ReadonlyMap<string, number>>;
  readonly globals: ReadonlyMap<number, ReadonlyMap<string, number>>;
  readonly objects: ReadonlyMap<number, string>;
  readonly output: string;
}

interface Frame {
  readonly id: number;
  readonly globals: number;
  readonly kind: number;
  line: number;
}

export class Recording {
  readonly snapshots: Snapshot[] = [];
  /** Elements of each column that are not flushed yet. */
  readonly columns: Record<string, number[]> = Object.fromEntries(TABLES.flat().map((name) => [name, []]));
  readonly chunks: Uint8Array[] = [];
  steps = 0;
  private readonly strings = new Map<string, number>();
  private readonly codes = new Map<string, number>();
  private frames: Frame[] = [];
  private stack: Frame[] = [];
  private readonly things: Thing[] = [];
  private readonly versions = new Map<
    number,
    { slots: number[]; type: string; shape: number; length: number; spliced: number }
  >();
  private versionCount = 0;
  private fileCount = 0;
  private readonly contents = new Map<string, Uint8Array>();
  private readonly locals = new Map<number, Map<string, number>>();
  private readonly globals = new Map<number, Map<string, number>>();
  private printed = "";

  constructor(
    readonly options: { readonly splice?: boolean; readonly file?: string; readonly snapshots?: boolean } = {},
  ) {}

  string(text: string): number {
    const known = this.strings.get(text);
    if (known !== undefined) return known;
    const bytes = new TextEncoder().encode(text);
    this.put("string_length", bytes.length);
    this.put("string_bytes", ...bytes);
    this.strings.set(text, this.strings.size);
    return this.strings.size - 1;
  }

  ref(value: Value): number {
    if (value instanceof Thing) return this.thing(value);
    return this.string(atomOf(value)) + 1;
  }

  /** Opens a frame. `kind` is the code kind; a module's variables are globals. Returns the frame id. */
  call(name: string, line: number, variables: Variables = {}, kind = name === "<module>" ? 0 : 2, globals = 0): number {
    const frame = { id: this.frames.length, globals, kind, line };
    this.frames.push(frame);
    this.put("frame_code", this.code(name, line, kind));
    this.put("frame_globals", globals);
    this.stack.push(frame);
    this.event("call", line, variables);
    return frame.id;
  }

  resume(id: number, sent?: Value, variables: Variables = {}): void {
    const frame = this.frames[id] as Frame;
    this.stack.push(frame);
    this.event("resume", frame.line, variables, sent === undefined ? 0 : this.ref(sent));
  }

  line(line: number, variables: Variables = {}): number {
    return this.event("line", line, variables);
  }

  lines(...lines: number[]): void {
    for (const line of lines) this.line(line);
  }

  return(value: Value = null, variables: Variables = {}): void {
    this.event("return", this.top.line, variables, this.ref(value));
    this.stack.pop();
  }

  yield(value: Value = null, variables: Variables = {}): void {
    this.event("yield", this.top.line, variables, this.ref(value));
    this.stack.pop();
  }

  raise(error: Value, variables: Variables = {}): void {
    this.event("raise", this.top.line, variables, this.ref(error));
  }

  unwind(error: Value, variables: Variables = {}): void {
    this.event("unwind", this.top.line, variables, this.ref(error));
    this.stack.pop();
  }

  print(text: string, stream: "stdout" | "stderr" = "stdout"): void {
    this.printed += text;
    this.event(stream, this.stack.at(-1)?.line ?? 0, {}, this.string(text));
  }

  write(path: string, content: Uint8Array | string | null): void {
    const before = this.contents.get(path);
    const after = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const [prefix, suffix] = common(before ?? new Uint8Array(), after ?? new Uint8Array());
    const bytes = [...(after ?? [])].slice(prefix, (after?.length ?? 0) - suffix);
    this.put("file_path", this.string(path));
    this.put("file_change", after === null ? 2 : before === undefined ? 0 : 1);
    this.put("file_size", after?.length ?? 0);
    this.put("file_prefix", prefix);
    this.put("file_suffix", suffix);
    this.put("file_count", bytes.length);
    this.put("file_bytes", ...bytes);
    if (after === null) this.contents.delete(path);
    else this.contents.set(path, after);
    this.event("file", this.stack.at(-1)?.line ?? 0, {}, this.fileCount++);
  }

  end(): void {
    this.event("end", 0, {});
  }

  /** Adds an event as it stands, for the forms that no program makes. */
  event(kind: Kind, line: number, variables: Variables, argument = 0): number {
    const frame = kind === "end" ? undefined : this.stack.at(-1);
    if (frame && line > 0) frame.line = line;
    const rows = this.setRows(frame, variables);
    rows.push(...this.versionRows());
    for (const [target, value] of rows) {
      this.put("row_target", target);
      this.put("row_value", value);
    }
    this.put("event_kind", KINDS[kind]);
    this.put("event_frame", frame?.id ?? -1);
    this.put("event_line", line);
    this.put("event_arg", argument);
    this.put("event_rows", rows.length);
    if (this.options.snapshots) this.snapshots.push(this.snapshot());
    return this.steps++;
  }

  /** Cuts a chunk here and gives its bytes. */
  flush(): Uint8Array {
    const chunk = encode(this.columns);
    for (const name of Object.keys(this.columns)) this.columns[name] = [];
    this.chunks.push(chunk);
    return chunk;
  }

  put(column: string, ...values: number[]): void {
    const elements = this.columns[column] as number[];
    for (const value of values) elements.push(value);
  }

  /** A trace of all that was recorded; finished unless `open`. */
  trace({ open = false } = {}): Trace {
    if ((this.columns["event_kind"] as number[]).length > 0) this.flush();
    const trace = new Trace(HEADER);
    for (const chunk of this.chunks) trace.append(chunk);
    if (!open) trace.finish({ status: "finished", steps: this.steps });
    return trace;
  }

  private get top(): Frame {
    return this.stack.at(-1) as Frame;
  }

  private code(name: string, line: number, kind: number): number {
    const key = `${name}:${kind}`;
    const known = this.codes.get(key);
    if (known !== undefined) return known;
    this.put("code_file", this.string(this.options.file ?? "prog.py"));
    this.put("code_name", this.string(name));
    this.put("code_first", line);
    this.put("code_kind", kind);
    this.codes.set(key, this.codes.size);
    return this.codes.size - 1;
  }

  private setRows(frame: Frame | undefined, variables: Variables): [number, number][] {
    if (frame === undefined) return [];
    return Object.entries(variables).map(([key, value]) => {
      const [name, space] = spaceOf(key, frame.kind === 0);
      const ref = value === undefined ? 0 : this.ref(value);
      const owner = space === 1 ? entry(this.globals, frame.globals) : entry(this.locals, frame.id);
      owner.set(name, ref);
      return [this.string(name) * 4 + space, ref];
    });
  }

  private versionRows(): [number, number][] {
    const rows: [number, number][] = [];
    for (const thing of this.things) {
      const version = this.version(thing);
      if (version >= 0) rows.push([thing.id * 4 + 3, version]);
    }
    return rows;
  }

  /** Writes a version of a thing if it differs from the last one; −1 if not. */
  private version(thing: Thing): number {
    const slots = this.slotsOf(thing);
    const length = thing.length ?? (thing.shape === 6 ? thing.items.length / 2 : thing.items.length);
    const last = this.versions.get(thing.id);
    if (last && last.length === length && String(last.slots) === String(slots)) return -1;
    const splice = last && this.options.splice ? spliceOf(last.slots, slots) : undefined;
    const spliced = (last?.spliced ?? 0) + (splice?.length ?? 0);
    const short = splice !== undefined && splice.length < slots.length && spliced < slots.length;
    const written = short ? splice : slots;
    this.versions.set(thing.id, { slots, type: thing.type, shape: thing.shape, length, spliced: short ? spliced : 0 });
    this.put("version_object", thing.id);
    this.put("version_shape", thing.shape);
    this.put("version_type", this.string(thing.type));
    this.put("version_length", length);
    this.put("version_form", short ? 1 : 0);
    this.put("version_count", written.length);
    this.put("slot", ...written);
    return this.versionCount++;
  }

  private slotsOf(thing: Thing): number[] {
    const own = thing.items.map((item) => this.ref(item));
    if (thing.name !== undefined) own.splice(thing.shape === 19 ? 1 : 0, 0, this.string(thing.name) + 1);
    if (thing.shape === 9 && own.length === 0) own.push(0);
    const attributes = Object.entries(thing.attributes ?? {}).flatMap(([name, value]) => [
      this.string(name) + 1,
      this.ref(value),
    ]);
    return thing.shape >= 128 ? [own.length, ...own, ...attributes] : [...own, ...attributes];
  }

  private thing(thing: Thing): number {
    if (thing.id === 0) thing.id = this.things.push(thing);
    return -thing.id;
  }

  private snapshot(): Snapshot {
    const copy = (maps: Map<number, Map<string, number>>) => new Map([...maps].map(([id, map]) => [id, new Map(map)]));
    return {
      stack: this.stack.map((frame) => frame.id).reverse(),
      locals: copy(this.locals),
      globals: copy(this.globals),
      objects: new Map([...this.versions].map(([id, version]) => [id, String(version.slots)])),
      output: this.printed,
    };
  }
}

/** Variables by name; `undefined` unbinds. `g:name` is a global, `c:name` a closure of a function's frame. */
export type Variables = Record<string, Value | undefined>;

/** The bytes of a chunk with these columns. A table has as many rows as its first column has elements. */
export function encode(columns: Readonly<Record<string, readonly number[]>>): Uint8Array {
  const parts = TABLES.flatMap((names, number) => {
    const table = names.map((name) => columns[name] ?? []);
    const rows = (table[0] as readonly number[]).length;
    if (rows === 0) return [];
    const values = Array.from({ length: rows * names.length }, (_, at) => {
      return table[at % names.length]?.[Math.floor(at / names.length)] ?? 0;
    });
    const width = widthOf(values);
    const head = new DataView(new ArrayBuffer(6));
    head.setUint8(0, number);
    head.setUint8(1, width);
    head.setUint32(2, rows, true);
    const bytes =
      width === 1 ? Uint8Array.from(values) : width === 2 ? Uint16Array.from(values) : Int32Array.from(values);
    return [new Uint8Array(head.buffer), new Uint8Array(bytes.buffer)];
  });
  return join(parts);
}

function widthOf(values: readonly number[]): number {
  const holds = (most: number) => values.every((value) => value >= 0 && value <= most);
  return holds(0xff) ? 1 : holds(0xffff) ? 2 : 4;
}

export function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function atomOf(value: Exclude<Value, Thing>): string {
  if (value === null) return "n";
  if (typeof value === "number") return `i${value}`;
  if (typeof value === "string") return `s${value}`;
  if (typeof value === "boolean") return value ? "t" : "f";
  return value.atom;
}

function spaceOf(key: string, module: boolean): [string, number] {
  if (key.startsWith("g:")) return [key.slice(2), 1];
  if (key.startsWith("c:")) return [key.slice(2), 2];
  return [key, module ? 1 : 0];
}

function entry<K, I>(maps: Map<K, Map<I, number>>, key: K): Map<I, number> {
  const map = maps.get(key) ?? new Map<I, number>();
  maps.set(key, map);
  return map;
}

function common(before: ArrayLike<number>, after: ArrayLike<number>): [number, number] {
  const most = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < most && before[prefix] === after[prefix]) prefix++;
  let suffix = 0;
  while (suffix < most - prefix && before[before.length - 1 - suffix] === after[after.length - 1 - suffix]) suffix++;
  return [prefix, suffix];
}

function spliceOf(before: readonly number[], after: readonly number[]): number[] {
  const [prefix, suffix] = common(before, after);
  return [prefix, before.length - prefix - suffix, ...after.slice(prefix, after.length - suffix)];
}
