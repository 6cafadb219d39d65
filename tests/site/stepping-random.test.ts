import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  continueTo,
  EACH_LINE,
  isStop,
  type Move,
  stepBack,
  stepBackInto,
  stepBackOut,
  stepInto,
  stepOut,
  stepOver,
} from "../../site/src/trace/stepping.ts";
import type { Trace } from "../../site/src/trace/trace.ts";
import { randomRun, seeded } from "./random.ts";
import { breakpoint } from "./stepping-runs.ts";

describe("random runs", () => {
  for (let seed = 1; seed <= 40; seed++) {
    it(`are walked the same forwards and backwards (seed ${seed})`, () => {
      const trace = randomRun(seeded(seed)).trace();
      const stops = Array.from({ length: trace.steps }, (_, step) => step).filter((step) =>
        isStop(trace, step, EACH_LINE),
      );
      stops.forEach((step, index) => {
        assert.equal(stepInto(trace, step), stops[index + 1] ?? null);
        assert.equal(stepBackInto(trace, step), stops[index - 1] ?? null);
        for (const move of [stepOver, stepOut, continueAll]) {
          const to = move(trace, step);
          assert.ok(to === null || (typeof to === "number" && to > step), `${move.name} from ${step} gives ${to}`);
        }
        for (const move of [stepBack, stepBackOut]) {
          const to = move(trace, step);
          assert.ok(
            to === null || (typeof to === "number" && to < step && to >= 0),
            `${move.name} from ${step} gives ${to}`,
          );
        }
      });
    });

    it(`stay in the activation when stepping over (seed ${seed})`, () => {
      const trace = randomRun(seeded(seed)).trace();
      for (let step = 0; step < trace.steps; step++) {
        if (trace.kind(step) !== "line") continue;
        const over = stepOver(trace, step);
        const expected = naiveOver(trace, step);
        assert.equal(over, expected, `over from ${step}`);
        const out = stepOut(trace, step) as number;
        assert.ok(out > (trace.activation(step)?.end as number), `out from ${step} gives ${out}`);
      }
    });
  }
});

function continueAll(trace: Trace, cursor: number): Move {
  return continueTo(trace, cursor, [breakpoint(3), breakpoint(5)]);
}

/** Step over by looking at every event: the frame's next stop, suspensions left out; without one, what follows its last event. */
function naiveOver(trace: Trace, cursor: number): Move {
  const frame = trace.frame(cursor);
  let last = -1;
  for (let step = cursor + 1; step < trace.steps; step++) {
    if (trace.frame(step) !== frame) continue;
    if (trace.kind(step) === "yield") last = step;
    else if (isStop(trace, step, EACH_LINE)) return step;
    else if (trace.kind(step) === "unwind") last = step;
  }
  const parent = last < 0 ? -1 : (trace.activation(last)?.parent ?? -1);
  for (let step = last + 1; step < trace.steps; step++) {
    if (parent >= 0 && trace.frame(step) !== parent) continue;
    if (trace.kind(step) === "yield" && parent >= 0) return stepOver(trace, last);
    if (isStop(trace, step, EACH_LINE)) return step;
    if (trace.kind(step) === "unwind") return stepOver(trace, last);
  }
  return trace.steps - 1;
}
