/** Keeps a long trace small in memory: what was not touched for long is folded, and unfolded when it is asked for. */
import { deflateSync, inflateSync } from "fflate";
import type { Page, Paged, Pager } from "./columns.ts";

/** Bytes of full pages that stay unfolded: a million steps of a usual program take some 90 MB, and folded a third of it. */
export const BUDGET = 128 << 20;

interface Place {
  readonly column: Paged;
  readonly index: number;
}

/**
 * The pager of one trace: it puts away the page that was brought first, of integers or of bytes, whichever take more memory. Bytes
 * take long to unfold, and a usual trace has few.
 */
export class Paging implements Pager {
  /** Bytes that the columns take by now, folded and unfolded. */
  held = 0;
  private unfolded = 0;
  /** The unfolded pages in the order in which they came, by their size. */
  private readonly places = new Map<number, Place[]>();

  constructor(private readonly budget = BUDGET) {}

  weigh(bytes: number): void {
    this.held += bytes;
  }

  enter(column: Paged, index: number): void {
    this.unfolded += column.pageBytes;
    while (this.unfolded > this.budget && this.putAway());
    const places = this.places.get(column.pageBytes) ?? [];
    this.places.set(column.pageBytes, places);
    places.push({ column, index });
  }

  /** False when there is no page to put away. */
  private putAway(): boolean {
    let most = 0;
    for (const [size, places] of this.places)
      if (size * places.length > most * (this.places.get(most)?.length ?? 0)) most = size;
    const place = this.places.get(most)?.shift();
    place?.column.putAway(place.index);
    this.unfolded -= most;
    return place !== undefined;
  }

  fold(page: Page): Uint8Array {
    return page instanceof Int32Array ? foldIntegers(page) : deflateSync(page, { level: 1 });
  }

  unfold(folded: Uint8Array, page: Page): void {
    if (page instanceof Int32Array) unfoldIntegers(folded, page);
    else inflateSync(folded, { out: page });
  }
}

/** Bytes before the planes: whether these are differences, how many there are, and the first number. */
const HEAD = 6;

/**
 * Numbers, or their differences to the one before, in as few bytes each as the widest needs: first the lowest byte of all of
 * them, then the next. Quicker to undo than any compression, and columns are steps, lines and ids: near each other.
 */
export function foldIntegers(values: Int32Array): Uint8Array {
  const [whole, apart] = [widthOf(values, 0), widthOf(values, 1)];
  const planes = Math.min(whole, apart);
  const folded = new Uint8Array(HEAD + planes * values.length);
  folded.set([apart < whole ? 1 : 0, planes]);
  if (values.length > 0) new DataView(folded.buffer).setInt32(2, values[0] as number);
  const numbers = apart < whole ? differencesOf(values) : values;
  for (let plane = 0; plane < planes; plane++) {
    const start = HEAD + plane * values.length;
    const shift = 8 * plane;
    for (let index = 0; index < values.length; index++) folded[start + index] = (numbers[index] as number) >> shift;
  }
  return folded;
}

/** Undoes `foldIntegers` into `values`, which are as many as there were. */
export function unfoldIntegers(folded: Uint8Array, values: Int32Array): void {
  const [apart, planes] = folded as unknown as [number, number];
  const count = values.length;
  const plane = (index: number) => folded.subarray(HEAD + index * count, HEAD + (index + 1) * count);
  widen(plane(planes - 1), values);
  for (let index = planes - 2; index >= 0; index--) shiftIn(plane(index), values);
  if (apart === 1) accumulate(values, new DataView(folded.buffer, folded.byteOffset).getInt32(2));
}

/** The highest bytes, which carry the sign. */
function widen(plane: Uint8Array, values: Int32Array): void {
  for (let index = 0; index < values.length; index++) values[index] = ((plane[index] as number) << 24) >> 24;
}

function shiftIn(plane: Uint8Array, values: Int32Array): void {
  for (let index = 0; index < values.length; index++)
    values[index] = ((values[index] as number) << 8) | (plane[index] as number);
}

/** The first difference is 0: the first number stands apart, and would often be wider than all of them. */
function differencesOf(values: Int32Array): Int32Array {
  const differences = new Int32Array(values.length);
  for (let index = 1; index < values.length; index++)
    differences[index] = (values[index] as number) - (values[index - 1] as number);
  return differences;
}

function accumulate(values: Int32Array, first: number): void {
  let sum = first;
  for (let index = 0; index < values.length; index++) {
    sum += values[index] as number;
    values[index] = sum;
  }
}

/** How many bytes the widest number takes, or the widest difference to the one `lag` before; 5 when one takes over 32 bits. */
function widthOf(values: Int32Array, lag: 0 | 1): number {
  let bits = 0;
  let lost = 0;
  for (let index = lag; index < values.length; index++) {
    const value = values[index] as number;
    const before = lag === 0 ? 0 : (values[index - 1] as number);
    const difference = (value - before) | 0;
    // Where the signs of both differ, and that of the difference is not the first one's, it did not fit.
    lost |= (value ^ before) & (value ^ difference);
    bits |= difference ^ (difference >> 31);
  }
  return lost < 0 ? 5 : ((32 - Math.clz32(bits)) >> 3) + 1;
}
