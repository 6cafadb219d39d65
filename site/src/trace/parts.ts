/** The history of a part of an object: an attribute, an entry of a dict, an item. */
import type { Written } from "./answers.ts";
import { ATTRIBUTES, SHAPE } from "./layout.ts";
import { type Change, type Part, refOf } from "./part-index.ts";
import type { Trace } from "./trace.ts";
import { contentsOf } from "./view.ts";
import { Writes } from "./writes.ts";

export type { Part } from "./part-index.ts";

/** The changes of a part, oldest first. */
interface Changes {
  readonly length: number;
  at(index: number): Change;
}

/**
 * The values that a part of an object took up to and including `step`, oldest first; `ref` 0: it had none. A text names an
 * attribute or the entry of a dict with that text as key, a number the place of an item.
 */
export function partHistory(trace: Trace, object: number, part: string | number, step: number): Writes<Written> {
  const limit = trace.moment(step);
  const [one, other] = named(trace, object, part, limit)
    .map((each) => changesOf(trace, object, each, limit))
    .filter(({ length }) => length > 0);
  const changes = one && other ? merge(one, other) : (one ?? NONE);
  return new Writes({ length: changes.length, at: (index) => index }, (index) => {
    const { row, ref } = changes.at(index);
    return { step: trace.stepOfRow(row), ref };
  });
}

/** The step at which a part got the value that it has at `step`, −1 when there is none such. */
export function partWrittenAt(trace: Trace, object: number, part: Part, step: number): number {
  const limit = trace.moment(step);
  const index = trace.tables.parts.of(object);
  const count = index.count(part, limit);
  const last = count > 0 ? index.change(part, count - 1) : NOTHING;
  const { row, ref } = index.has(part[0]) ? last : walkBack(trace, object, part, limit);
  return ref === 0 ? -1 : trace.stepOfRow(row);
}

const NOTHING: Change = { row: -1, ref: 0 };
const NONE: Changes = { length: 0, at: () => NOTHING };

/** What a text or a number may mean; what comes first counts, if it is there. */
function named(trace: Trace, object: number, part: string | number, limit: number): Part[] {
  const { objects } = trace.tables;
  const version = objects.version(object, limit);
  const shape = version < 0 ? -1 : objects.shape(version) & ~ATTRIBUTES;
  if (typeof part === "number") return SEQUENCES.has(shape) ? [["item", part]] : [];
  const entry = shape === SHAPE.dict ? trace.tables.parts.of(object).entryOf(part) : null;
  return [["attribute", part], ...(entry ? [entry] : [])];
}

function changesOf(trace: Trace, object: number, part: Part, limit: number): Changes {
  const index = trace.tables.parts.of(object);
  if (!index.has(part[0])) return walk(trace, object, part, limit);
  return { length: index.count(part, limit), at: (place) => index.change(part, place) };
}

/** Looks at every version: of items that moved from place to place there is no index. */
function walk(trace: Trace, object: number, part: Part, limit: number): Changes {
  const rows = trace.tables.objects.history(object, limit);
  const found: Change[] = [];
  for (let at = 0; at < rows.length; at++) {
    const change = changeAt(trace, rows.at(at), part);
    if (change.ref !== (found[found.length - 1]?.ref ?? 0)) found.push(change);
  }
  return { length: found.length, at: (index) => found[index] as Change };
}

/** The last change, found from the end: what moves from place to place seldom leaves the same behind. */
function walkBack(trace: Trace, object: number, part: Part, limit: number): Change {
  const rows = trace.tables.objects.history(object, limit);
  let found = NOTHING;
  for (let at = rows.length - 1; at >= 0; at--) {
    const change = changeAt(trace, rows.at(at), part);
    if (at < rows.length - 1 && change.ref !== found.ref) break;
    found = change;
  }
  return found;
}

function changeAt({ tables }: Trace, row: number, part: Part): Change {
  return { row, ref: refOf(contentsOf(tables, tables.columns.rowValue.at(row)), part) };
}

/** The changes of an attribute, and where it has no value those of the entry with its name. */
function merge(one: Changes, other: Changes): Changes {
  const found: Change[] = [];
  let [first, second] = [0, 0];
  while (first < one.length || second < other.length) {
    const rows = [one, other].map((changes, which) => {
      const at = which === 0 ? first : second;
      return at < changes.length ? changes.at(at).row : Number.POSITIVE_INFINITY;
    });
    const row = Math.min(...rows);
    first += rows[0] === row ? 1 : 0;
    second += rows[1] === row ? 1 : 0;
    const ref = (first > 0 && one.at(first - 1).ref) || (second > 0 && other.at(second - 1).ref) || 0;
    if (ref !== (found[found.length - 1]?.ref ?? 0)) found.push({ row, ref });
  }
  return { length: found.length, at: (index) => found[index] as Change };
}

const SEQUENCES = new Set<number>([SHAPE.list, SHAPE.tuple, SHAPE.set, SHAPE.frozenset, SHAPE.deque, SHAPE.template]);
