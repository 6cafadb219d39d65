import type { Trace } from "../trace/trace.ts";
import { childrenOf } from "./values.ts";

/**
 * The event whose line had its effect seen at `step`: that of the event before in the same frame. A call's own event brings
 * its parameters. −1 when there is no frame.
 */
export function makerOf(trace: Trace, step: number): number {
  const frame = step < 0 ? -1 : trace.frame(step);
  if (frame < 0) return -1;
  const before = trace.previousIn(frame, step);
  return before < 0 ? step : before;
}

/** The step at which a value last changed in what it holds itself, −1 for an atom, which never does. */
export function contentsWrittenAt(trace: Trace, ref: number, step: number): number {
  const { id } = trace.view(ref, step);
  return id === undefined ? -1 : trace.objectWrittenAt(id, step);
}

/**
 * The step at which the part of the object `parent` that is at `key` got the value that it has at `step`: the object's newest
 * version with a new value there. −1 when there is none such.
 */
export function partWrittenAt(trace: Trace, parent: number, key: string, step: number): number {
  const { id } = trace.view(parent, step);
  const at = (moment: number) => childrenOf(trace, parent, moment).find((child) => child.key === key)?.ref ?? 0;
  const ref = at(step);
  let written = -1;
  for (const version of id === undefined || ref === 0 ? [] : trace.objectHistory(id, step).reverse()) {
    if (at(version) !== ref) break;
    written = version;
  }
  return written;
}
