import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cell, instance, list, Recording } from "./recording.ts";
import { factorial, shown } from "./trace-runs.ts";

describe("variables", () => {
  it("shows a line's effect at the frame's next event and marks it there only", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(1);
    recording.line(2, { x: 1 });
    recording.line(3, { y: "a" });
    const trace = recording.trace();
    assert.deepEqual(shown(trace, 1), []);
    assert.deepEqual(shown(trace, 2), ["x = 1 *"]);
    assert.deepEqual(shown(trace, 3), ["x = 1", "y = 'a' *"]);
  });

  it("keeps earlier contents of a list that two names share (case 031)", () => {
    const recording = new Recording();
    const shared = list(1);
    recording.call("<module>", 1);
    recording.line(6, { a: shared });
    shared.items.push(2);
    recording.line(7, { b: shared });
    shared.items[0] = "x";
    recording.line(8);
    const trace = recording.trace();
    assert.deepEqual(shown(trace, 1), ["a = [1] *"]);
    assert.deepEqual(shown(trace, 2), ["a = [1, 2] *", "b = [1, 2] *"]);
    assert.deepEqual(shown(trace, 3), ["a = ['x', 2] *", "b = ['x', 2] *"]);
    assert.equal(trace.variables(3)[0]?.ref, trace.variables(3)[1]?.ref);
  });

  it("marks what holds a changed object, and not what was written back as it was", () => {
    const recording = new Recording();
    const inner = list(1);
    const outer = instance("Box", { inner });
    recording.call("<module>", 1);
    recording.line(1, { outer, other: list(5) });
    inner.items[0] = 2;
    recording.line(2);
    recording.call("f", 5);
    inner.items[0] = 3;
    recording.line(6);
    inner.items[0] = 2;
    recording.return();
    recording.line(3);
    const trace = recording.trace();
    assert.deepEqual(shown(trace, 2), ["outer = Box(inner=[2]) *", "other = [5]"]);
    assert.deepEqual(shown(trace, 4, 0), ["outer = Box(inner=[3]) *", "other = [5]"]);
    assert.deepEqual(shown(trace, 6), ["outer = Box(inner=[2])", "other = [5]"]);
  });

  it("marks at the next line what a call did before the same line printed", () => {
    const recording = new Recording();
    const items = list();
    recording.call("<module>", 1);
    recording.line(1, { items });
    recording.call("f", 5);
    items.items.push(1);
    recording.return();
    recording.print("done");
    recording.line(2);
    const trace = recording.trace();
    assert.deepEqual(shown(trace, 5), ["items = [1] *"]);
  });

  it("marks at a frame's first event only what that event brings", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(1, { x: 1 });
    recording.call("f", 5, { n: 2 });
    assert.deepEqual(shown(recording.trace(), 2), ["n = 2 *", "x = 1"]);
  });

  it("marks a change beyond the end of the preview (case 104)", () => {
    const recording = new Recording({ splice: true });
    const nums = list(...Array.from({ length: 50 }, (_, index) => index));
    recording.call("<module>", 1);
    recording.line(1, { nums });
    nums.items.push(99);
    recording.line(2);
    nums.items[25] = -1;
    recording.line(3);
    const trace = recording.trace();
    assert.equal(trace.variables(2)[0]?.changed, true);
    assert.equal(trace.variables(3)[0]?.changed, true);
    const items = trace.view(trace.variables(3)[0]?.ref as number, 3).items as number[];
    assert.equal(trace.view(items[50] as number, 3).preview, "99");
    assert.equal(trace.view(items[25] as number, 3).preview, "-1");
  });

  it("shows a caller's locals and marks as of its last event, and what it shares as it is now", () => {
    const recording = new Recording();
    const box = list();
    const counter = cell(0);
    recording.call("<module>", 1);
    recording.call("outer", 1, { box, n: counter });
    recording.line(2);
    recording.call("inner", 5, { "c:n": counter });
    counter.items[0] = 7;
    box.items.push(1);
    recording.line(6);
    const trace = recording.trace();
    assert.deepEqual(shown(trace, 4), ["n = 7 *"]);
    assert.deepEqual(shown(trace, 4, 1), ["box = [1] *", "n = 7 *"]);
    assert.deepEqual(trace.variables(3)[0]?.scope, "closure");
    assert.deepEqual(
      trace
        .writes("closure", "n", 4)
        .all()
        .map(({ step }) => step),
      [1, 4],
    );
  });

  it("drops a name that was unbound and says that it is gone", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(1, { err: 1, empty: cell() });
    recording.line(2, { err: undefined });
    const trace = recording.trace();
    assert.deepEqual(shown(trace, 2), []);
    assert.deepEqual(trace.removed(2), [{ scope: "global", name: "err" }]);
  });

  it("gives each frame of a recursion its own, and globals by namespace", () => {
    const trace = factorial().trace();
    assert.deepEqual(shown(trace, 10, 1), ["n = 3"]);
    assert.deepEqual(shown(trace, 10), ["n = 1"]);
    const recording = new Recording();
    recording.call("<module>", 1, { x: 1 });
    recording.call("<module>", 1, { x: 2 }, 0, 1);
    const two = recording.trace();
    assert.deepEqual(shown(two, 1), ["x = 2 *"]);
    assert.deepEqual(shown(two, 1, 0), ["x = 1 *"]);
  });

  it("hides what no learner wrote", () => {
    const recording = new Recording();
    recording.call("<module>", 1, { __name__: "__main__", __all__: list(), x: 1 });
    recording.call("f", 1, { ".0": 1, "c:__class__": 2 });
    const trace = recording.trace();
    const hidden = (step: number) =>
      trace
        .variables(step)
        .filter((variable) => variable.hidden)
        .map(({ name }) => name);
    assert.deepEqual(hidden(0), ["__name__"]);
    assert.deepEqual(hidden(1), [".0", "__class__", "__name__"]);
  });

  it("tells where a value was written", () => {
    const recording = new Recording();
    const items = list();
    recording.call("<module>", 1);
    recording.line(1, { x: 1, items });
    items.items.push(1);
    recording.line(2);
    recording.line(3, { x: 2 });
    const trace = recording.trace();
    assert.equal(trace.writtenAt("global", "x", 2), 1);
    assert.equal(trace.writtenAt("global", "x", 3), 3);
    assert.deepEqual(
      trace
        .writes("global", "x", 3)
        .all()
        .map(({ step, ref }) => [step, trace.view(ref, step).text]),
      [
        [1, "1"],
        [3, "2"],
      ],
    );
    const writes = trace.writes("global", "x", 3);
    assert.deepEqual([writes.length, writes.at(1).step, trace.writes("global", "y", 3).length], [2, 3, 0]);
    assert.deepEqual(trace.objectWrites(items.id, 3).all(), [1, 2]);
    assert.equal(trace.objectWrittenAt(items.id, 3), 2);
    assert.equal(trace.writtenAt("global", "y", 3), -1);
  });
});
