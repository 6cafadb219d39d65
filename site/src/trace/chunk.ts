import type { Chunk } from "./columns.ts";
import { insist } from "./error.ts";
import { COLUMNS, LARGEST, TABLES, weigh } from "./layout.ts";

export type { Chunk } from "./columns.ts";

/** Bytes before a column: its number, the bytes that an element takes, and how many there are. */
const HEAD = 6;
/** The number of each table's first column. */
const FIRST = TABLES.map(([first]) => COLUMNS.findIndex(([name]) => name === first));

interface Part {
  readonly column: number;
  readonly width: number;
  readonly count: number;
  readonly start: number;
}

/**
 * The columns of one chunk's raw bytes. Only the outer form is checked here: each column whole, nothing left over.
 * The numbers are copied: a chunk's columns lie at any offset, a typed array needs an even one.
 */
export function decodeChunk(raw: Uint8Array): Chunk {
  const parts = [...readParts(raw)];
  insist(weigh(countParts(parts)) <= LARGEST, "a chunk unfolds to more than a trace may have");
  const columns: Record<string, Uint8Array | Int32Array> = {};
  for (const [name, width] of COLUMNS) columns[name] = width === 1 ? new Uint8Array() : new Int32Array();
  for (const { column, width, count, start } of parts) {
    const [name, full] = COLUMNS[column] as (typeof COLUMNS)[number];
    const bytes = raw.slice(start, start + width * count);
    columns[name] = full === 1 ? bytes : widen(bytes, width);
  }
  checkTables(columns);
  return columns as unknown as Chunk;
}

/** How many elements of each table a plain chunk has. */
export function countElements(raw: Uint8Array): number[] {
  return countParts([...readParts(raw)]);
}

function countParts(parts: readonly Part[]): number[] {
  return TABLES.map((names, table) => {
    const place = (column: number) => column - (FIRST[table] as number);
    const own = parts.filter(({ column }) => place(column) >= 0 && place(column) < names.length);
    return Math.max(0, ...own.map(({ count }) => count));
  });
}

function* readParts(raw: Uint8Array): Generator<Part> {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  let last = -1;
  for (let offset = 0; offset < raw.length; ) {
    insist(offset + HEAD <= raw.length, () => `a chunk ends at byte ${raw.length}, in a column's head`);
    const [column, width] = [raw[offset] as number, raw[offset + 1] as number];
    const [name, full] = COLUMNS[column] ?? [];
    insist(name !== undefined && column > last, () => `no column ${column} can stand at byte ${offset} of a chunk`);
    const known = full === 1 ? width === 1 : width === 1 || width === 2 || width === 4;
    insist(known, () => `column ${name} has ${width} bytes an element`);
    const count = view.getUint32(offset + 2, true);
    const room = raw.length - offset - HEAD;
    insist(
      count > 0 && count * width <= room,
      () => `column ${name} claims ${count * width} bytes, the chunk has ${room}`,
    );
    yield { column, width, count, start: offset + HEAD };
    offset += HEAD + count * width;
    last = column;
  }
}

function widen(bytes: Uint8Array<ArrayBuffer>, width: number): Int32Array {
  if (width === 4) return new Int32Array(bytes.buffer);
  return new Int32Array(width === 1 ? bytes : new Uint16Array(bytes.buffer));
}

/** The columns of one table are equally long. */
export function checkTables(columns: Readonly<Record<string, Uint8Array | Int32Array>>): void {
  for (const table of TABLES) {
    const lengths = table.map((name) => columns[name]?.length);
    insist(new Set(lengths).size === 1, () => `columns ${table.join(", ")} differ in length`);
  }
}
