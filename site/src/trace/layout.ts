/** The columns of a trace and the numbers that stand in them, as docs/reference/trace-format.md lists them. */

export const FORMAT = "tracepane-trace/1";
/** A feature of a file: its chunks are packed, and an index follows them. */
export const PACKED_FEATURE = "packed";

/** What a trace may unfold to, whatever it says: more than any run's limit, and refused before room is made for it. */
export const LARGEST = 2 ** 30;
/** Strings that share, one with the other, from one that is whole. */
export const MOST_LINKS = 64;
/** Bytes that a text which shares has at least. */
export const LONG = 500;

/** In the order of the format. Names are those of the page in camel case; the width is in bytes. */
export const COLUMNS = [
  ["eventKind", 1],
  ["eventFrame", 4],
  ["eventLine", 4],
  ["eventArg", 4],
  ["eventRows", 4],
  ["rowTarget", 4],
  ["rowValue", 4],
  ["frameCode", 4],
  ["frameGlobals", 4],
  ["codeFile", 4],
  ["codeName", 4],
  ["codeFirst", 4],
  ["codeKind", 1],
  ["versionObject", 4],
  ["versionShape", 1],
  ["versionType", 4],
  ["versionLength", 4],
  ["versionForm", 1],
  ["versionCount", 4],
  ["slot", 4],
  ["filePath", 4],
  ["fileChange", 1],
  ["fileSize", 4],
  ["filePrefix", 4],
  ["fileSuffix", 4],
  ["fileCount", 4],
  ["fileBytes", 1],
  ["shareString", 4],
  ["shareOther", 4],
  ["shareKept", 4],
  ["shareTail", 4],
  ["stringLength", 4],
  ["stringBytes", 1],
] as const;

/** The columns that have as many elements as each other. */
export const TABLES: readonly (readonly ColumnName[])[] = [
  ["eventKind", "eventFrame", "eventLine", "eventArg", "eventRows"],
  ["rowTarget", "rowValue"],
  ["frameCode", "frameGlobals"],
  ["codeFile", "codeName", "codeFirst", "codeKind"],
  ["versionObject", "versionShape", "versionType", "versionLength", "versionForm", "versionCount"],
  ["slot"],
  ["filePath", "fileChange", "fileSize", "filePrefix", "fileSuffix", "fileCount"],
  ["fileBytes"],
  ["shareString", "shareOther", "shareKept", "shareTail"],
  ["stringLength"],
  ["stringBytes"],
];

type Column = (typeof COLUMNS)[number];
export type ColumnName = Column[0];
export type ByteColumn = Extract<Column, readonly [string, 1]>[0];
export type IntColumn = Extract<Column, readonly [string, 4]>[0];

export const WIDTHS: ReadonlyMap<ColumnName, number> = new Map(COLUMNS);
/** Bytes that one element of each table takes in memory. */
const WEIGHTS = TABLES.map((names) => names.reduce((sum, name) => sum + (WIDTHS.get(name) as number), 0));

/** Bytes that so many elements of each table take in memory. */
export function weigh(counts: readonly number[]): number {
  return counts.reduce((sum, count, table) => sum + count * (WEIGHTS[table] as number), 0);
}

export const KINDS = [
  "call",
  "resume",
  "line",
  "return",
  "yield",
  "raise",
  "unwind",
  "output",
  "output",
  "file",
  "end",
] as const;
export type EventKind = (typeof KINDS)[number];

export const CALL = 0;
export const RESUME = 1;
export const LINE = 2;
export const RETURN = 3;
export const YIELD = 4;
export const RAISE = 5;
export const UNWIND = 6;
export const STDOUT = 7;
export const STDERR = 8;
export const FILE = 9;
export const END = 10;

/** What `row_target & 3` says a row changes. */
export const LOCAL = 0;
export const GLOBAL = 1;
export const CLOSURE = 2;
export const OBJECT = 3;

export const SHAPE = {
  opaque: 0,
  list: 1,
  tuple: 2,
  set: 3,
  frozenset: 4,
  deque: 5,
  dict: 6,
  instance: 7,
  exception: 8,
  cell: 9,
  function: 10,
  class: 11,
  module: 12,
  bytearray: 13,
  generator: 14,
  coroutine: 15,
  asyncGenerator: 16,
  range: 17,
  slice: 18,
  method: 19,
  template: 20,
} as const;

/** The bit of a shape that says: own slots first, counted, then attributes. */
export const ATTRIBUTES = 128;
export const LAST_SHAPE = 20;

/** Forms of a version. */
export const FULL = 0;
export const SPLICE = 1;

/** Code kinds that suspend: generator, coroutine, async generator. */
export const FIRST_SUSPENDING = 3;
export const COROUTINE_CODE = 4;
export const LAST_CODE_KIND = 5;
