import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  continueTo,
  countHits,
  EACH_LINE,
  nextHit,
  previousHit,
  statementsOf,
  stepBack,
  stepBackInto,
  stepInto,
  stepOut,
  stepOver,
} from "../../site/src/trace/stepping.ts";
import type { Trace } from "../../site/src/trace/trace.ts";
import { Recording } from "./recording.ts";
import { at, breakpoint, find, walk } from "./stepping-runs.ts";

/** Case 044: a call over lines 18 to 23, a `for` over 24 to 26, an assignment over 28 and 29. */
function multiLine(): Trace {
  const recording = new Recording();
  recording.call("<module>", 14);
  recording.lines(15, 18, 19, 20, 22, 18);
  recording.call("add", 15);
  recording.line(16);
  recording.return(10);
  recording.lines(26, 25, 27, 26, 25, 27, 26, 28, 29, 28, 30);
  recording.return();
  recording.end();
  return recording.trace();
}

const SPANS = statementsOf("prog.py", [
  [14, 15],
  [15, 15],
  [16, 16],
  [17, 18],
  ...[18, 19, 20, 21, 22, 23].map((line): [number, number] => [line, 18]),
  ...[24, 25, 26].map((line): [number, number] => [line, 26]),
  [27, 27],
  [28, 28],
  [29, 28],
  [30, 30],
]);

describe("statements of several lines (case 044)", () => {
  const trace = multiLine();

  it("steps over the whole call, not along its lines", () => {
    const call = find(trace, "line 18 <module>");
    assert.equal(at(trace, stepOver(trace, call, SPANS)), "line 26 <module>");
    assert.equal(at(trace, stepOver(trace, call)), "line 19 <module>");
  });

  it("steps into what the call runs, and from there back into the statement", () => {
    const call = find(trace, "line 18 <module>");
    const inside = stepInto(trace, call, SPANS) as number;
    assert.equal(at(trace, inside), "line 16 add");
    assert.equal(stepBackInto(trace, inside, SPANS), call);
    assert.equal(stepBack(trace, inside, SPANS), call);
    assert.equal(at(trace, stepOut(trace, inside, SPANS)), "line 26 <module>");
  });

  it("takes each turn of a loop as a start of its head", () => {
    const stops = walk(trace, SPANS).map((stop) => stop?.split(" ")[1]);
    assert.deepEqual(stops, ["15", "18", "16", "16", "26", "27", "26", "27", "26", "28", "30", "30", undefined]);
  });

  it("stops once for each execution, on whichever line the breakpoint is set", () => {
    for (const line of [18, 19, 20, 21, 22, 23]) {
      assert.equal(countHits(trace, breakpoint(line), SPANS), 1, `line ${line}`);
      assert.equal(at(trace, continueTo(trace, -1, [breakpoint(line)], SPANS)), "line 18 <module>");
    }
    assert.equal(countHits(trace, breakpoint(24), SPANS), 3);
    assert.equal(countHits(trace, breakpoint(29), SPANS), 1);
  });

  it("lands in the middle of a statement after a call inside of it", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(3);
    for (const line of [4, 5]) {
      recording.line(line);
      recording.call("part", 1);
      recording.line(2);
      recording.return(line);
    }
    recording.lines(3, 7);
    const parts = recording.trace({ open: true });
    const spans = statementsOf(
      "prog.py",
      [3, 4, 5, 6].map((line): [number, number] => [line, 3]),
    );
    const out = stepOut(parts, find(parts, "line 2 part"), spans) as number;
    assert.equal(at(parts, out), "line 5 <module>");
    assert.equal(stepInto(parts, out, spans), find(parts, "line 2 part", 1));
    assert.equal(at(parts, stepOver(parts, out, spans)), "line 7 <module>");
  });

  it("takes a loop on one line as many starts", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.lines(1, 3, 3, 3, 4);
    const loop = recording.trace({ open: true });
    const comment = statementsOf("prog.py", [
      [2, 3],
      [3, 3],
    ]);
    assert.equal(countHits(loop, breakpoint(2), comment), 3);
    assert.equal(countHits(loop, breakpoint(3), EACH_LINE), 3);
    assert.equal(stepOver(loop, 2, comment), 3);
  });

  it("takes the turns of a generator expression as part of the statement", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(3);
    const turns = recording.call("<genexpr>", 3, {}, 3);
    recording.line(3);
    recording.yield(1);
    recording.resume(turns);
    recording.line(3);
    recording.return();
    recording.line(4);
    const sum = recording.trace({ open: true });
    assert.equal(countHits(sum, breakpoint(3), EACH_LINE), 1);
    assert.equal(at(sum, stepOver(sum, 1)), "line 4 <module>");
    assert.equal(at(sum, stepInto(sum, 1)), "line 3 <genexpr>");
  });

  it("counts hits that come with later chunks", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.lines(3, 4, 3, 5);
    const grown = recording.trace({ open: true });
    const spans = statementsOf("prog.py", [
      [3, 3],
      [4, 3],
      [5, 5],
    ]);
    assert.equal(countHits(grown, breakpoint(4), spans), 1);
    recording.lines(4, 3, 5);
    grown.append(recording.flush());
    assert.equal(countHits(grown, breakpoint(4), spans), 2);
    assert.equal(nextHit(grown, "prog.py", 4, 4, spans), 5);
    assert.equal(previousHit(grown, "prog.py", 4, 5, spans), 1);
  });
});
