/** A run that the tests of traces and of stepping share, and how they tell what a step shows. */
import type { Trace } from "../../site/src/trace/trace.ts";
import { Recording } from "./recording.ts";

/** Variables at a step as `name = preview`, marked with `*` where they changed. */
export function shown(trace: Trace, step: number, frame?: number): string[] {
  return trace
    .variables(step, frame)
    .map(({ name, ref, changed }) => `${name} = ${trace.view(ref, step).preview}${changed ? " *" : ""}`);
}

/** `fact(n)`, called on the last of seven lines; `open` leaves the run after what it printed. */
export function factorial({ n = 3, first = 1, open = false } = {}): Recording {
  const recording = new Recording();
  recording.call("<module>", first);
  recording.lines(first, first + 6);
  const enter = (n: number): number => {
    recording.call("fact", first, { n });
    recording.line(first + 1);
    if (n <= 1) {
      recording.line(first + 2);
      recording.return(1);
      return 1;
    }
    recording.line(first + 3);
    const rest = enter(n - 1);
    recording.line(first + 4, { rest });
    recording.return(n * rest);
    return n * rest;
  };
  recording.print(`${enter(n)}\n`);
  if (open) return recording;
  recording.return();
  recording.end();
  return recording;
}
