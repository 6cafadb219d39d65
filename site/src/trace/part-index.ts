import { Ints, KEEPING, type Pager } from "./columns.ts";
import { ATTRIBUTES, SHAPE } from "./layout.ts";
import { Slots } from "./slots.ts";
import type { Tables } from "./tables.ts";
import { type Contents, contentsOf } from "./view.ts";

/** A part of an object: an item by its place, a member of a set or a dict's entry by its key's ref, an attribute by its name. */
export type Part =
  | readonly [kind: "item" | "member" | "entry", part: number]
  | readonly [kind: "attribute", part: string];

/** The row of an object's version and what a part is in it; `ref` 0: it ceased to exist. */
export interface Change {
  readonly row: number;
  readonly ref: number;
}

/** Slots that were taken out at a place, and those put in instead. */
interface Splice {
  readonly from: number;
  readonly removed: number;
  readonly added: number;
}

/**
 * When the parts of one object changed, and to what. Each version is looked at once, and of a splice only what it takes out and
 * puts in; after that every question is a search.
 */
export class PartIndex {
  /** Items moved to other places: each time as many changed as came after them, which are not kept. */
  private moved = false;
  /** For each part the changes that it took: an owner is a kind, a name an item's place, a ref, or a name's string id. */
  private readonly changes: Slots;
  private readonly rows: Ints;
  private readonly refs: Ints;
  /** What the version that was taken in last holds: refs of items, members or keys and values. */
  private slots = new Int32Array(16);
  private size = 0;
  private attributes: ReadonlyMap<number, number> = new Map();
  private taken = 0;

  constructor(
    private readonly tables: Tables,
    private readonly object: number,
    pager: Pager,
  ) {
    this.changes = new Slots(pager);
    this.rows = new Ints(pager);
    this.refs = new Ints(pager);
  }

  /** Takes in the versions that came since the last time. */
  grow(): void {
    const { objects, columns } = this.tables;
    const versions = objects.history(this.object, columns.rowTarget.length);
    for (; this.taken < versions.length; this.taken++) {
      const row = versions.at(this.taken);
      this.take(row, columns.rowValue.at(row));
    }
  }

  /** Whether it can tell of such parts. */
  has(kind: Part[0]): boolean {
    return kind !== "item" || !this.moved;
  }

  /** How many values a part took before row `limit`. */
  count(part: Part, limit: number): number {
    const slot = this.find(part);
    return slot < 0 ? 0 : this.changes.rows.count(slot, this.rows.above(limit - 1));
  }

  /** How a part came to its `index`th value. */
  change(part: Part, index: number): Change {
    const change = this.changes.rows.at(this.find(part), index);
    return { row: this.rows.at(change), ref: this.refs.at(change) };
  }

  /** The entry of a dict whose key is a str of this text. */
  entryOf(text: string): Part | null {
    const key = this.named("entry", `s${text}`);
    return key < 0 ? null : ["entry", this.changes.name(key)];
  }

  private find([kind, part]: Part): number {
    return kind === "attribute" ? this.named(kind, part) : this.changes.find(KINDS[kind], part);
  }

  /** The slot whose name has this text. */
  private named(kind: "entry" | "attribute", text: string): number {
    const { strings } = this.tables;
    for (const slot of this.changes.of(KINDS[kind])) {
      const name = this.changes.name(slot);
      if (name > 0 && strings.is(name - 1, text)) return slot;
    }
    return -1;
  }

  private take(row: number, version: number): void {
    const { objects } = this.tables;
    const shape = objects.shape(version);
    if (isPlain(shape)) {
      const written = objects.written(version);
      const [from, removed] = objects.isSplice(version) ? written : [0, this.size];
      const put = objects.isSplice(version) ? written.subarray(2) : written;
      this.put(row, shape, put, { from: from as number, removed: removed as number, added: put.length });
      return;
    }
    const parts = objects.parts(version);
    const slots = objects.slots(version);
    const held = isPlain(shape & ~ATTRIBUTES)
      ? slots.subarray(parts.start, parts.end)
      : Int32Array.from(contentsOf(this.tables, version).items ?? []);
    const splice = spliceOf(this.slots.subarray(0, this.size), held);
    this.put(row, shape, held.subarray(splice.from, splice.from + splice.added), splice);
    const attributes = entries(slots.subarray(parts.attributes ? parts.end : slots.length));
    this.compare(row, "attribute", this.attributes, attributes);
    this.attributes = attributes;
  }

  /** Puts `put` into the slots, and notes which parts that changed. */
  private put(row: number, shape: number, put: Int32Array, splice: Splice): void {
    const kind = shape & ~ATTRIBUTES;
    const { from, removed, added } = kind === SHAPE.dict ? pairUp(splice) : splice;
    const gone = this.slots.slice(from, from + removed);
    const behind = this.size - from - removed;
    this.apply(put, splice);
    const come = this.slots.subarray(from, from + added);
    if (kind === SHAPE.dict) this.compare(row, "entry", entries(gone), entries(come));
    else if (behind > 0 && removed !== added) this.moved = true;
    else if (!this.moved) this.compare(row, "item", places(gone, from), places(come, from));
    if (isSet(kind)) this.compare(row, "member", members(gone), members(come));
  }

  private apply(put: Int32Array, { from, removed, added }: Splice): void {
    const size = this.size - removed + added;
    if (Math.max(size, this.size) > this.slots.length) {
      const grown = new Int32Array(size * 2);
      grown.set(this.slots.subarray(0, this.size));
      this.slots = grown;
    }
    this.slots.copyWithin(from + added, from + removed, this.size);
    this.slots.set(put, from);
    this.size = size;
  }

  private compare(
    row: number,
    kind: Part[0],
    gone: ReadonlyMap<number, number>,
    come: ReadonlyMap<number, number>,
  ): void {
    for (const part of gone.keys()) if (!come.has(part)) this.note(row, kind, part, 0);
    for (const [part, ref] of come) if (gone.get(part) !== ref) this.note(row, kind, part, ref);
  }

  private note(row: number, kind: Part[0], part: number, ref: number): void {
    this.changes.add(KINDS[kind], part, this.rows.push(row));
    this.refs.push(ref);
  }
}

const KINDS = { item: 0, member: 1, entry: 2, attribute: 3 } as const;

/** The indexes of the objects of a trace: of those with many versions they are made as these come, of others when asked. */
export class PartIndexes {
  private readonly standing = new Map<number, PartIndex>();
  private readonly passing = new Map<number, PartIndex>();

  constructor(
    private readonly tables: Tables,
    private readonly pager: Pager,
  ) {}

  /** Takes in the versions of an object that has got many more of them. */
  grow(object: number): void {
    const index = this.standing.get(object) ?? new PartIndex(this.tables, object, this.pager);
    this.standing.set(object, index);
    index.grow();
  }

  /** The index of an object up to its newest version. */
  of(object: number): PartIndex {
    const index = this.standing.get(object) ?? this.passing.get(object) ?? new PartIndex(this.tables, object, KEEPING);
    if (!this.standing.has(object)) this.pass(object, index);
    index.grow();
    return index;
  }

  private pass(object: number, index: PartIndex): void {
    this.passing.delete(object);
    this.passing.set(object, index);
    if (this.passing.size > PASSING) this.passing.delete(this.passing.keys().next().value as number);
  }
}

/** How many of the small indexes are kept for the next question. */
const PASSING = 32;

/** The ref of a part in what a version holds, 0 when there is none such. */
export function refOf({ items = [], entries: held = [], attributes = [] }: Contents, [kind, part]: Part): number {
  if (kind === "item") return items[part] ?? 0;
  if (kind === "member") return items.includes(part) ? part : 0;
  const pairs: readonly (readonly [number | string, number])[] = kind === "entry" ? held : attributes;
  return pairs.find(([name]) => name === part)?.[1] ?? 0;
}

/** Whether every slot is a ref. */
const isPlain = (shape: number): boolean => shape >= SHAPE.list && shape <= SHAPE.dict;
const isSet = (shape: number): boolean => shape === SHAPE.set || shape === SHAPE.frozenset;

/** The splice with all that is alike at the start left out, then all that is alike at the end. */
function spliceOf(before: Int32Array, after: Int32Array): Splice {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from++;
  let end = 0;
  while (end < most - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from, removed: before.length - from - end, added: after.length - from - end };
}

/** A splice of keys and values, widened to whole entries. */
function pairUp({ from, removed, added }: Splice): Splice {
  const before = from & 1;
  const after = (before + removed) & 1;
  return { from: from - before, removed: before + removed + after, added: before + added + after };
}

const members = (slots: Int32Array): Map<number, number> => new Map(Array.from(slots, (ref) => [ref, ref]));
const places = (slots: Int32Array, from: number): Map<number, number> =>
  new Map(Array.from(slots, (ref, index) => [from + index, ref]));

function entries(slots: Int32Array): Map<number, number> {
  const found = new Map<number, number>();
  for (let at = 0; at < slots.length; at += 2) found.set(slots[at] as number, slots[at + 1] as number);
  return found;
}
