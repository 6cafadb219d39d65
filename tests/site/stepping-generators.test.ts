import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stepBack, stepBackOut, stepOut, stepOver } from "../../site/src/trace/stepping.ts";
import type { Trace } from "../../site/src/trace/trace.ts";
import { exception, Recording } from "./recording.ts";
import { at, find, walk } from "./stepping-runs.ts";

/** Case 042: a generator with two ticks, read by `next` on lines 20 and 21 and to its end on 23. */
function generator(): Trace {
  const recording = new Recording();
  recording.call("<module>", 13);
  recording.lines(14, 19, 20);
  const ticks = recording.call("ticks", 14, { n: 2 }, 3);
  recording.lines(15, 16);
  recording.yield(0);
  recording.line(21);
  recording.resume(ticks, null);
  recording.lines(15, 16);
  recording.yield(10);
  recording.lines(22, 23);
  recording.resume(ticks, null);
  recording.lines(15, 17);
  recording.return("done");
  recording.raise(exception("StopIteration", "done"));
  recording.lines(24, 25);
  recording.return();
  recording.end();
  return recording.trace();
}

describe("generators (case 042)", () => {
  const trace = generator();

  it("shows the value that is yielded to who steps into everything", () => {
    assert.deepEqual(walk(trace).slice(3, 8), [
      "line 15 ticks",
      "line 16 ticks",
      "yield 16 ticks",
      "line 21 <module>",
      "line 15 ticks",
    ]);
  });

  it("stays in the generator when stepping over a yield, in both directions", () => {
    const line16 = find(trace, "line 16 ticks");
    const next = stepOver(trace, line16) as number;
    assert.deepEqual([at(trace, next), next], ["line 15 ticks", find(trace, "line 15 ticks", 1)]);
    assert.equal(stepBack(trace, next), line16);
  });

  it("goes on in the consumer from the yield itself, and out of the generator", () => {
    assert.equal(at(trace, stepOver(trace, find(trace, "yield 16 ticks"))), "line 21 <module>");
    assert.equal(at(trace, stepOut(trace, find(trace, "line 15 ticks"))), "line 21 <module>");
    assert.equal(at(trace, stepBackOut(trace, find(trace, "line 15 ticks", 1))), "line 21 <module>");
  });

  it("is passed over by the consumer", () => {
    assert.equal(at(trace, stepOver(trace, find(trace, "line 20 <module>"))), "line 21 <module>");
    assert.equal(at(trace, stepOver(trace, find(trace, "line 23 <module>"))), "raise 23 <module>");
  });

  it("goes on in the consumer when it is never resumed", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(5);
    recording.call("ticks", 1, {}, 3);
    recording.line(2);
    recording.yield(0);
    recording.line(6);
    const open = recording.trace({ open: true });
    assert.equal(stepOver(open, 3), "pending");
    open.finish({ status: "finished", steps: open.steps });
    assert.equal(at(open, stepOver(open, 3)), "line 6 <module>");
  });
});

/** Case 057: a coroutine driven by hand; the awaitable suspends at 16, and all go on at the second `send`. */
function coroutine(): Trace {
  const recording = new Recording();
  recording.call("<module>", 13);
  recording.lines(23, 24);
  const job = recording.call("job", 19, {}, 4);
  recording.line(20);
  const later = recording.call("__await__", 15, {}, 3);
  recording.line(16);
  recording.yield("need");
  recording.yield("need");
  recording.lines(25, 26);
  recording.resume(job, 21);
  recording.resume(later, 21);
  recording.line(17);
  recording.return(42);
  recording.line(21, { value: 42 });
  recording.return("r42");
  recording.raise(exception("StopIteration", "r42"));
  recording.line(27);
  return recording.trace({ open: true });
}

describe("coroutines (case 057)", () => {
  const trace = coroutine();

  it("steps over an await to the line after it, not to the caller", () => {
    assert.equal(at(trace, stepOver(trace, find(trace, "line 20 job"))), "line 21 job");
    assert.equal(at(trace, stepBack(trace, find(trace, "line 21 job"))), "line 20 job");
  });

  it("steps out of a coroutine when it is done, whatever it waited for", () => {
    assert.equal(at(trace, stepOut(trace, find(trace, "line 20 job"))), "raise 26 <module>");
  });

  it("steps out of what is awaited into the coroutine's next line", () => {
    assert.equal(at(trace, stepOut(trace, find(trace, "line 16 __await__"))), "line 21 job");
    assert.equal(at(trace, stepOver(trace, find(trace, "return 17 __await__"))), "line 21 job");
  });
});
