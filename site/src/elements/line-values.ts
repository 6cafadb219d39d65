import type { Trace } from "../trace/trace.ts";
import { isOwn } from "./values.ts";
import { contentsWrittenAt } from "./written.ts";

/** Longest text that is put behind a line for one variable. */
const room = 40;

/**
 * What the lines of a frame last gave its variables, as texts for the ends of those lines. A line's effect is recorded at
 * the frame's next event, so the line that made it is that of the event before.
 */
export function lineValues(trace: Trace, cursor: number, frame: number): Map<number, string> {
  const lines = new Map<number, string[]>();
  if (frame < 0 || cursor < 0 || cursor >= trace.steps) return new Map();
  for (const { scope, name, ref, hidden } of trace.variables(cursor, frame)) {
    const view = trace.view(ref, cursor);
    if (hidden || scope === "closure" || isOwn(view)) continue;
    const written = Math.max(trace.writtenAt(scope, name, cursor, frame), contentsWrittenAt(trace, ref, cursor));
    const line = written < 0 ? 0 : madeAt(trace, frame, written);
    if (line > 0) lines.set(line, [...(lines.get(line) ?? []), `${name} = ${cut(view.preview)}`]);
  }
  return new Map([...lines].map(([line, texts]) => [line, texts.join(", ")]));
}

/** The line whose effect was seen at `step`; parameters belong to the call's own line. 0: not of this frame. */
function madeAt(trace: Trace, frame: number, step: number): number {
  const seen = trace.nextIn(frame, step);
  if (seen < 0) return 0;
  const before = trace.previousIn(frame, seen);
  return trace.line(before < 0 ? seen : before);
}

function cut(text: string): string {
  return text.length > room ? `${text.slice(0, room - 1)}…` : text;
}
