/** A trace file: a magic, then records. Source: docs/reference/trace-format.md, "The file". */
import type { TraceEnd, TraceHeader } from "../protocol.ts";
import { countElements, decodeChunk } from "./chunk.ts";
import type { Chunk } from "./columns.ts";
import { insist, TraceError } from "./error.ts";
import { FORMAT, LARGEST, PACKED_FEATURE, TABLES, weigh } from "./layout.ts";
import { readCounts, unpackChunk } from "./packing.ts";

const MAGIC = [0x89, 0x54, 0x50, 0x41, 0x4e, 0x45, 0x0d, 0x0a];
const HEADER = 1;
const CHUNK = 2;
const END = 3;
const PACKED = 4;
const INDEX = 5;
const TAIL = 6;
const STORED = 0;
const DEFLATE = 1;
const UNCHECKED = 2;
const HEAD = 14;
/** Deflate makes at most so many bytes of one. */
const STEEPEST = 1032;

export interface Container {
  readonly header: TraceHeader;
  readonly end: TraceEnd;
  /** The chunks, one after the other, each unfolded when it is asked for. */
  chunks(): AsyncGenerator<Chunk>;
}

interface RecordParts {
  readonly place: number;
  readonly type: number;
  readonly codec: number;
  readonly rawLength: number;
  readonly crc: number;
  readonly stored: Uint8Array;
}

/** Reads a trace file: magic, one header, chunks (when they are packed an index), one end (then a tail). */
export async function readContainer(file: Uint8Array): Promise<Container> {
  insist(
    MAGIC.every((byte, index) => file[index] === byte),
    "this is no trace file: it does not start as one",
  );
  const records = [...splitRecords(file)];
  const [first] = records;
  insist(first?.type === HEADER, "the trace file does not start with a header");
  const kept = readJson(await unpack(first), "header") as unknown as TraceHeader;
  const packed = Array.isArray(kept.features) && kept.features.includes(PACKED_FEATURE);
  const header = packed ? { ...kept, features: kept.features.filter((name) => name !== PACKED_FEATURE) } : kept;
  checkHeader(header);
  const parts = arrange(records.slice(1), packed);
  const end = checkEnd(readJson(await unpack(parts.end), "end"));
  return { header, end, chunks: () => unfold(parts, packed) };
}

interface Parts {
  readonly chunks: readonly RecordParts[];
  readonly index: RecordParts | null;
  readonly end: RecordParts;
}

/** The records after the header, each in the place where it must stand. */
function arrange(records: readonly RecordParts[], packed: boolean): Parts {
  const kind = packed ? PACKED : CHUNK;
  const found = records.findIndex(({ type }) => type !== kind);
  const count = found < 0 ? records.length : found;
  const order = packed ? [INDEX, END, TAIL] : [END];
  for (const [place, type] of order.entries()) {
    const record = records[count + place];
    insist(record !== undefined, "the trace file is cut short: it has no end");
    insist(record.type === type, () => `the trace file has another record at byte ${record.place} than can be there`);
  }
  const extra = records[count + order.length];
  insist(extra === undefined, () => `a record follows the trace's end, at byte ${extra?.place}`);
  const index = packed ? (records[count] as RecordParts) : null;
  if (index) checkTail(records[count + 2] as RecordParts, index);
  return { chunks: records.slice(0, count), index, end: records[packed ? count + 1 : count] as RecordParts };
}

function checkTail(tail: RecordParts, index: RecordParts): void {
  const { place, stored, codec, rawLength } = tail;
  const named = stored.length === 4 ? new DataView(stored.buffer, stored.byteOffset, 4).getUint32(0, true) : -1;
  insist(
    codec === STORED && rawLength === 4 && named === index.place && crc32(stored) === tail.crc,
    () => `the tail at byte ${place} does not name the index at byte ${index.place}`,
  );
}

/** The chunks; at their end the index must say of them what was found. */
async function* unfold({ chunks, index }: Parts, packed: boolean): AsyncGenerator<Chunk> {
  const total = chunks.reduce((sum, { rawLength }) => sum + rawLength, 0);
  insist(total <= LARGEST, () => `the trace file unfolds to ${total} bytes: more than a trace may have`);
  const rows: number[][] = [];
  let before = TABLES.map(() => 0);
  for (const record of chunks) {
    const raw = await unpack(record);
    rows.push([record.place, ...before]);
    try {
      before = add(before, packed ? readCounts(raw) : countElements(raw));
      insist(weigh(before) <= LARGEST, "the trace unfolds to more than a trace may have");
      yield packed ? unpackChunk(raw) : decodeChunk(raw);
    } catch (error) {
      throw error instanceof TraceError ? new TraceError(`${error.message} (at byte ${record.place})`) : error;
    }
  }
  if (index) await checkIndex(index, [...rows, [index.place, ...before]]);
}

const add = (left: readonly number[], right: readonly number[]): number[] =>
  left.map((value, place) => value + (right[place] as number));

async function checkIndex(index: RecordParts, rows: readonly (readonly number[])[]): Promise<void> {
  const raw = await unpack(index);
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const expected = rows.flat();
  insist(
    raw.length === 4 * expected.length && expected.every((value, place) => view.getUint32(4 * place, true) === value),
    () => `the index at byte ${index.place} does not name the file's chunks as they are`,
  );
}

/** Refuses a trace of another version, or one that needs what this reader does not know. */
export function checkHeader(header: TraceHeader): void {
  const { format, features } = header;
  insist(format === FORMAT, () => `the trace has format ${JSON.stringify(format)}; this page reads ${FORMAT}`);
  insist(Array.isArray(features), "the header has no list of features");
  const [feature] = features;
  insist(
    feature === undefined,
    () => `the trace needs the feature ${JSON.stringify(feature)}, which this page does not know`,
  );
}

function* splitRecords(file: Uint8Array): Generator<RecordParts> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let place = MAGIC.length; place < file.length; ) {
    insist(place + HEAD <= file.length, () => `the trace file is cut short at byte ${file.length}, in a record's head`);
    const length = view.getUint32(place + 2, true);
    insist(
      length <= file.length - place - HEAD,
      () => `the trace file is cut short at byte ${file.length}, inside the record at byte ${place}`,
    );
    yield {
      place,
      type: file[place] as number,
      codec: file[place + 1] as number,
      rawLength: view.getUint32(place + 6, true),
      crc: view.getUint32(place + 10, true),
      stored: file.subarray(place + HEAD, place + HEAD + length),
    };
    place += HEAD + length;
  }
}

async function unpack({ place, codec, rawLength, stored, crc }: RecordParts): Promise<Uint8Array> {
  const at = `the record at byte ${place}`;
  insist(codec === STORED || codec === DEFLATE || codec === UNCHECKED, () => `${at} has codec ${codec}`);
  insist(rawLength <= LARGEST, () => `${at} claims ${rawLength} bytes: more than a trace may have`);
  const fits = codec === DEFLATE ? rawLength <= stored.length * STEEPEST : rawLength === stored.length;
  insist(fits, () => `${at} has another length than it says`);
  const raw = codec === DEFLATE ? await inflate(stored, rawLength, at) : stored;
  insist(raw.length === rawLength, () => `${at} has another length than it says`);
  insist((codec === UNCHECKED ? 0 : crc32(raw)) === crc, () => `${at} is damaged: its checksum is wrong`);
  return raw;
}

/** Inflates to `length` bytes at most, whatever the stream would unfold to. */
async function inflate(stored: Uint8Array, length: number, at: string): Promise<Uint8Array> {
  const stream = new Blob([stored as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > length) throw new TraceError(`${at} unfolds to more than it says`);
      pieces.push(next.value);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error instanceof TraceError ? error : new TraceError(`${at} is damaged: it does not unfold`);
  }
  return join(pieces, size);
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

function readJson(bytes: Uint8Array, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new TraceError(`the trace's ${what} is not JSON`);
  }
  insist(
    typeof value === "object" && value !== null && !Array.isArray(value),
    () => `the trace's ${what} is no JSON object`,
  );
  return value as Record<string, unknown>;
}

const STATUSES = new Set<unknown>(["finished", "exception", "exit", "limit", "stopped", "input", "crashed"]);

function checkEnd(end: Record<string, unknown>): TraceEnd {
  insist(
    STATUSES.has(end["status"]),
    () => `the trace ends as ${JSON.stringify(end["status"])}, which this page does not know`,
  );
  insist(Number.isInteger(end["steps"]), "the trace's end has no number of steps");
  return end as unknown as TraceEnd;
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The CRC-32 of zip and PNG. */
export function crc32(bytes: Uint8Array): number {
  let value = -1;
  for (const byte of bytes) value = (CRC_TABLE[(value ^ byte) & 255] as number) ^ (value >>> 8);
  return (value ^ -1) >>> 0;
}
