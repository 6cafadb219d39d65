import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Flow, type FlowNode } from "../../site/src/trace/flow.ts";
import { EACH_LINE, statementsOf } from "../../site/src/trace/stepping.ts";
import { Recording } from "./recording.ts";

const NODES: FlowNode[] = [
  { id: "head", lines: [[2, 2]] },
  { id: "test", lines: [[3, 4]] },
  { id: "yes", lines: [[5, 6]] },
  {
    id: "rest",
    lines: [
      [8, 8],
      [10, 10],
    ],
  },
];

function loop() {
  const recording = new Recording();
  recording.call("<module>", 1);
  recording.line(2);
  for (const yes of [true, false, true]) {
    recording.line(3);
    if (yes) recording.lines(5, 6);
    recording.line(7);
  }
  recording.lines(8, 9, 10);
  recording.return();
  recording.end();
  const trace = recording.trace();
  return { trace, flow: new Flow(trace, "prog.py", NODES, EACH_LINE) };
}

describe("the way through a flow", () => {
  it("is in the node bound to the line, and between nodes in the one it left last", () => {
    const { trace, flow } = loop();
    const active = Array.from({ length: trace.steps }, (_, step) => flow.active(step));
    assert.deepEqual(active.slice(0, 8), [null, "head", "test", "yes", "yes", "yes", "test", "test"]);
    assert.deepEqual(active.slice(-3), ["rest", "rest", null]);
  });

  it("counts moves and visits up to the cursor", () => {
    const { trace, flow } = loop();
    assert.deepEqual(flow.travelled(3), [
      { from: "head", to: "test", count: 1 },
      { from: "test", to: "yes", count: 1 },
    ]);
    assert.deepEqual(flow.travelled(trace.steps - 1), [
      { from: "head", to: "test", count: 1 },
      { from: "test", to: "yes", count: 2 },
      { from: "yes", to: "test", count: 1 },
      { from: "test", to: "test", count: 1 },
      { from: "yes", to: "rest", count: 1 },
      { from: "rest", to: "rest", count: 1 },
    ]);
    assert.deepEqual(
      [flow.visitCount("test", 5), flow.visitCount("test", 6), flow.visitCount("nothing", 6)],
      [1, 2, 0],
    );
  });

  it("finds the next and the previous visit of a node", () => {
    const { flow } = loop();
    assert.deepEqual(
      [flow.next("yes", 0), flow.next("yes", 3), flow.next("yes", 9), flow.next("nothing", 0)],
      [3, 9, -1, -1],
    );
    assert.deepEqual([flow.previous("yes", 12), flow.previous("yes", 9), flow.previous("yes", 3)], [9, 3, -1]);
    assert.equal(flow.previous("head", 0), -1);
  });

  it("takes a recursion into the same node as another visit", () => {
    const recording = new Recording();
    recording.call("f", 1);
    recording.lines(2, 3);
    recording.call("f", 1);
    recording.lines(3, 5);
    recording.return();
    recording.line(5);
    const flow = new Flow(recording.trace({ open: true }), "prog.py", NODES, EACH_LINE);
    assert.equal(flow.visitCount("test", 4), 2);
    assert.equal(flow.visitCount("yes", 7), 2);
  });

  it("does not leave a node for a callback that stands in it", () => {
    const recording = new Recording();
    recording.call("f", 1);
    recording.line(3);
    for (const _ of [1, 2]) {
      recording.call("f.<locals>.<lambda>", 3);
      recording.line(3);
      recording.return();
    }
    recording.lines(4, 5);
    const flow = new Flow(recording.trace({ open: true }), "prog.py", NODES, EACH_LINE);
    assert.deepEqual([flow.visitCount("test", 8), flow.travelled(9).length], [1, 1]);
  });

  it("stays in a node while a statement of several lines jumps about, and in the narrower of two", () => {
    const recording = new Recording();
    recording.call("f", 1);
    recording.lines(2, 3, 4, 3, 6);
    const nodes: FlowNode[] = [
      { id: "inner", lines: [[3, 3]] },
      { id: "outer", lines: [[2, 6]] },
    ];
    const statements = statementsOf("prog.py", [
      [2, 2],
      [3, 3],
      [4, 3],
      [5, 5],
      [6, 6],
    ]);
    const trace = recording.trace({ open: true });
    const flow = new Flow(trace, "prog.py", nodes, statements);
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((step) => flow.active(step)),
      ["outer", "inner", "inner", "inner", "outer"],
    );
  });

  it("goes on where later chunks go on, and leaves other files alone", () => {
    const recording = new Recording();
    recording.call("f", 1);
    recording.line(2);
    const trace = recording.trace({ open: true });
    const flow = new Flow(trace, "prog.py", NODES, EACH_LINE);
    const other = new Flow(trace, "other.py", NODES, EACH_LINE);
    assert.equal(flow.active(1), "head");
    recording.line(3);
    trace.append(recording.flush());
    assert.equal(flow.active(2), "test");
    assert.equal(other.active(2), null);
  });
});
