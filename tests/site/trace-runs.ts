/** A run that the tests of traces share, and how they tell what a step shows. */
import type { Trace } from "../../site/src/trace/trace.ts";
import { Recording } from "./recording.ts";

/** Variables at a step as `name = preview`, marked with `*` where they changed. */
export function shown(trace: Trace, step: number, frame?: number): string[] {
  return trace
    .variables(step, frame)
    .map(({ name, ref, changed }) => `${name} = ${trace.view(ref, step).preview}${changed ? " *" : ""}`);
}

export function factorial(): Recording {
  const recording = new Recording();
  recording.call("<module>", 1);
  recording.lines(1, 7);
  const enter = (n: number): number => {
    recording.call("fact", 1, { n });
    recording.line(2);
    if (n <= 1) {
      recording.line(3);
      recording.return(1);
      return 1;
    }
    recording.line(4);
    const rest = enter(n - 1);
    recording.line(5, { rest });
    recording.return(n * rest);
    return n * rest;
  };
  enter(3);
  recording.print("6\n");
  recording.return();
  recording.end();
  return recording;
}
