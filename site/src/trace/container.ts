import type { TraceEnd, TraceHeader } from "../protocol.ts";
import { insist, TraceError } from "./error.ts";
import { FORMAT } from "./layout.ts";

const MAGIC = [0x89, 0x54, 0x50, 0x41, 0x4e, 0x45, 0x0d, 0x0a];
const HEADER = 1;
const CHUNK = 2;
const END = 3;
const STORED = 0;
const DEFLATE = 1;
const HEAD = 14;
/** More than any limit of a run lets a trace grow to; a record that claims more is refused before room is made for it. */
const LARGEST = 2 ** 30;

export interface Container {
  readonly header: TraceHeader;
  readonly chunks: readonly Uint8Array[];
  readonly end: TraceEnd;
}

interface RecordParts {
  readonly type: number;
  readonly codec: number;
  readonly rawLength: number;
  readonly crc: number;
  readonly stored: Uint8Array;
}

/** Reads a trace file: magic, one header, chunks, one end, each whole and with the right checksum. */
export async function readContainer(file: Uint8Array): Promise<Container> {
  insist(
    MAGIC.every((byte, index) => file[index] === byte),
    "this is no trace file: it does not start as one",
  );
  const records = [...splitRecords(file)];
  const last = records.length - 1;
  insist(last >= 1 && records[0]?.type === HEADER, "the trace file does not start with a header");
  insist(records[last]?.type === END, "the trace file is cut short: it has no end");
  const middle = records.slice(1, last);
  insist(
    middle.every((record) => record.type === CHUNK),
    "the trace file has a record where only chunks can be",
  );
  const header = readJson(await unpack(records[0] as RecordParts), "header") as unknown as TraceHeader;
  const chunks: Uint8Array[] = [];
  for (const record of middle) chunks.push(await unpack(record));
  return { header, chunks, end: checkEnd(readJson(await unpack(records[last] as RecordParts), "end")) };
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
  for (let offset = MAGIC.length; offset < file.length; ) {
    insist(offset + HEAD <= file.length, "the trace file is cut short inside a record's head");
    const length = view.getUint32(offset + 2, true);
    insist(length <= file.length - offset - HEAD, "the trace file is cut short inside a record");
    yield {
      type: file[offset] as number,
      codec: file[offset + 1] as number,
      rawLength: view.getUint32(offset + 6, true),
      crc: view.getUint32(offset + 10, true),
      stored: file.subarray(offset + HEAD, offset + HEAD + length),
    };
    offset += HEAD + length;
  }
}

async function unpack(record: RecordParts): Promise<Uint8Array> {
  insist(
    record.codec === STORED || record.codec === DEFLATE,
    () => `the trace file has a record with codec ${record.codec}`,
  );
  insist(record.rawLength <= LARGEST, () => `the trace file has a record of ${record.rawLength} bytes`);
  const raw = record.codec === STORED ? record.stored : await inflate(record.stored, record.rawLength);
  insist(raw.length === record.rawLength, "the trace file has a record of another length than it says");
  insist(crc32(raw) === record.crc, "the trace file is damaged: a checksum is wrong");
  return raw;
}

/** Inflates to `length` bytes at most, whatever the stream would unfold to. */
async function inflate(stored: Uint8Array, length: number): Promise<Uint8Array> {
  const stream = new Blob([stored as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > length) throw new TraceError("the trace file has a record that unfolds to more than it says");
      pieces.push(next.value);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error instanceof TraceError ? error : new TraceError("the trace file is damaged: a record does not unfold");
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
