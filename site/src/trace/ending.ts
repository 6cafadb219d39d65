import type { TraceEnd } from "../protocol.ts";

/** Whether the end is the program's own and not a moment that differs from run to run. */
export function isWhole(end: TraceEnd): boolean {
  return end.status !== "stopped" && end.status !== "crashed" && end.limit !== "seconds";
}
