import { type ByteColumn, COLUMNS, type ColumnName, type IntColumn } from "./layout.ts";

const FIRST_CAPACITY = 16;

/** A column of 32-bit integers that grows geometrically. Reading past its end gives what happens to stand there: bound first. */
export class Ints {
  length = 0;
  private data = new Int32Array(FIRST_CAPACITY);

  at(index: number): number {
    return this.data[index] as number;
  }

  set(index: number, value: number): void {
    this.data[index] = value;
  }

  push(value: number): number {
    if (this.length === this.data.length) this.reserve(this.length + 1);
    this.data[this.length] = value;
    return this.length++;
  }

  extend(values: Int32Array): void {
    this.reserve(this.length + values.length);
    this.data.set(values, this.length);
    this.length += values.length;
  }

  /** Makes room for `length` elements, all new ones `value`. */
  fill(length: number, value: number): void {
    if (length <= this.length) return;
    this.reserve(length);
    this.data.fill(value, this.length, length);
    this.length = length;
  }

  /** Elements from `start` to before `end`. Valid until the column grows; never written to by the receiver. */
  view(start: number, end: number): Int32Array {
    return this.data.subarray(start, end);
  }

  /** The index of the first element that is more than `value`, in an ascending column, among the first `length`. */
  above(value: number, length = this.length): number {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.data[middle] as number) > value) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Gives back the room that was made for more. */
  trim(): void {
    if (this.data.length > this.length) this.data = this.data.slice(0, this.length);
  }

  private reserve(length: number): void {
    if (length <= this.data.length) return;
    const grown = new Int32Array(Math.max(length, this.data.length * 2));
    grown.set(this.data.subarray(0, this.length));
    this.data = grown;
  }
}

/** A column of bytes that grows geometrically. */
export class Bytes {
  length = 0;
  private data = new Uint8Array(FIRST_CAPACITY);

  at(index: number): number {
    return this.data[index] as number;
  }

  set(index: number, value: number): void {
    this.data[index] = value;
  }

  push(value: number): number {
    if (this.length === this.data.length) this.reserve(this.length + 1);
    this.data[this.length] = value;
    return this.length++;
  }

  extend(values: Uint8Array): void {
    this.reserve(this.length + values.length);
    this.data.set(values, this.length);
    this.length += values.length;
  }

  fill(length: number, value: number): void {
    if (length <= this.length) return;
    this.reserve(length);
    this.data.fill(value, this.length, length);
    this.length = length;
  }

  view(start: number, end: number): Uint8Array {
    return this.data.subarray(start, end);
  }

  /** Gives back the room that was made for more. */
  trim(): void {
    if (this.data.length > this.length) this.data = this.data.slice(0, this.length);
  }

  private reserve(length: number): void {
    if (length <= this.data.length) return;
    const grown = new Uint8Array(Math.max(length, this.data.length * 2));
    grown.set(this.data.subarray(0, this.length));
    this.data = grown;
  }
}

type Row<B, I> = { readonly [N in ByteColumn]: B } & { readonly [N in IntColumn]: I };

/** The new elements of every column that one chunk brings. */
export type Chunk = Row<Uint8Array, Int32Array>;
/** All elements of every column so far. */
export type Columns = Row<Bytes, Ints>;

export function emptyColumns(): Columns {
  return Object.fromEntries(
    COLUMNS.map(([name, width]) => [name, width === 1 ? new Bytes() : new Ints()]),
  ) as unknown as Columns;
}

export function extendColumns(columns: Columns, chunk: Chunk): void {
  for (const [name] of COLUMNS) {
    const column = columns[name] as { extend(values: Uint8Array | Int32Array): void };
    column.extend(chunk[name as ColumnName]);
  }
}
