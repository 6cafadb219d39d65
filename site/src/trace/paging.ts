/** Keeps a long trace small in memory: what was not touched for long is folded, and unfolded when it is asked for. */
import { deflateSync, inflateSync } from "fflate";
import type { Page, Paged, Pager } from "./columns.ts";

/** Bytes of full pages that stay unfolded: a million steps of a usual program take some 90 MB, and folded a third of it. */
export const BUDGET = 128 << 20;

/** The pager of one trace: it puts away the page that was brought first. */
export class Paging implements Pager {
  /** Bytes that the columns take by now, folded and unfolded. */
  held = 0;
  private unfolded = 0;
  private readonly places: { readonly column: Paged; readonly index: number }[] = [];

  constructor(private readonly budget = BUDGET) {}

  weigh(bytes: number): void {
    this.held += bytes;
  }

  enter(column: Paged, index: number): void {
    this.unfolded += column.pageBytes;
    while (this.unfolded > this.budget) {
      const place = this.places.shift();
      if (!place) break;
      place.column.putAway(place.index);
      this.unfolded -= place.column.pageBytes;
    }
    this.places.push({ column, index });
  }

  fold(page: Page): Uint8Array {
    return page instanceof Int32Array ? foldIntegers(page) : deflateSync(page, { level: 1 });
  }

  unfold(folded: Uint8Array, page: Page): void {
    if (page instanceof Int32Array) unfoldIntegers(folded, page);
    else inflateSync(folded, { out: page });
  }
}

/** Bytes before the planes: the lag, the number of planes, and the first two numbers. */
const HEAD = 10;

/**
 * Numbers as differences to the one `lag` places before, in as few bytes each as the widest needs: first the lowest byte of
 * every difference, then the next. Quicker to undo than any compression, and columns are steps, lines and ids: near each other.
 */
export function foldIntegers(values: Int32Array): Uint8Array {
  const widths = [0, 1, 2].map((lag) => widthOf(values, lag));
  const lag = widths.indexOf(Math.min(...widths));
  const planes = widths[lag] as number;
  const folded = new Uint8Array(HEAD + planes * values.length);
  folded.set([lag, planes]);
  const head = new DataView(folded.buffer, 2);
  for (let index = 0; index < lag; index++) head.setInt32(4 * index, values[index] as number);
  for (let index = lag; index < values.length; index++) {
    let difference = (values[index] as number) - (lag === 0 ? 0 : (values[index - lag] as number));
    for (let place = HEAD + index; place < folded.length; place += values.length) {
      folded[place] = difference;
      difference >>= 8;
    }
  }
  return folded;
}

/** Undoes `foldIntegers` into `values`, which are as many as there were. */
export function unfoldIntegers(folded: Uint8Array, values: Int32Array): void {
  const [lag, planes] = folded as unknown as [number, number];
  const head = new DataView(folded.buffer, folded.byteOffset + 2);
  const [count, spare] = [values.length, 32 - 8 * planes];
  for (let index = 0; index < lag; index++) values[index] = head.getInt32(4 * index);
  for (let index = lag; index < count; index++) {
    let value = 0;
    for (let place = HEAD + (planes - 1) * count + index; place >= HEAD; place -= count)
      value = (value << 8) | (folded[place] as number);
    values[index] = ((value << spare) >> spare) + (lag === 0 ? 0 : (values[index - lag] as number));
  }
}

/** How many bytes the widest difference takes, 5 when it is more than a signed 32-bit number. */
function widthOf(values: Int32Array, lag: number): number {
  let bits = 0;
  for (let index = lag; index < values.length; index++) {
    const difference = (values[index] as number) - (lag === 0 ? 0 : (values[index - lag] as number));
    if (difference !== (difference | 0)) return 5;
    bits |= difference ^ (difference >> 31);
  }
  return ((32 - Math.clz32(bits)) >> 3) + 1;
}
