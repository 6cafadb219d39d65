import { atomLength, atomText } from "./atoms.ts";
import { SHAPE } from "./layout.ts";
import type { Tables } from "./tables.ts";
import { contentsOf } from "./view.ts";

/** A value in the form of `tracepane show --json`. An object that was met before in the same value is its id alone. */
export interface Expanded {
  type?: string;
  id?: number;
  text?: string;
  name?: string;
  state?: string;
  length?: number;
  items?: Expanded[];
  entries?: [Expanded, Expanded][];
  attributes?: Record<string, Expanded>;
}

/** A place in the result that still waits for the value of a ref. */
interface Gap {
  readonly ref: number;
  readonly holder: Record<string | number, Expanded>;
  readonly key: string | number;
}

/** Expands a value without recursion, so that a list nested a hundred thousand deep is only long. */
export function expand(tables: Tables, ref: number, limit: number): Expanded {
  const seen = new Set<number>();
  const result = { value: {} as Expanded };
  const gaps: Gap[] = [{ ref, holder: result, key: "value" }];
  for (let gap = gaps.pop(); gap; gap = gaps.pop()) {
    const parts: Gap[] = [];
    gap.holder[gap.key] = expandRef(tables, gap.ref, limit, seen, parts);
    // The first part is taken first: an object is written out where it is met first in reading order.
    for (const part of parts.reverse()) gaps.push(part);
  }
  return result.value;
}

function expandRef(tables: Tables, ref: number, limit: number, seen: Set<number>, parts: Gap[]): Expanded {
  if (ref > 0) return expandAtom(tables, ref);
  if (seen.has(-ref)) return { id: -ref };
  seen.add(-ref);
  return expandObject(tables, -ref, limit, parts);
}

function expandAtom(tables: Tables, ref: number): Expanded {
  const form = tables.strings.atom(ref);
  const cut = form.length === undefined ? {} : { length: atomLength(form) };
  return { type: form.type, text: atomText(form), ...cut };
}

function expandObject(tables: Tables, object: number, limit: number, parts: Gap[]): Expanded {
  const { objects } = tables;
  const version = objects.version(object, limit);
  const { text, items, entries, attributes } = contentsOf(tables, version);
  const shape = objects.shape(version) & 127;
  const value: Expanded = { type: objects.typeName(version), id: object };
  if (text !== undefined) value.name = text;
  if (items) value.items = fill(new Array(items.length), items.entries(), parts);
  if (entries) value.entries = entries.map((pair) => fill([{}, {}] as [Expanded, Expanded], pair.entries(), parts));
  // A prototype of its own would swallow an attribute that is called __proto__.
  if (attributes && (attributes.length > 0 || shape === SHAPE.instance)) {
    value.attributes = fill(Object.create(null) as Record<string, Expanded>, attributes, parts);
  }
  const held = entries?.length ?? items?.length ?? 0;
  if (objects.length(version) > held && (entries || items)) value.length = objects.length(version);
  return value;
}

/** Notes that `holder` waits for the values of `refs`. Names get their place now, so that they keep their order. */
function fill<T extends object>(holder: T, refs: Iterable<readonly [string | number, number]>, parts: Gap[]): T {
  const places = holder as Record<string | number, Expanded>;
  for (const [key, ref] of refs) {
    places[key] = {};
    parts.push({ ref, holder: places, key });
  }
  return holder;
}
