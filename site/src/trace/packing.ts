/** The packed form of a chunk, as docs/reference/trace-format.md describes it: unfolded to its columns. */
import { checkTables } from "./chunk.ts";
import type { Chunk } from "./columns.ts";
import { insist } from "./error.ts";
import { TABLES, WIDTHS } from "./layout.ts";

const TEXTS = TABLES.findIndex(([name]) => name === "stringLength");
const TEXT_BYTES = TABLES.findIndex(([name]) => name === "stringBytes");

/** How many elements of each table a packed chunk says it has. */
export function readCounts(raw: Uint8Array): number[] {
  insist(raw.length >= 4 * TABLES.length, "a packed chunk is shorter than its counts");
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  return TABLES.map((_, table) => view.getUint32(4 * table, true));
}

/** The columns of a packed chunk. Whoever calls has looked at what its counts weigh: room is made for so much. */
export function unpackChunk(raw: Uint8Array): Chunk {
  const counts = readCounts(raw);
  const reader = new Reader(raw, 4 * TABLES.length);
  const columns: Record<string, Uint8Array | Int32Array> = {};
  for (const [table, names] of TABLES.entries()) {
    if (table === TEXT_BYTES) continue;
    for (const name of names) columns[name] = reader.column(name, counts[table] as number, WIDTHS.get(name) === 1);
  }
  const texts = counts[TEXTS] as number;
  const backs = reader.integers("stringBack", texts);
  const kepts = reader.integers("stringKept", texts);
  const tails = reader.integers("stringTail", texts);
  const lengths = columns["stringLength"] as Int32Array;
  columns["stringBytes"] = joinTexts({ lengths, backs, kepts, tails }, reader.rest(), counts[TEXT_BYTES] as number);
  checkTables(columns);
  return columns as unknown as Chunk;
}

class Reader {
  constructor(
    private readonly raw: Uint8Array,
    private offset: number,
  ) {}

  column(name: string, count: number, isByte: boolean): Uint8Array | Int32Array {
    return isByte ? this.take(name, count).slice() : this.integers(name, count);
  }

  integers(name: string, count: number): Int32Array {
    if (count === 0) return new Int32Array();
    const [lag = 0, planes = 0] = this.take(name, 2);
    insist(lag <= 2 && planes >= 1 && planes <= 4, () => `column ${name} of a packed chunk has no known form`);
    const values = widen(this.take(name, count * planes), count, planes);
    if (lag > 0) insist(accumulate(values, lag), () => `column ${name} of a packed chunk is out of bounds`);
    return values;
  }

  rest(): Uint8Array {
    return this.raw.subarray(this.offset);
  }

  private take(name: string, size: number): Uint8Array {
    const start = this.offset;
    insist(
      size <= this.raw.length - start,
      () => `column ${name}, at byte ${start} of a packed chunk, does not fit in`,
    );
    this.offset += size;
    return this.raw.subarray(start, this.offset);
  }
}

/** Numbers whose lowest bytes stand first, then the next ones; the highest byte that is there carries the sign. */
function widen(planes: Uint8Array, count: number, depth: number): Int32Array {
  const values = new Int32Array(count);
  const spare = 32 - 8 * depth;
  for (let index = 0; index < count; index++) {
    let value = 0;
    for (let plane = depth - 1; plane >= 0; plane--) value = (value << 8) | (planes[plane * count + index] as number);
    values[index] = (value << spare) >> spare;
  }
  return values;
}

/** Adds to each number the one `lag` before it. False when a sum leaves 32 bits. */
function accumulate(values: Int32Array, lag: number): boolean {
  for (let index = lag; index < values.length; index++) {
    const sum = (values[index] as number) + (values[index - lag] as number);
    values[index] = sum;
    if (values[index] !== sum) return false;
  }
  return true;
}

interface Shares {
  readonly lengths: Int32Array;
  readonly backs: Int32Array;
  readonly kepts: Int32Array;
  readonly tails: Int32Array;
}

/** All texts one after the other: what each shares with an earlier one, and between these its own bytes. */
function joinTexts(shares: Shares, rest: Uint8Array, size: number): Uint8Array {
  const starts = checkShares(shares, rest.length, size);
  const found = new Uint8Array(size);
  let taken = 0;
  for (let text = 0; text < shares.lengths.length; text++) {
    const [start, end] = [starts[text] as number, starts[text + 1] as number];
    const other = text - (shares.backs[text] as number);
    const [kept, tail] = [shares.kepts[text] as number, shares.tails[text] as number];
    if (other !== text) {
      const [first, last] = [starts[other] as number, starts[other + 1] as number];
      found.copyWithin(start, first, first + kept);
      found.copyWithin(end - tail, last - tail, last);
    }
    const own = end - start - kept - tail;
    found.set(rest.subarray(taken, taken + own), start + kept);
    taken += own;
  }
  return found;
}

/** Where each text starts. Throws a TraceError unless everything fits together. */
function checkShares({ lengths, backs, kepts, tails }: Shares, rest: number, size: number): Float64Array {
  const starts = new Float64Array(lengths.length + 1);
  let own = 0;
  for (let text = 0; text < lengths.length; text++) {
    const [length, back] = [lengths[text] as number, backs[text] as number];
    const [kept, tail] = [kepts[text] as number, tails[text] as number];
    insist(back >= 0 && back <= text && length >= 0, () => `text ${text} of a packed chunk shares with no earlier one`);
    const most = back === 0 ? 0 : Math.min(length, lengths[text - back] as number);
    insist(
      kept >= 0 && tail >= 0 && kept + tail <= most,
      () => `text ${text} of a packed chunk shares what is not there`,
    );
    own += length - kept - tail;
    starts[text + 1] = (starts[text] as number) + length;
  }
  insist(starts[lengths.length] === size && own === rest, "the texts of a packed chunk do not add up to their bytes");
  return starts;
}
