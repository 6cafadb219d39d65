import { type AtomForm, atomForm } from "./atoms.ts";
import { Bytes, type Columns, Ints, type Pager } from "./columns.ts";
import { insist, TraceError } from "./error.ts";
import { Shares } from "./shares.ts";

// A byte order mark at the start of a text is part of the text.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The string table. Texts are decoded when asked for: a long run has a million of them, a screen shows twenty. */
export class Strings {
  /** Where each string's own bytes begin. */
  private readonly starts: Ints;
  private readonly shares: Shares;
  /** For each string whether it was found to be a well-formed atom. */
  private readonly atoms: Bytes;

  constructor(
    private readonly columns: Columns,
    pager?: Pager,
  ) {
    this.starts = new Ints(pager);
    this.atoms = new Bytes(pager);
    this.starts.push(0);
    this.shares = new Shares(columns, this.starts, pager);
  }

  get length(): number {
    return this.starts.length - 1;
  }

  /** Takes in the strings that the columns have and this table has not. */
  grow(): void {
    const { stringLength, stringBytes } = this.columns;
    const known = this.length;
    const first = this.starts.at(known);
    let end = first;
    for (let id = known; id < stringLength.length; id++) {
      const size = stringLength.at(id);
      insist(size >= 0 && size <= stringBytes.length - end, () => `string ${id} has no room for its ${size} bytes`);
      insist(size === 0 || (stringBytes.at(end) & 0xc0) !== 0x80, () => `string ${id} starts inside a character`);
      end += size;
      this.starts.push(end);
    }
    insist(end === stringBytes.length, "bytes follow the last string");
    checkText(stringBytes.view(first, end));
    this.shares.grow(known);
    this.atoms.fill(this.length, 0);
  }

  text(id: number): string {
    if (id < 0 || id >= this.length) throw new TraceError(`there is no string ${id}`);
    return decoder.decode(this.shares.bytes(id));
  }

  /** Whether string `id` is this text; told by its length without decoding, where that differs. */
  is(id: number, text: string): boolean {
    const length = this.shares.length(id);
    return length >= text.length && length <= 3 * text.length && this.text(id) === text;
  }

  /** Whether two refs are the same value: the table may have an atom more than once. */
  same(one: number, other: number): boolean {
    if (one === other) return true;
    if (one <= 0 || other <= 0 || Math.max(one, other) > this.length) return false;
    return this.shares.length(one - 1) === this.shares.length(other - 1) && this.text(one - 1) === this.text(other - 1);
  }

  atom(ref: number): AtomForm {
    return atomForm(this.text(ref - 1));
  }

  /** The letter that tells an atom's type. */
  letter(ref: number): number {
    return this.shares.byte(ref - 1, 0);
  }

  /** Whether string `ref - 1` is the text of an atom; each text is looked at once. */
  checkAtom(ref: number): void {
    const id = ref - 1;
    insist(id < this.length, () => `a value names string ${id} of ${this.length}`);
    if (this.atoms.at(id) === 1) return;
    if (!this.isPlain(id)) atomForm(this.text(id));
    this.atoms.set(id, 1);
  }

  checkId(id: number, what: string): void {
    if (id < 0 || id >= this.length) throw new TraceError(`${what} names string ${id} of ${this.length}`);
  }

  /** Decimal integers and texts, told without decoding: nearly all atoms of a long run are of these. */
  private isPlain(id: number): boolean {
    const bytes = this.columns.stringBytes;
    const [start, end] = [this.starts.at(id), this.starts.at(id + 1)];
    const length = this.shares.length(id);
    const letter = length > 0 ? this.shares.byte(id, 0) : 0;
    if (letter === 0x73) return true;
    if (letter !== 0x69 || length > end - start || bytes.at(start + 1) === 0x30) return false;
    let at = start + 1;
    while (at < end && bytes.at(at) >= 0x30 && bytes.at(at) <= 0x39) at++;
    return at === end && end > start + 1 && end < start + 4000;
  }
}

function checkText(bytes: Uint8Array): void {
  try {
    decoder.decode(bytes);
  } catch {
    throw new TraceError("the string table is not UTF-8");
  }
}
