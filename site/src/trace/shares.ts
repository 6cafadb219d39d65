import { Bytes, type Columns, Ints, type Pager } from "./columns.ts";
import { insist } from "./error.ts";
import { LARGEST, LONG, MOST_LINKS, TABLES, weigh } from "./layout.ts";

/** A part of a text that is looked for, and where in the whole it belongs. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly place: number;
}

/** What long texts share with one before them. They stay as the trace has them, and are put together when asked for. */
export class Shares {
  /** For each text that shares the row of the other one, −1 when that is whole. */
  private readonly others: Ints;
  /** And its whole length. */
  private readonly lengths: Ints;
  /** And over how many others it leads to one that is whole. */
  private readonly links: Bytes;
  /** Bytes that all of them share. */
  private total = 0;

  /** `starts` says where each string's own bytes begin; one more for the end. */
  constructor(
    private readonly columns: Columns,
    private readonly starts: Ints,
    pager?: Pager,
  ) {
    this.others = new Ints(pager);
    this.lengths = new Ints(pager);
    this.links = new Bytes(pager);
  }

  /** Takes in what the strings from `first` on share. */
  grow(first: number): void {
    const { shareString, shareOther, shareKept, shareTail } = this.columns;
    let last = first - 1;
    for (let share = this.lengths.length; share < shareString.length; share++) {
      const [id, other] = [shareString.at(share), shareOther.at(share)];
      insist(id > last && id < this.starts.length - 1, () => `what string ${id} shares is told in another place`);
      insist(other >= 0 && other < id, () => `string ${id} cannot share with string ${other}`);
      const [kept, tail, row] = [shareKept.at(share), shareTail.at(share), this.find(other)];
      this.check(id, other, kept, tail);
      this.total += kept + tail;
      this.others.push(row);
      this.lengths.push(this.ownLength(id) + kept + tail);
      this.links.push(row < 0 ? 1 : this.links.at(row) + 1);
      last = id;
    }
    const counts = TABLES.map(([name]) => this.columns[name as "slot"].length);
    insist(this.total + weigh(counts) <= LARGEST, "the texts unfold to more than a trace may have");
  }

  /** Bytes of the whole string. */
  length(id: number): number {
    return this.lengthOf(id, this.find(id));
  }

  /** One byte of the whole string. */
  byte(id: number, place: number): number {
    let [text, share, at] = [id, this.find(id), place];
    while (share >= 0) {
      const kept = this.columns.shareKept.at(share);
      const own = this.ownLength(text);
      if (at >= kept && at < kept + own) return this.columns.stringBytes.at(this.starts.at(text) + at - kept);
      const [other, next] = [this.columns.shareOther.at(share), this.others.at(share)];
      if (at >= kept) at += this.lengthOf(other, next) - this.lengths.at(share);
      [text, share] = [other, next];
    }
    return this.columns.stringBytes.at(this.starts.at(text) + at);
  }

  /** The whole string; never written to by the receiver. */
  bytes(id: number): Uint8Array {
    let [text, share] = [id, this.find(id)];
    if (share < 0) return this.own(id, 0, this.ownLength(id));
    const whole = new Uint8Array(this.lengths.at(share));
    let spans: Span[] = [{ start: 0, end: whole.length, place: 0 }];
    while (share >= 0) {
      spans = this.fill(whole, text, share, spans);
      [text, share] = [this.columns.shareOther.at(share), this.others.at(share)];
    }
    for (const { start, end, place } of spans) whole.set(this.own(text, start, end), place);
    return whole;
  }

  /** Fills in what a text has of its own; what is left must come of the other one, in whose places it is given. */
  private fill(whole: Uint8Array, text: number, share: number, spans: readonly Span[]): Span[] {
    const left = this.columns.shareKept.at(share);
    const right = left + this.ownLength(text);
    const other = this.lengthOf(this.columns.shareOther.at(share), this.others.at(share));
    const shift = other - this.lengths.at(share);
    const beyond: Span[] = [];
    for (const { start, end, place } of spans) {
      const [low, high, last] = [Math.max(start, left), Math.min(end, right), Math.max(start, right)];
      if (start < left) beyond.push({ start, end: Math.min(end, left), place });
      if (low < high) whole.set(this.own(text, low - left, high - left), place + low - start);
      if (last < end) beyond.push({ start: last + shift, end: end + shift, place: place + last - start });
    }
    return beyond;
  }

  private check(id: number, other: number, kept: number, tail: number): void {
    const row = this.find(other);
    const length = this.lengthOf(other, row);
    insist(
      kept >= 0 && tail >= 0 && kept + tail <= length && (row < 0 || this.links.at(row) < MOST_LINKS),
      () => `string ${id} shares what string ${other} cannot give`,
    );
    insist(this.ownLength(id) + kept + tail >= LONG, () => `string ${id} is too short to share`);
    for (const cut of [kept, length - tail])
      insist(
        cut === length || (this.byte(other, cut) & 0xc0) !== 0x80,
        () => `string ${id} takes part of a character of string ${other}`,
      );
  }

  /** The row that says what a string shares, −1 if it is whole. Rows that were not checked do not count. */
  private find(id: number): number {
    const share = this.columns.shareString.above(id, this.lengths.length) - 1;
    return share >= 0 && this.columns.shareString.at(share) === id ? share : -1;
  }

  private lengthOf(id: number, share: number): number {
    return share < 0 ? this.ownLength(id) : this.lengths.at(share);
  }

  private ownLength(id: number): number {
    return this.starts.at(id + 1) - this.starts.at(id);
  }

  private own(id: number, start: number, end: number): Uint8Array {
    const first = this.starts.at(id);
    return this.columns.stringBytes.view(first + start, first + end);
  }
}
