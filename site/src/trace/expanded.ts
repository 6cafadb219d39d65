import { atomText } from "./atoms.ts";
import { SHAPE } from "./layout.ts";
import type { Tables } from "./tables.ts";
import { type Contents, contentsOf } from "./view.ts";

/** A value in the form of `tracepane show --json` (docs/reference/expanded-json.md). */
export interface Expanded {
  type?: string;
  /** Of objects. An object that was written out before in the same value is its id alone. */
  id?: number;
  text?: string;
  name?: string;
  /** How many there really were, where not all are here. */
  length?: number;
  items?: Expanded[];
  entries?: [Expanded, Expanded][];
  attributes?: Record<string, Expanded>;
}

/** What one value unfolds to at most, the same as in Python (record/trace/expanded.py): levels, and values inside it. */
const DEEPEST = 60;
const LARGEST = 5_000;

/** A place in the result that still waits for the value of a ref. */
interface Gap {
  readonly ref: number;
  readonly holder: Record<string | number, Expanded>;
  readonly key: string | number;
  readonly depth: number;
}

/** Expands a value without recursion. An object is written out where it is met first in reading order. */
export function expand(tables: Tables, ref: number, limit: number): Expanded {
  const seen = new Set<number>();
  const result = { value: {} as Expanded };
  const gaps: Gap[] = [{ ref, holder: result, key: "value", depth: 0 }];
  let room = LARGEST;
  for (let gap = gaps.pop(); gap; gap = gaps.pop()) {
    if (gap.ref > 0) gap.holder[gap.key] = expandAtom(tables, gap.ref);
    else if (seen.has(-gap.ref)) gap.holder[gap.key] = { id: -gap.ref };
    else {
      seen.add(-gap.ref);
      const version = tables.objects.version(-gap.ref, limit);
      const level = new Level(tables, version, gap.depth < DEEPEST ? room : 0, gap.depth + 1);
      gap.holder[gap.key] = level.node(-gap.ref);
      room -= level.gaps.length;
      for (const inner of level.gaps.reverse()) gaps.push(inner);
    }
  }
  return result.value;
}

function expandAtom(tables: Tables, ref: number): Expanded {
  const form = tables.strings.atom(ref);
  return { type: form.type, text: atomText(form), ...(form.length === undefined ? {} : { length: form.length }) };
}

/** Shapes whose length counts their items. */
const COUNTED = new Set<number>([
  SHAPE.list,
  SHAPE.tuple,
  SHAPE.set,
  SHAPE.frozenset,
  SHAPE.deque,
  SHAPE.template,
  SHAPE.exception,
]);

/** One object being written out, with the gaps for what it holds. */
class Level {
  readonly gaps: Gap[] = [];
  private readonly shape: number;
  private readonly contents: Contents;

  constructor(
    private readonly tables: Tables,
    private readonly version: number,
    private readonly room: number,
    private readonly depth: number,
  ) {
    this.shape = tables.objects.shape(version) & 127;
    this.contents = contentsOf(tables, version);
  }

  node(id: number): Expanded {
    const { text, items, entries, attributes } = this.contents;
    const node: Expanded = { type: this.tables.objects.typeName(this.version), id };
    if (text !== undefined) node.name = text;
    if (items) this.addItems(node, items);
    if (entries) this.addEntries(node, entries);
    if (attributes && (attributes.length > 0 || this.shape === SHAPE.instance)) this.addAttributes(node, attributes);
    return node;
  }

  private addItems(node: Expanded, refs: readonly number[]): void {
    const kept = refs.slice(0, Math.max(this.room, 0));
    node.items = this.fill(new Array<Expanded>(kept.length), kept.entries());
    const real = Math.max(COUNTED.has(this.shape) ? this.tables.objects.length(this.version) : 0, refs.length);
    if (kept.length < real) node.length = real;
  }

  private addEntries(node: Expanded, pairs: readonly (readonly [number, number])[]): void {
    const kept = pairs.slice(0, Math.max(this.room >> 1, 0));
    node.entries = kept.map((pair) => this.fill([{}, {}] as [Expanded, Expanded], pair.entries()));
    const real = Math.max(this.tables.objects.length(this.version), pairs.length);
    if (kept.length < real) node.length = real;
  }

  private addAttributes(node: Expanded, pairs: readonly (readonly [string, number])[]): void {
    const kept = pairs.slice(0, Math.max(this.room - this.gaps.length, 0));
    // With a prototype an attribute that is called __proto__ would vanish.
    node.attributes = this.fill(Object.create(null) as Record<string, Expanded>, kept);
    if (kept.length < pairs.length) node.length = pairs.length;
  }

  /** Notes that `holder` waits for the values of `refs`. Names get their place now, so that they keep their order. */
  private fill<T extends object>(holder: T, refs: Iterable<readonly [string | number, number]>): T {
    const places = holder as Record<string | number, Expanded>;
    for (const [key, ref] of refs) {
      places[key] = {};
      this.gaps.push({ ref, holder: places, key, depth: this.depth });
    }
    return holder;
  }
}
