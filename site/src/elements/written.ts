import * as parts from "../trace/parts.ts";
import type { Trace } from "../trace/trace.ts";

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
 * The step at which the part of the object `parent` that is at `key` (of `childrenOf`) got the value that it has at `step`: the
 * object's newest version with a new value there. −1 when there is none such.
 */
export function partWrittenAt(trace: Trace, parent: number, key: string, step: number): number {
  const { id } = trace.view(parent, step);
  return id === undefined ? -1 : parts.partWrittenAt(trace, id, partOf(key), step);
}

function partOf(key: string): parts.Part {
  const part = key.slice(1);
  switch (key[0]) {
    case "[":
      return ["item", Number(part)];
    case "{":
      return ["member", Number(part)];
    case ":":
      return ["entry", Number(part)];
    default:
      return ["attribute", part];
  }
}
