import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  continueTo,
  countHits,
  EACH_LINE,
  firstStop,
  isRaised,
  reverseTo,
  stepBack,
  stepBackInto,
  stepBackOut,
  stepInto,
  stepOut,
  stepOver,
  toEnd,
  toStart,
  unsupported,
} from "../../site/src/trace/stepping.ts";
import type { Trace } from "../../site/src/trace/trace.ts";
import { exception, Recording } from "./recording.ts";
import { at, breakpoint, factorial, find, value, walk } from "./stepping-runs.ts";

describe("recursion (case 006)", () => {
  const trace = factorial();

  it("steps over the call and lands in the same activation", () => {
    const line18 = find(trace, "line 18 fact");
    const over = stepOver(trace, line18);
    assert.equal(at(trace, over), "line 19 fact");
    assert.deepEqual([value(trace, over, "n"), value(trace, over, "rest")], ["4", "6"]);
    assert.equal(stepBack(trace, over as number), line18);
  });

  it("steps out into the activation that gets the value", () => {
    const inner = find(trace, "line 16 fact", 1);
    assert.equal(value(trace, inner, "n"), "3");
    const out = stepOut(trace, inner);
    assert.deepEqual([at(trace, out), value(trace, out, "n"), value(trace, out, "rest")], ["line 19 fact", "4", "6"]);
    assert.equal(stepBackOut(trace, inner), find(trace, "line 18 fact"));
  });

  it("hits a breakpoint once in each activation", () => {
    const values: (string | undefined)[] = [];
    let move = continueTo(trace, -1, [breakpoint(19)]);
    for (; at(trace, move) === "line 19 fact"; move = continueTo(trace, move as number, [breakpoint(19)])) {
      values.push(value(trace, move, "n"));
    }
    assert.deepEqual(values, ["2", "3", "4"]);
    assert.equal(move, trace.steps - 1);
    assert.equal(countHits(trace, breakpoint(19), EACH_LINE), 3);
  });

  it("steps over line 21 to what the module returns, then to the end", () => {
    const over = stepOver(trace, find(trace, "line 21 <module>")) as number;
    assert.equal(at(trace, over), "return 21 <module>");
    assert.equal(trace.outputText(over), "24\n");
    assert.equal(at(trace, stepOver(trace, over)), "end");
    assert.equal(stepOver(trace, trace.steps - 1), null);
  });

  it("shows the value that a function returns before it goes back to the caller", () => {
    const line17 = find(trace, "line 17 fact");
    const returned = stepOver(trace, line17) as number;
    assert.equal(at(trace, returned), "return 17 fact");
    assert.equal(trace.view(trace.outcome(returned)?.ref as number, returned).text, "1");
    assert.deepEqual(
      [at(trace, stepOver(trace, returned)), value(trace, stepOver(trace, returned), "n")],
      ["line 19 fact", "2"],
    );
  });

  it("goes back from the first line of a function to the line that called it", () => {
    const line16 = find(trace, "line 16 fact");
    assert.equal(at(trace, stepBack(trace, line16)), "line 21 <module>");
    assert.equal(at(trace, stepBackInto(trace, line16)), "line 21 <module>");
    assert.equal(at(trace, stepBack(trace, find(trace, "line 15 <module>"))), null);
  });
});

describe("while the run goes on", () => {
  it("tells a stop that may come from one that does not exist", () => {
    const trace = factorial({ open: true });
    const last = trace.steps - 1;
    assert.equal(stepOver(trace, find(trace, "line 21 <module>")), "pending");
    assert.equal(stepInto(trace, last), "pending");
    assert.equal(continueTo(trace, 0, [breakpoint(99)]), "pending");
    assert.equal(toEnd(trace, last), "pending");
    assert.equal(stepBackInto(trace, find(trace, "line 15 <module>")), null);
    assert.equal(reverseTo(trace, 1, [breakpoint(19)]), null);
  });

  it("answers from what has arrived where that is enough", () => {
    const trace = factorial({ open: true });
    assert.equal(at(trace, stepOver(trace, find(trace, "line 18 fact"))), "line 19 fact");
    assert.equal(at(trace, firstStop(trace, [])), "line 15 <module>");
    assert.equal(at(trace, firstStop(trace, [breakpoint(17)])), "line 17 fact");
    assert.equal(firstStop(trace, [breakpoint(99)]), "pending");
    assert.equal(at(trace, firstStop(trace, [breakpoint(17, { enabled: false })])), "line 15 <module>");
  });

  it("goes to the last event of a run that was cut short", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.lines(1, 2, 1, 2);
    recording.end();
    const trace = recording.trace({ open: true });
    trace.finish({ status: "stopped", steps: 0 });
    assert.equal(at(trace, continueTo(trace, 2, [])), "end");
    assert.equal(at(trace, stepOut(trace, 2)), "end");
    assert.equal(at(trace, stepOver(trace, 4)), "end");
    assert.equal(at(trace, stepBack(trace, 5)), "line 2 <module>");
  });
});

describe("exceptions", () => {
  /** `f` raises on line 2 with a `finally` on 4; `<module>` passes it on from line 7. */
  function passing(): Trace {
    const recording = new Recording();
    const error = exception("ValueError", "bad");
    recording.call("<module>", 1);
    recording.line(7);
    recording.call("f", 1);
    recording.line(2);
    recording.raise(error);
    recording.line(4);
    recording.unwind(error);
    recording.raise(error);
    recording.unwind(error);
    recording.end();
    return recording.trace();
  }

  it("stops where it is raised and in each frame that it reaches, and where it leaves one after more has run", () => {
    assert.deepEqual(walk(passing()), [
      "line 7 <module>",
      "line 2 f",
      "raise 2 f",
      "line 4 f",
      "unwind 4 f",
      "raise 7 <module>",
      "end",
    ]);
  });

  it("is raised once, whatever it passes (case 059)", () => {
    const trace = passing();
    const raised = Array.from({ length: trace.steps }, (_, step) => step).filter((step) => isRaised(trace, step));
    assert.deepEqual(
      raised.map((step) => at(trace, step)),
      ["raise 2 f"],
    );
  });

  it("follows it to the caller when stepping over", () => {
    const trace = passing();
    assert.equal(at(trace, stepOver(trace, find(trace, "line 2 f"))), "raise 2 f");
    assert.equal(at(trace, stepOver(trace, find(trace, "unwind 4 f"))), "raise 7 <module>");
    assert.equal(at(trace, stepOver(trace, find(trace, "line 7 <module>"))), "raise 7 <module>");
    assert.equal(at(trace, stepOver(trace, find(trace, "raise 7 <module>"))), "end");
  });
});

describe("start, end and breakpoints", () => {
  const trace = factorial();

  it("goes to both ends and says when it is there", () => {
    assert.equal(toEnd(trace, 5), trace.steps - 1);
    assert.equal(toEnd(trace, trace.steps - 1), null);
    assert.equal(toStart(trace, 9), 1);
    assert.equal(toStart(trace, 1), null);
  });

  it("reverses to the hit before, else to the first stop", () => {
    const last = find(trace, "line 19 fact", 2);
    assert.equal(reverseTo(trace, last, [breakpoint(19)]), find(trace, "line 19 fact", 1));
    assert.equal(reverseTo(trace, last, [breakpoint(19), breakpoint(17)]), find(trace, "line 19 fact", 1));
    assert.equal(reverseTo(trace, find(trace, "line 19 fact"), [breakpoint(19)]), 1);
    assert.equal(reverseTo(trace, last, []), 1);
  });

  it("passes over a breakpoint that is off", () => {
    assert.equal(at(trace, continueTo(trace, 0, [breakpoint(16, { enabled: false }), breakpoint(17)])), "line 17 fact");
  });

  it("counts hits for a hit condition", () => {
    const hit = (hitCondition: string) => value(trace, continueTo(trace, -1, [breakpoint(19, { hitCondition })]), "n");
    assert.deepEqual(
      [hit("2"), hit("== 3"), hit(">= 2"), hit("> 2"), hit("%2"), hit("<= 1")],
      ["3", "4", "3", "4", "3", "2"],
    );
    const back = reverseTo(trace, trace.steps - 1, [breakpoint(19, { hitCondition: "% 2" })]);
    assert.equal(value(trace, back, "n"), "3");
  });

  it("finds the next and the last hit that a condition allows, from any step", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    for (let turn = 0; turn < 7; turn++) recording.lines(2, 3);
    recording.return();
    recording.end();
    const loop = recording.trace();
    const steps = [...loop.stepsAt("prog.py", 3)];
    const rules: Record<string, (count: number, number: number) => boolean> = {
      "==": (count, number) => count === number,
      ">=": (count, number) => count >= number,
      ">": (count, number) => count > number,
      "<=": (count, number) => count <= number,
      "<": (count, number) => count < number,
      "%": (count, number) => count % number === 0,
    };
    for (const [sign, allows] of Object.entries(rules))
      for (const number of sign === "%" ? [1, 2, 3, 9] : [0, 1, 3, 7, 8]) {
        const stops = steps.filter((_, index) => allows(index + 1, number));
        for (let step = 0; step < loop.steps - 1; step++) {
          const where = [breakpoint(3, { hitCondition: `${sign} ${number}` })];
          const found = [continueTo(loop, step, where), reverseTo(loop, step, where)];
          const next = stops.find((stop) => stop > step) ?? loop.steps - 1;
          const previous = stops.findLast((stop) => stop < step) ?? toStart(loop, step);
          assert.deepEqual(found, [next, previous], `${sign} ${number} from step ${step}`);
        }
      }
  });

  it("refuses what needs the program's objects, and never stops there", () => {
    assert.equal(unsupported(breakpoint(19)), null);
    assert.equal(unsupported(breakpoint(19, { condition: "n > 2" })), "condition");
    assert.equal(unsupported(breakpoint(19, { logMessage: "{n}" })), "logMessage");
    assert.equal(unsupported(breakpoint(19, { hitCondition: "often" })), "hitCondition");
    assert.equal(unsupported(breakpoint(19, { hitCondition: "%0" })), "hitCondition");
    assert.equal(at(trace, continueTo(trace, 0, [breakpoint(19, { condition: "n > 2" })])), "end");
  });
});
