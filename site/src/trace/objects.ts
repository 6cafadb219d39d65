import { type Columns, Ints, type Pager } from "./columns.ts";
import { insist, TraceError } from "./error.ts";
import { Histories } from "./histories.ts";
import { ATTRIBUTES, FULL, LAST_SHAPE, SHAPE, SPLICE } from "./layout.ts";
import type { Strings } from "./strings.ts";
import { NO_ROWS, type Rows } from "./writes.ts";

/**
 * Contents put together from splices are kept for the next question: walking a loop asks for neighbours. So many slots in all, an
 * array's own weight among them.
 */
const KEPT = 2 ** 21;
const WEIGHT = 64;
/** Of a long row of splices so many are applied at most when something near was asked before. */
const STRIDE = 256;
/** Versions after which an object is busy: to look at so many takes less than a millisecond. */
const MANY = 256;

/** Where in a version's slots its own ones and its attributes lie. */
export interface Parts {
  readonly start: number;
  readonly end: number;
  /** The attributes reach from `end` to the last slot. */
  readonly attributes: boolean;
}

/** The versions of all objects: which one holds when, and what it holds. */
export class Objects {
  /** Objects that got many versions since they were last taken out of here. */
  readonly busy = new Set<number>();
  /** For each object id the rows that brought a version of it. */
  private readonly rows: Histories;
  /** Rows that bring any object's version. */
  private readonly allRows: Ints;
  private readonly currents: Ints;
  private readonly latests: Ints;
  private readonly previous: Ints;
  private readonly starts: Ints;
  private readonly sizes: Ints;
  private readonly spliced: Ints;
  private readonly contents = new Map<number, Int32Array>();
  private kept = 0;

  constructor(
    private readonly columns: Columns,
    private readonly strings: Strings,
    pager?: Pager,
  ) {
    this.rows = new Histories(pager);
    this.allRows = new Ints(pager);
    this.currents = new Ints(pager);
    this.latests = new Ints(pager);
    this.previous = new Ints(pager);
    this.starts = new Ints(pager);
    this.sizes = new Ints(pager);
    this.spliced = new Ints(pager);
    this.starts.push(0);
  }

  /** Takes in the versions that the columns have and this has not. */
  grow(): void {
    const { versionObject, slot } = this.columns;
    this.latests.fill(versionObject.length + 1, -1);
    this.currents.fill(versionObject.length + 1, -1);
    while (this.rows.length <= versionObject.length) this.rows.create();
    for (let version = this.sizes.length; version < versionObject.length; version++) this.addVersion(version);
    insist(this.starts.at(this.sizes.length) === slot.length, "slots follow the last version");
  }

  /** Row `row` says that `object` is now as `version` says. */
  addRow(row: number, object: number, version: number): void {
    const { versionObject } = this.columns;
    insist(
      version >= 0 && version < versionObject.length,
      () => `row ${row} names version ${version} of ${versionObject.length}`,
    );
    insist(versionObject.at(version) === object, () => `row ${row} gives object ${object} the version of another one`);
    insist(
      this.previous.at(version) === this.currents.at(object),
      () => `row ${row} takes object ${object}'s versions out of order`,
    );
    this.currents.set(object, version);
    if (this.rows.add(object, row) % MANY === 0) this.busy.add(object);
    this.allRows.push(row);
  }

  /** Refuses values that are no atom and no object seen so far. */
  checkRef(ref: number): void {
    if (ref > 0) this.strings.checkAtom(ref);
    else if (ref < 0) {
      const known = -ref < this.currents.length && this.currents.at(-ref) >= 0;
      if (!known) throw new TraceError(`object ${-ref} is named before it was seen`);
    }
  }

  /** Refuses a version that holds objects which were not seen so far. */
  checkHeld(version: number): void {
    const start = this.starts.at(version);
    const end = this.starts.at(version + 1);
    const { slot, versionForm, versionShape } = this.columns;
    const spliced = versionForm.at(version) === SPLICE;
    if (spliced && !isUniform(versionShape.at(version))) {
      this.checkHeldIn(this.slots(version));
      return;
    }
    // The head of a splice is two counts; those of the other shapes are never negative.
    for (let at = spliced ? start + 2 : start; at < end; at++) if (slot.at(at) < 0) this.checkRef(slot.at(at));
  }

  /** The version of `object` that holds before row `limit`, −1 if it was not seen by then. */
  version(object: number, limit: number): number {
    if (object >= this.rows.length) return -1;
    const row = this.rows.before(object, limit);
    return row < 0 ? -1 : this.columns.rowValue.at(row);
  }

  /** The row that brought that version, −1 if there is none. */
  row(object: number, limit: number): number {
    return object < this.rows.length ? this.rows.before(object, limit) : -1;
  }

  /** All rows before `limit` that brought a version of `object`. */
  history(object: number, limit: number): Rows {
    return object < this.rows.length ? this.rows.rows(object, limit) : NO_ROWS;
  }

  /** Whether any object took a new version in rows `from` to before `to`. */
  anyBetween(from: number, to: number): boolean {
    const at = this.allRows.above(from - 1);
    return at < this.allRows.length && this.allRows.at(at) < to;
  }

  isSplice(version: number): boolean {
    return this.columns.versionForm.at(version) === SPLICE;
  }

  shape(version: number): number {
    return this.columns.versionShape.at(version);
  }

  typeName(version: number): string {
    return this.strings.text(this.columns.versionType.at(version));
  }

  /** The real number of items. */
  length(version: number): number {
    return this.columns.versionLength.at(version);
  }

  /** The slots of a version, splices applied. Not to be written to. */
  slots(version: number): Int32Array {
    if (this.columns.versionForm.at(version) === FULL) return this.written(version);
    const kept = this.contents.get(version);
    if (kept) {
      this.contents.delete(version);
      this.contents.set(version, kept);
      return kept;
    }
    const built = this.build(version);
    if (!isUniform(this.shape(version))) this.checkSlots(this.shape(version), built);
    this.keep(version, built);
    return built;
  }

  parts(version: number): Parts {
    return partsOf(this.shape(version), this.slots(version));
  }

  /** Whether two versions of one object say the same. */
  same(left: number, right: number): boolean {
    if (left === right) return true;
    const { versionShape, versionType, versionLength } = this.columns;
    for (const column of [versionShape, versionType, versionLength]) {
      if (column.at(left) !== column.at(right)) return false;
    }
    const one = this.slots(left);
    const other = this.slots(right);
    if (one.length !== other.length || (this.shape(left) & ATTRIBUTES && one[0] !== other[0])) return false;
    return one.every((ref, index) => this.strings.same(ref, other[index] as number));
  }

  /** The refs that a version holds, attributes included. */
  *refs(version: number): Generator<number> {
    const shape = this.shape(version);
    const slots = this.slots(version);
    const { start, end, attributes } = partsOf(shape, slots);
    yield* ownRefs(shape & ~ATTRIBUTES, slots, start, end);
    if (attributes) for (let at = end + 1; at < slots.length; at += 2) yield slots[at] as number;
  }

  trim(): void {
    this.rows.trim();
    const { allRows, currents, latests, previous, starts, sizes, spliced } = this;
    for (const column of [allRows, currents, latests, previous, starts, sizes, spliced]) column.trim();
  }

  private addVersion(version: number): void {
    const { versionObject, versionShape, versionType, versionLength, versionForm, versionCount, slot } = this.columns;
    const object = versionObject.at(version);
    const count = versionCount.at(version);
    const start = this.starts.at(version);
    insist(object > 0 && object <= versionObject.length, () => `version ${version} is of object ${object}`);
    insist(isShape(versionShape.at(version)), () => `version ${version} has shape ${versionShape.at(version)}`);
    insist(versionLength.at(version) >= 0, () => `version ${version} has length ${versionLength.at(version)}`);
    insist(count >= 0 && count <= slot.length - start, () => `version ${version} has no room for its ${count} slots`);
    this.strings.checkId(versionType.at(version), `the type of version ${version}`);
    this.starts.push(start + count);
    this.previous.push(this.latests.at(object));
    this.latests.set(object, version);
    if (versionForm.at(version) === FULL) this.addFull(version, count);
    else this.addSplice(version, start, count);
  }

  private addFull(version: number, count: number): void {
    this.checkSlots(this.shape(version), this.written(version));
    this.checkLength(version, count);
    this.sizes.push(count);
    this.spliced.push(0);
  }

  private addSplice(version: number, start: number, count: number): void {
    const { versionForm, versionShape, versionType, slot } = this.columns;
    const before = this.previous.at(version);
    insist(versionForm.at(version) === SPLICE, () => `version ${version} has form ${versionForm.at(version)}`);
    insist(before >= 0 && count >= 2, () => `version ${version} is a splice of nothing`);
    for (const column of [versionShape, versionType]) {
      insist(column.at(version) === column.at(before), () => `version ${version} splices a version of another type`);
    }
    const from = slot.at(start);
    const removed = slot.at(start + 1);
    const size = this.sizes.at(before);
    insist(
      from >= 0 && removed >= 0 && from <= size && removed <= size - from,
      () => `version ${version} cuts outside its ${size} slots`,
    );
    const grown = size - removed + count - 2;
    const spliced = this.spliced.at(before) + count;
    // The writer's rule bounds it by the full form; twice that is no chain that takes long to follow.
    insist(spliced <= 2 * grown + 8, () => `version ${version} lies too far from a full one`);
    this.sizes.push(grown);
    this.spliced.push(spliced);
    if (isUniform(this.shape(version))) this.checkUniform(version, start + 2, start + count, grown);
  }

  private checkUniform(version: number, start: number, end: number, size: number): void {
    const { slot } = this.columns;
    for (let at = start; at < end; at++) this.checkValue(slot.at(at));
    insist(this.shape(version) !== SHAPE.dict || size % 2 === 0, () => `version ${version} leaves half an entry`);
    this.checkLength(version, size);
  }

  private checkLength(version: number, size: number): void {
    const shape = this.shape(version);
    const items = shape === SHAPE.dict ? size / 2 : size;
    if (isUniform(shape)) insist(this.length(version) >= items, () => `version ${version} holds more than its length`);
  }

  private checkHeldIn(slots: Int32Array): void {
    for (const value of slots) if (value < 0) this.checkRef(value);
  }

  /** A ref in its form only: whether the object was seen by then is asked when its row comes. */
  private checkValue(ref: number): void {
    if (ref > 0) this.strings.checkAtom(ref);
    else insist(ref < 0 && -ref <= this.columns.versionObject.length, () => `a version holds ref ${ref}`);
  }

  private checkName(value: number): void {
    this.strings.checkId(value - 1, "a version");
  }

  /** Refuses slots that do not fit their shape. */
  private checkSlots(shape: number, slots: Int32Array): void {
    const { start, end, attributes } = partsOf(shape, slots);
    const own = shape & ~ATTRIBUTES;
    const count = end - start;
    const fixed = FIXED[own];
    insist(fixed === undefined || count === fixed, () => `a version of shape ${shape} has ${count} slots`);
    insist(own !== SHAPE.dict || count % 2 === 0, "a dict has half an entry");
    // A cell object that is empty may leave its slot out.
    insist(own !== SHAPE.cell || count <= 1, "a cell has more than one slot");
    if (own === SHAPE.cell && count === 1 && slots[start] === 0) return;
    if (NAMED[own] !== undefined) this.checkName(slots[start + (NAMED[own] as number)] as number);
    for (const ref of ownRefs(own, slots, start, end)) this.checkValue(ref);
    if (!attributes) return;
    insist((slots.length - end) % 2 === 0, "a version has half an attribute");
    for (let at = end; at < slots.length; at += 2) {
      this.checkName(slots[at] as number);
      this.checkValue(slots[at + 1] as number);
    }
  }

  /** The slots as they stand in the trace: of a splice, the splice. */
  written(version: number): Int32Array {
    return this.columns.slot.view(this.starts.at(version), this.starts.at(version + 1));
  }

  /** Applies the splices since the last full version, or since one whose contents are at hand. */
  private build(version: number): Int32Array {
    const chain: number[] = [];
    let at = version;
    let most = 0;
    while (this.columns.versionForm.at(at) === SPLICE && !this.contents.has(at)) {
      chain.push(at);
      most = Math.max(most, this.sizes.at(at));
      at = this.previous.at(at);
    }
    const base = this.contents.get(at) ?? this.written(at);
    const buffer = new Int32Array(Math.max(most, base.length));
    buffer.set(base);
    let size = base.length;
    for (const [index, splice] of chain.reverse().entries()) {
      size = applySplice(buffer, size, this.written(splice));
      if (index % STRIDE === STRIDE - 1 && index < chain.length - 1) this.keep(splice, buffer.slice(0, size));
    }
    return buffer.slice(0, size);
  }

  private keep(version: number, slots: Int32Array): void {
    this.kept += slots.length + WEIGHT;
    for (const [oldest, { length }] of this.contents) {
      if (this.kept <= KEPT) break;
      this.contents.delete(oldest);
      this.kept -= length + WEIGHT;
    }
    this.contents.set(version, slots);
  }
}

function applySplice(buffer: Int32Array, size: number, splice: Int32Array): number {
  const [from, removed] = splice as unknown as [number, number];
  const added = splice.length - 2;
  buffer.copyWithin(from + added, from + removed, size);
  buffer.set(splice.subarray(2), from);
  return size - removed + added;
}

/** How many own slots a shape has, where that is fixed. */
const FIXED: Readonly<Record<number, number>> = {
  [SHAPE.opaque]: 0,
  [SHAPE.function]: 1,
  [SHAPE.class]: 1,
  [SHAPE.module]: 1,
  [SHAPE.bytearray]: 1,
  [SHAPE.generator]: 2,
  [SHAPE.coroutine]: 2,
  [SHAPE.asyncGenerator]: 2,
  [SHAPE.range]: 3,
  [SHAPE.slice]: 3,
  [SHAPE.method]: 2,
};

/** Which own slot of a shape is a name. */
const NAMED: Readonly<Record<number, number>> = {
  [SHAPE.function]: 0,
  [SHAPE.class]: 0,
  [SHAPE.module]: 0,
  [SHAPE.generator]: 0,
  [SHAPE.coroutine]: 0,
  [SHAPE.asyncGenerator]: 0,
  [SHAPE.method]: 1,
};

function isShape(shape: number): boolean {
  const own = shape & ~ATTRIBUTES;
  return own <= LAST_SHAPE && (own !== SHAPE.exception || shape !== own);
}

/** Whether every slot is a ref wherever it stands. */
function isUniform(shape: number): boolean {
  return shape >= SHAPE.list && shape <= SHAPE.dict;
}

function partsOf(shape: number, slots: Int32Array): Parts {
  if ((shape & ATTRIBUTES) === 0) {
    const instance = shape === SHAPE.instance;
    return { start: 0, end: instance ? 0 : slots.length, attributes: instance };
  }
  const count = slots[0] ?? -1;
  insist(count >= 0 && count < slots.length, () => `a version counts ${count} of its ${slots.length} slots`);
  return { start: 1, end: 1 + count, attributes: true };
}

function* ownRefs(shape: number, slots: Int32Array, start: number, end: number): Generator<number> {
  const name = NAMED[shape];
  for (let at = start; at < end; at++) {
    if (at - start !== name && !(shape === SHAPE.cell && slots[at] === 0)) yield slots[at] as number;
  }
}
