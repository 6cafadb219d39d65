import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { contentsWrittenAt, makerOf, partWrittenAt } from "../../site/src/elements/written.ts";
import { list, Recording } from "./recording.ts";

/** `xs = [1, 2]`, then a call that puts 3 at the end, then `xs[0] = 5`; each is seen at the frame's next event. */
function changing() {
  const recording = new Recording();
  const xs = list(1, 2);
  recording.call("<module>", 1); // 0
  recording.line(1); // 1: makes the list
  recording.line(2, { xs }); // 2: calls
  recording.call("add", 10, { ys: xs }); // 3
  recording.line(11); // 4: appends
  xs.items.push(3);
  recording.return(null, {}); // 5
  recording.line(3); // 6: sets the first item
  xs.items[0] = 5;
  recording.line(4); // 7
  const trace = recording.trace();
  return { trace, ref: trace.variables(7, 0).find(({ name }) => name === "xs")!.ref };
}

describe("where a value was written", () => {
  it("is the line before the event at which its effect was seen, in the frame that ran it", () => {
    const { trace, ref } = changing();
    assert.equal(makerOf(trace, trace.writtenAt("global", "xs", 7, 0)), 1);
    assert.equal(makerOf(trace, contentsWrittenAt(trace, ref, 5)), 4);
    assert.equal(makerOf(trace, contentsWrittenAt(trace, ref, 7)), 6);
  });

  it("of a parameter is the call's own event", () => {
    const { trace } = changing();
    assert.equal(makerOf(trace, trace.writtenAt("local", "ys", 4)), 3);
  });

  it("of a part is the newest version of its object that has another value there", () => {
    const { trace, ref } = changing();
    const written = ["[0", "[1", "[2", "[9"].map((key) => partWrittenAt(trace, ref, key, 7));
    assert.deepEqual(written, [7, 2, 5, -1]);
    assert.equal(partWrittenAt(trace, ref, "[0", 6), 2);
  });

  it("of an atom is not in its contents, and of no frame nowhere", () => {
    const { trace, ref } = changing();
    const [one = 0] = trace.view(ref, 5).items ?? [];
    assert.equal(contentsWrittenAt(trace, one, 5), -1);
    assert.equal(makerOf(trace, -1), -1);
  });
});
