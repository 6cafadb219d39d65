import type { Chunk } from "./columns.ts";
import { insist } from "./error.ts";
import { LARGEST, TABLES, WIDTHS, weigh } from "./layout.ts";

export type { Chunk } from "./columns.ts";

/** Bytes before a table: its number, the bytes that an element takes, and how many rows there are. */
const HEAD = 6;

/** A table of a chunk. Its rows begin at the byte `start`. */
interface Part {
  readonly table: number;
  readonly width: number;
  readonly rows: number;
  readonly start: number;
}

/** The columns of one chunk's raw bytes. Only the outer form is checked here: each table whole, nothing left over. */
export function decodeChunk(raw: Uint8Array): Chunk {
  const parts = [...readParts(raw)];
  insist(weigh(countRows(parts)) <= LARGEST, "a chunk unfolds to more than a trace may have");
  const columns: Record<string, Uint8Array | Int32Array> = {};
  for (const [table, names] of TABLES.entries()) {
    const part = parts.find((one) => one.table === table);
    const elements = part ? readElements(raw, part) : new Uint8Array();
    for (const [place, name] of names.entries())
      columns[name] =
        WIDTHS.get(name) === 1 ? pickBytes(elements, place, names) : pick(elements, place, names.length, Int32Array);
  }
  return columns as unknown as Chunk;
}

/** How many rows of each table a plain chunk has. */
export function countElements(raw: Uint8Array): number[] {
  return countRows([...readParts(raw)]);
}

function countRows(parts: readonly Part[]): number[] {
  return TABLES.map((_, table) => parts.find((part) => part.table === table)?.rows ?? 0);
}

function* readParts(raw: Uint8Array): Generator<Part> {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  let last = -1;
  for (let offset = 0; offset < raw.length; ) {
    insist(offset + HEAD <= raw.length, () => `a chunk ends at byte ${raw.length}, in a table's head`);
    const [table, width] = [raw[offset] as number, raw[offset + 1] as number];
    const names = TABLES[table];
    insist(names !== undefined && table > last, () => `no table ${table} can stand at byte ${offset} of a chunk`);
    insist(width === 1 || width === 2 || width === 4, () => `table ${names[0]} has ${width} bytes an element`);
    const rows = view.getUint32(offset + 2, true);
    const [size, room] = [rows * width * names.length, raw.length - offset - HEAD];
    insist(rows > 0 && size <= room, () => `table ${names[0]} claims ${size} bytes, the chunk has ${room}`);
    yield { table, width, rows, start: offset + HEAD };
    offset += HEAD + size;
    last = table;
  }
}

type Elements = Uint8Array | Uint16Array | Int32Array;

/** All elements of a table. They may lie at any offset, where wider ones need an even one: these are copied. */
function readElements(raw: Uint8Array, { table, width, rows, start }: Part): Elements {
  const end = start + rows * width * (TABLES[table] as readonly unknown[]).length;
  if (width === 1) return raw.subarray(start, end);
  const { buffer } = raw.slice(start, end);
  return width === 2 ? new Uint16Array(buffer) : new Int32Array(buffer);
}

/** The elements of one of `count` columns. */
function pick<C extends Uint8Array | Int32Array>(
  elements: Elements,
  place: number,
  count: number,
  Column: new (length: number) => C,
): C {
  const column = new Column(elements.length / count);
  for (let row = 0, at = place; row < column.length; row++, at += count) column[row] = elements[at] as number;
  return column;
}

function pickBytes(elements: Elements, place: number, names: readonly string[]): Uint8Array {
  const column = pick(elements, place, names.length, Uint8Array);
  const fits = column.every((value, row) => value === elements[place + row * names.length]);
  insist(fits, () => `column ${names[place]} of a chunk is out of bounds`);
  return column;
}

/** The columns of one table are equally long. */
export function checkTables(columns: Readonly<Record<string, Uint8Array | Int32Array>>): void {
  for (const table of TABLES) {
    const lengths = table.map((name) => columns[name]?.length);
    insist(new Set(lengths).size === 1, () => `columns ${table.join(", ")} differ in length`);
  }
}
