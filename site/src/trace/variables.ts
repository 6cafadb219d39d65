import { Changes } from "./changes.ts";
import { OBJECT, SHAPE } from "./layout.ts";
import type { Slots } from "./slots.ts";
import type { Tables } from "./tables.ts";
import { NO_ROWS, type Rows } from "./writes.ts";

export type Scope = "local" | "closure" | "global";

export interface Variable {
  readonly scope: Scope;
  readonly name: string;
  /** The value at the step; of a variable that several frames share, what its cell holds. */
  readonly ref: number;
  /** The deep value differs from what it was at the frame's event before. */
  readonly changed: boolean;
  /** The interpreter binds this name, the program's author did not write it. */
  readonly hidden: boolean;
}

/** A variable found by name. `slots` and `slot` say where its history lies. */
interface Place {
  readonly scope: Scope;
  readonly slots: Slots;
  readonly slot: number;
}

// What the compiler and the import system bind in modules, class bodies and functions, and annotations' machinery.
const UNWRITTEN = new Set(
  `__annotate__ __annotate_func__ __annotations__ __annotations_cache__ __build_class__ __builtins__ __cached__ __class__
  __classcell__ __classdict__ __classdictcell__ __conditional_annotations__ __debug__ __doc__ __file__ __firstlineno__ __loader__
  __module__ __name__ __package__ __path__ __qualname__ __spec__ __static_attributes__ __type_params__ __warningregistry__`.split(
    /\s+/,
  ),
);

/** Names that no learner wrote: the interpreter's, and those that are no names at all, such as `.0` of a comprehension. */
export function isHidden(name: string): boolean {
  return name.startsWith(".") || UNWRITTEN.has(name);
}

/** Variables of frames at a moment, found in the histories. A moment is a row limit: the rows before it hold. */
export class Variables {
  constructor(private readonly tables: Tables) {}

  /** Variables of `frame` with the values of moment `now`, changed since moment `before`. */
  at(frame: number, before: number, now: number): Variable[] {
    const changes = new Changes(this.tables.objects, before, now);
    return [...this.places(frame)].flatMap((place) => {
      const ref = this.value(place, now);
      if (ref === 0) return [];
      const name = this.tables.strings.text(place.slots.name(place.slot));
      const changed = !this.tables.strings.same(this.value(place, before), ref) || changes.reaches(ref);
      return [{ scope: place.scope, name, ref, changed, hidden: isHidden(name) }];
    });
  }

  /** Whether what `ref` holds differs between two moments. */
  differs(ref: number, before: number, now: number): boolean {
    return new Changes(this.tables.objects, before, now).reaches(ref);
  }

  /** Names that had a value at `before` and have none at `now`. */
  gone(frame: number, before: number, now: number): { scope: Scope; name: string }[] {
    return [...this.places(frame)]
      .filter((place) => this.value(place, before) !== 0 && this.value(place, now) === 0)
      .map(({ scope, slots, slot }) => ({ scope, name: this.tables.strings.text(slots.name(slot)) }));
  }

  /** The rows that gave the variable its values before `now`, oldest first; of one that frames share, those of its cell. */
  rows(frame: number, scope: Scope, name: string, now: number): Rows {
    const place = this.find(frame, scope, name);
    if (!place) return NO_ROWS;
    const cell = this.cell(place, now);
    return cell === 0 ? place.slots.rows.rows(place.slot, now) : this.tables.objects.history(cell, now);
  }

  /** The value that one of those rows gave. */
  written(row: number): number {
    const { columns, objects } = this.tables;
    const ref = columns.rowValue.at(row);
    return (columns.rowTarget.at(row) & 3) === OBJECT ? (objects.slots(ref)[0] ?? 0) : ref;
  }

  /** The row that gave the variable the value that it has at `now`, −1 when it has none. */
  lastRow(frame: number, scope: Scope, name: string, now: number): number {
    const place = this.find(frame, scope, name);
    if (!place || this.value(place, now) === 0) return -1;
    const cell = this.cell(place, now);
    return cell === 0 ? place.slots.rows.before(place.slot, now) : this.tables.objects.row(cell, now);
  }

  private find(frame: number, scope: Scope, name: string): Place | undefined {
    for (const place of this.places(frame)) {
      if (place.scope === scope && this.tables.strings.text(place.slots.name(place.slot)) === name) return place;
    }
    return undefined;
  }

  /** The object id of the cell that the variable is bound to at `now`, 0 when it is bound to none. */
  private cell(place: Place, now: number): number {
    const row = place.slots.rows.before(place.slot, now);
    const ref = row < 0 ? 0 : this.tables.columns.rowValue.at(row);
    const version = ref < 0 ? this.tables.objects.version(-ref, now) : -1;
    return version >= 0 && this.tables.objects.shape(version) === SHAPE.cell ? -ref : 0;
  }

  /** What a row sets, the contents of a cell at moment `now` taken for the cell. */
  private contents(ref: number, now: number): number {
    if (ref >= 0) return ref;
    const { objects } = this.tables;
    const version = objects.version(-ref, now);
    return version >= 0 && objects.shape(version) === SHAPE.cell ? (objects.slots(version)[0] ?? 0) : ref;
  }

  private value(place: Place, limit: number): number {
    const row = place.slots.rows.before(place.slot, limit);
    return row < 0 ? 0 : this.contents(this.tables.columns.rowValue.at(row), limit);
  }

  private *places(frame: number): Generator<Place> {
    const { locals, closures, globals, columns } = this.tables;
    for (const slot of locals.of(frame)) yield { scope: "local", slots: locals, slot };
    for (const slot of closures.of(frame)) yield { scope: "closure", slots: closures, slot };
    for (const slot of globals.of(columns.frameGlobals.at(frame))) yield { scope: "global", slots: globals, slot };
  }
}
