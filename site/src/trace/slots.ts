import { Ints, type Pager } from "./columns.ts";
import { Histories } from "./histories.ts";

const MOST_FILLED = 0.6;

/**
 * The variables of many owners (frames, or global namespaces): each (owner, name) is a slot, and each slot has the list
 * of the change rows that set it. An owner's slots are chained in the order in which they were first seen.
 */
export class Slots {
  readonly rows: Histories;
  private readonly owners: Ints;
  private readonly names: Ints;
  private readonly nexts: Ints;
  private readonly firsts: Ints;
  private readonly lasts: Ints;
  private table = new Int32Array(64).fill(-1);
  /** Unknown to whoever writes a trace, so that no file can make every name fall into one place. */
  private readonly seed = (Math.random() * 0x7fffffff) | 1;

  constructor(private readonly pager?: Pager) {
    this.rows = new Histories(pager);
    this.owners = new Ints(pager);
    this.names = new Ints(pager);
    this.nexts = new Ints(pager);
    this.firsts = new Ints(pager);
    this.lasts = new Ints(pager);
  }

  add(owner: number, name: number, row: number): void {
    const slot = this.find(owner, name);
    this.rows.add(slot < 0 ? this.create(owner, name) : slot, row);
  }

  /** The slot of a variable, −1 when no row ever set it. */
  find(owner: number, name: number): number {
    return this.table[this.place(owner, name)] as number;
  }

  name(slot: number): number {
    return this.names.at(slot);
  }

  /** Slots of one owner in the order of first sight. */
  *of(owner: number): Generator<number> {
    let slot = owner < this.firsts.length ? this.firsts.at(owner) : -1;
    for (; slot >= 0; slot = this.nexts.at(slot)) yield slot;
  }

  trim(): void {
    this.rows.trim();
    for (const column of [this.owners, this.names, this.nexts, this.firsts, this.lasts]) column.trim();
  }

  private create(owner: number, name: number): number {
    if (this.names.length >= this.table.length * MOST_FILLED) this.grow();
    const slot = this.rows.create();
    this.owners.push(owner);
    this.names.push(name);
    this.nexts.push(-1);
    this.table[this.place(owner, name)] = slot;
    this.chain(owner, slot);
    return slot;
  }

  private chain(owner: number, slot: number): void {
    this.firsts.fill(owner + 1, -1);
    this.lasts.fill(owner + 1, -1);
    const last = this.lasts.at(owner);
    if (last < 0) this.firsts.set(owner, slot);
    else this.nexts.set(last, slot);
    this.lasts.set(owner, slot);
  }

  /** Where the table holds the slot, or would: open addressing with linear probing. */
  private place(owner: number, name: number): number {
    const mask = this.table.length - 1;
    let hash = Math.imul(owner ^ this.seed, 0x9e3779b1) ^ Math.imul(name + this.seed, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    for (let place = (hash ^ (hash >>> 13)) & mask; ; place = (place + 1) & mask) {
      const slot = this.table[place] as number;
      if (slot < 0 || (this.owners.at(slot) === owner && this.names.at(slot) === name)) return place;
    }
  }

  private grow(): void {
    this.pager?.weigh(this.table.byteLength);
    this.table = new Int32Array(this.table.length * 2).fill(-1);
    for (let slot = 0; slot < this.names.length; slot++) {
      this.table[this.place(this.owners.at(slot), this.names.at(slot))] = slot;
    }
  }
}
