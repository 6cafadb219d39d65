import { Ints, type Pager } from "./columns.ts";
import type { Rows } from "./writes.ts";

/**
 * Many ascending lists of integers in one pool, each of which only grows. A list that is full moves to a block of twice
 * its size, and the old block is used again. Every question is a binary search.
 */
export class Histories {
  private readonly starts: Ints;
  private readonly counts: Ints;
  private readonly pool: Ints;
  /** For each power of two the first free block of that size; a free block's first element names the next one. */
  private readonly free: number[] = [];

  constructor(pager?: Pager) {
    this.starts = new Ints(pager);
    this.counts = new Ints(pager);
    this.pool = new Ints(pager);
  }

  /** How many lists there are. */
  get length(): number {
    return this.counts.length;
  }

  create(): number {
    this.starts.push(0);
    return this.counts.push(0);
  }

  /** Adds `value`, which is not less than the list's last one. Returns how many there are now. */
  add(list: number, value: number): number {
    const count = this.counts.at(list);
    if ((count & (count - 1)) === 0) this.move(list, count);
    this.pool.set(this.starts.at(list) + count, value);
    this.counts.set(list, count + 1);
    return count + 1;
  }

  /** How many values of the list are less than `limit`. */
  count(list: number, limit: number): number {
    const start = this.starts.at(list);
    let low = 0;
    let high = this.counts.at(list);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.pool.at(start + middle) < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The value at `index`, −1 outside the list. */
  at(list: number, index: number): number {
    return index < 0 || index >= this.counts.at(list) ? -1 : this.pool.at(this.starts.at(list) + index);
  }

  /** The last value less than `limit`, −1 if there is none. */
  before(list: number, limit: number): number {
    return this.at(list, this.count(list, limit) - 1);
  }

  /** The first value that is not less than `limit`, −1 if there is none. */
  from(list: number, limit: number): number {
    return this.at(list, this.count(list, limit));
  }

  /** The values less than `limit`, each looked up when it is asked for. */
  rows(list: number, limit: number): Rows {
    return { length: this.count(list, limit), at: (index) => this.at(list, index) };
  }

  /** A copy of the values less than `limit`. */
  values(list: number, limit: number): Int32Array {
    const start = this.starts.at(list);
    return this.pool.view(start, start + this.count(list, limit)).slice();
  }

  trim(): void {
    for (const column of [this.starts, this.counts, this.pool]) column.trim();
  }

  private move(list: number, count: number): void {
    const start = this.starts.at(list);
    const to = this.take(count === 0 ? 0 : log2(count) + 1);
    for (let index = 0; index < count; index++) this.pool.set(to + index, this.pool.at(start + index));
    if (count > 0) this.release(start, log2(count));
    this.starts.set(list, to);
  }

  private take(power: number): number {
    const block = this.free[power] ?? -1;
    if (block >= 0) {
      this.free[power] = this.pool.at(block);
      return block;
    }
    const start = this.pool.length;
    this.pool.fill(start + 2 ** power, 0);
    return start;
  }

  private release(block: number, power: number): void {
    this.pool.set(block, this.free[power] ?? -1);
    this.free[power] = block;
  }
}

function log2(powerOfTwo: number): number {
  return 31 - Math.clz32(powerOfTwo);
}
