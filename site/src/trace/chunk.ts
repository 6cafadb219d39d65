import type { Chunk } from "./columns.ts";
import { insist } from "./error.ts";
import { COLUMNS, TABLES } from "./layout.ts";

export type { Chunk } from "./columns.ts";

/**
 * The columns of one chunk's raw bytes. Only the outer form is checked here: each column whole, nothing left over.
 * The integers are copied: a chunk's columns lie at any offset, a typed array needs an even one.
 */
export function decodeChunk(raw: Uint8Array): Chunk {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const columns: Record<string, Uint8Array | Int32Array> = {};
  let offset = 0;
  for (const [name, width] of COLUMNS) {
    insist(offset + 4 <= raw.length, () => `chunk ends before column ${name}`);
    const size = view.getUint32(offset, true);
    offset += 4;
    insist(
      size <= raw.length - offset,
      () => `column ${name} claims ${size} bytes, the chunk has ${raw.length - offset}`,
    );
    insist(size % width === 0, () => `column ${name} has ${size} bytes, no whole number of elements`);
    const bytes = raw.slice(offset, offset + size);
    columns[name] = width === 1 ? bytes : new Int32Array(bytes.buffer);
    offset += size;
  }
  insist(offset === raw.length, () => `${raw.length - offset} bytes follow the last column of a chunk`);
  checkTables(columns);
  return columns as unknown as Chunk;
}

/** The columns of one table are equally long. */
export function checkTables(columns: Readonly<Record<string, Uint8Array | Int32Array>>): void {
  for (const table of TABLES) {
    const lengths = table.map((name) => columns[name]?.length);
    insist(new Set(lengths).size === 1, () => `columns ${table.join(", ")} differ in length`);
  }
}
