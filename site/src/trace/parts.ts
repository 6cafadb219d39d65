/** The history of a part of an object: an attribute, an entry of a dict, an item. */
import type { Written } from "./answers.ts";
import { SHAPE } from "./layout.ts";
import type { Trace } from "./trace.ts";

/**
 * The values that a part of an object took up to and including `step`, oldest first; `ref` 0: it had none. A text names an
 * attribute or the entry of a dict with that text as key, a number the place of an item.
 */
export function partHistory(trace: Trace, object: number, part: string | number, step: number): Written[] {
  const { objects, rowEnd } = trace.tables;
  const found: Written[] = [];
  for (const at of trace.objectHistory(object, step)) {
    const ref = refOf(trace, objects.version(object, rowEnd.at(at)), part);
    if (ref !== (found[found.length - 1]?.ref ?? 0)) found.push({ step: at, ref });
  }
  return found;
}

function refOf(trace: Trace, version: number, part: string | number): number {
  const { objects } = trace.tables;
  const slots = objects.slots(version);
  const shape = objects.shape(version) & 127;
  const { start, end, attributes } = objects.parts(version);
  const own = slots.subarray(start, end);
  if (typeof part === "number") return SEQUENCES.has(shape) ? (own[part] ?? 0) : 0;
  const named = attributes ? refAfter(trace, slots.subarray(end), part) : 0;
  return named === 0 && shape === SHAPE.dict ? refAfter(trace, own, `s${part}`) : named;
}

/** The ref that stands after the name or key with this text, 0 when there is none. */
function refAfter(trace: Trace, pairs: Int32Array, text: string): number {
  const { strings } = trace.tables;
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] as number;
    if (name > 0 && strings.text(name - 1) === text) return pairs[at + 1] as number;
  }
  return 0;
}

const SEQUENCES = new Set<number>([SHAPE.list, SHAPE.tuple, SHAPE.set, SHAPE.frozenset, SHAPE.deque, SHAPE.template]);
