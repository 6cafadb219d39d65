import { type ByteColumn, COLUMNS, type ColumnName, type IntColumn } from "./layout.ts";

const FIRST_CAPACITY = 16;
/** Elements of a page as a power of two: of integers 16 KB, quick to unfold; of bytes 64 KB, so that a long text fits in. */
const INT_BITS = 12;
const BYTE_BITS = 16;
const INT_MASK = 2 ** INT_BITS - 1;
const BYTE_MASK = 2 ** BYTE_BITS - 1;

export type Page = Int32Array | Uint8Array;

/** Decides which full pages stay as they are and which are folded, for all columns of a trace. `paging.ts` has it. */
export interface Pager {
  /** The column has so many bytes more, or fewer. */
  weigh(bytes: number): void;
  /** A full page of the column is there. Others may be put away for it. */
  enter(column: Paged, index: number): void;
  fold(page: Page): Uint8Array;
  unfold(folded: Uint8Array, page: Page): void;
}

/** A column of which the pager can put pages away. */
export interface Paged {
  /** Bytes of a full page. */
  readonly pageBytes: number;
  /** Folds a page; whoever asks for its elements unfolds it. */
  putAway(index: number): void;
}

/** Of what is small, or is gone soon: nothing is put away. */
export const KEEPING: Pager = {
  weigh: () => undefined,
  enter: () => undefined,
  fold: () => new Uint8Array(),
  unfold: () => undefined,
};

/** A column in pages of equal size, of which the last grows geometrically and is never put away. */
abstract class PagedColumn<P extends Page> implements Paged {
  length = 0;
  protected readonly pages: (P | undefined)[] = [];
  /** What pages hold, folded, where it was not changed since. */
  private readonly folded: (Uint8Array | undefined)[] = [];
  /** How many elements there is room for. */
  protected room = 0;
  readonly pageBytes: number;

  constructor(
    private readonly size: number,
    private readonly make: (size: number) => P,
    private readonly pager: Pager,
  ) {
    this.pageBytes = size * make(0).BYTES_PER_ELEMENT;
  }

  putAway(index: number): void {
    const page = this.pages[index] as P;
    if (!this.folded[index]) this.keep(index, this.pager.fold(page));
    this.pages[index] = undefined;
    this.pager.weigh(-page.byteLength);
  }

  /** Gives back the room that was made for more. */
  trim(): void {
    const last = this.pages.length - 1;
    const page = this.pages[last];
    const used = this.length - last * this.size;
    if (!page || used >= page.length) return;
    this.replace(last, page.slice(0, used) as P);
    this.room = this.length;
  }

  /** All elements, in an array of their own. Pages that were put away stay so. */
  copy(): P {
    const whole = this.make(this.length);
    for (let index = 0, start = 0; start < this.length; index++, start += this.size) {
      const page = this.pages[index];
      if (page) whole.set(page.subarray(0, this.length - start), start);
      else this.pager.unfold(this.folded[index] as Uint8Array, whole.subarray(start, start + this.size) as P);
    }
    return whole;
  }

  protected append(values: P): void {
    for (let taken = 0; taken < values.length; ) {
      if (this.length === this.room) this.grow(values.length - taken);
      const page = this.pages[this.pages.length - 1] as P;
      const start = this.length - (this.pages.length - 1) * this.size;
      const part = values.subarray(taken, taken + page.length - start);
      page.set(part, start);
      taken += part.length;
      this.length += part.length;
    }
  }

  protected pad(length: number, value: number): void {
    while (this.length < length) {
      if (this.length === this.room) this.grow(length - this.length);
      const page = this.pages[this.pages.length - 1] as P;
      const start = this.length - (this.pages.length - 1) * this.size;
      const end = Math.min(page.length, start + length - this.length);
      page.fill(value, start, end);
      this.length += end - start;
    }
  }

  protected slice(start: number, end: number): P {
    const first = Math.floor(start / this.size);
    const base = first * this.size;
    if (end <= base + this.size) return this.page(first).subarray(start - base, end - base) as P;
    const whole = this.make(end - start);
    for (let at = start; at < end; ) {
      const index = Math.floor(at / this.size);
      const stop = Math.min(end, (index + 1) * this.size);
      whole.set(this.page(index).subarray(at - index * this.size, stop - index * this.size), at - start);
      at = stop;
    }
    return whole;
  }

  protected page(index: number): P {
    return this.pages[index] ?? this.load(index);
  }

  /** A page that is not there: one that was put away, or none at all. */
  protected load(index: number): P {
    const folded = this.folded[index];
    if (!folded) return this.make(0);
    const page = this.make(this.size);
    this.pager.unfold(folded, page);
    this.pages[index] = page;
    this.pager.weigh(page.byteLength);
    this.pager.enter(this, index);
    return page;
  }

  /** What was folded of a page is no longer what it holds. */
  protected touch(index: number): void {
    const folded = this.folded[index];
    if (!folded) return;
    this.folded[index] = undefined;
    this.pager.weigh(-folded.length);
  }

  /** Makes room for at least one more element, in the last page or a new one. */
  protected grow(wanted: number): void {
    const last = this.pages.length - 1;
    const page = this.pages[last];
    if (page && page.length < this.size) {
      const grown = this.make(Math.min(this.size, Math.max(page.length + wanted, page.length * 2)));
      grown.set(page);
      this.replace(last, grown);
      this.room += grown.length - page.length;
      return;
    }
    // A second page says that there will be more of them.
    const next = this.make(page ? this.size : Math.min(this.size, Math.max(wanted, FIRST_CAPACITY)));
    this.pages.push(next);
    this.room += next.length;
    this.pager.weigh(next.byteLength);
    if (page) this.pager.enter(this, last);
  }

  private replace(index: number, page: P): void {
    this.pager.weigh(page.byteLength - (this.pages[index] as P).byteLength);
    this.pages[index] = page;
  }

  private keep(index: number, folded: Uint8Array): void {
    this.folded[index] = folded;
    this.pager.weigh(folded.length);
  }
}

/** A column of 32-bit integers that grows. Reading past its end gives what happens to stand there: bound first. */
export class Ints extends PagedColumn<Int32Array> {
  constructor(pager: Pager = KEEPING) {
    super(2 ** INT_BITS, (size) => new Int32Array(size), pager);
  }

  at(index: number): number {
    const place = index >>> INT_BITS;
    return (this.pages[place] ?? this.load(place))[index & INT_MASK] as number;
  }

  set(index: number, value: number): void {
    const place = index >>> INT_BITS;
    (this.pages[place] ?? this.load(place))[index & INT_MASK] = value;
    this.touch(place);
  }

  push(value: number): number {
    if (this.length === this.room) this.grow(1);
    (this.pages[this.length >>> INT_BITS] as Int32Array)[this.length & INT_MASK] = value;
    return this.length++;
  }

  extend(values: Int32Array): void {
    this.append(values);
  }

  /** Makes room for `length` elements, all new ones `value`. */
  fill(length: number, value: number): void {
    this.pad(length, value);
  }

  /** Elements from `start` to before `end`; never written to by the receiver. */
  view(start: number, end: number): Int32Array {
    return this.slice(start, end);
  }

  /** The index of the first element that is more than `value`, in an ascending column, among the first `length`. */
  above(value: number, length = this.length): number {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) > value) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** A column of bytes that grows. */
export class Bytes extends PagedColumn<Uint8Array> {
  constructor(pager: Pager = KEEPING) {
    super(2 ** BYTE_BITS, (size) => new Uint8Array(size), pager);
  }

  at(index: number): number {
    const place = index >>> BYTE_BITS;
    return (this.pages[place] ?? this.load(place))[index & BYTE_MASK] as number;
  }

  set(index: number, value: number): void {
    const place = index >>> BYTE_BITS;
    (this.pages[place] ?? this.load(place))[index & BYTE_MASK] = value;
    this.touch(place);
  }

  push(value: number): number {
    if (this.length === this.room) this.grow(1);
    (this.pages[this.length >>> BYTE_BITS] as Uint8Array)[this.length & BYTE_MASK] = value;
    return this.length++;
  }

  extend(values: Uint8Array): void {
    this.append(values);
  }

  fill(length: number, value: number): void {
    this.pad(length, value);
  }

  view(start: number, end: number): Uint8Array {
    return this.slice(start, end);
  }
}

type Row<B, I> = { readonly [N in ByteColumn]: B } & { readonly [N in IntColumn]: I };

/** The new elements of every column that one chunk brings. */
export type Chunk = Row<Uint8Array, Int32Array>;
/** All elements of every column so far. */
export type Columns = Row<Bytes, Ints>;

export function emptyColumns(pager: Pager): Columns {
  return Object.fromEntries(
    COLUMNS.map(([name, width]) => [name, width === 1 ? new Bytes(pager) : new Ints(pager)]),
  ) as unknown as Columns;
}

export function extendColumns(columns: Columns, chunk: Chunk): void {
  for (const [name] of COLUMNS) {
    const column = columns[name] as { extend(values: Uint8Array | Int32Array): void };
    column.extend(chunk[name as ColumnName]);
  }
}
