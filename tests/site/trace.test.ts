import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exception, Recording } from "./recording.ts";
import { factorial, shown } from "./trace-runs.ts";

describe("positions and calls", () => {
  it("gives kind, place and depth of every event", () => {
    const trace = factorial().trace();
    assert.deepEqual(trace.position(3), { file: "prog.py", line: 1, function: "fact", depth: 2 });
    assert.equal(trace.kind(3), "call");
    assert.equal(trace.depth(9), 4);
    assert.equal(trace.position(trace.steps - 1), null);
    assert.equal(trace.kind(trace.steps - 1), "end");
  });

  it("lists the stack innermost first, callers at the line of their call", () => {
    const trace = factorial().trace();
    const stack = trace.stack(10).map(({ frame, line, depth }) => [frame, line, depth]);
    assert.deepEqual(stack, [
      [3, 2, 4],
      [2, 4, 3],
      [1, 4, 2],
      [0, 7, 1],
    ]);
  });

  it("keeps a frame's id over its resumes and hangs it under who resumed it", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(5);
    const ticks = recording.call("ticks", 1, { n: 2 }, 3);
    recording.line(2);
    recording.yield(0);
    recording.line(6);
    recording.call("other", 9);
    recording.line(10);
    recording.resume(ticks, null);
    recording.line(3, { i: 1 });
    const trace = recording.trace({ open: true });
    const last = trace.steps - 1;
    assert.deepEqual(
      trace.stack(last).map(({ function: name, frame }) => [name, frame]),
      [
        ["ticks", ticks],
        ["other", 2],
        ["<module>", 0],
      ],
    );
    assert.deepEqual(shown(trace, last), ["n = 2", "i = 1 *"]);
  });

  it("shows at the end of a run that was cut short what was still on the stack", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(1, { n: 0 });
    recording.line(2, { n: 1 });
    recording.end();
    const trace = recording.trace({ open: true });
    trace.finish({ status: "stopped", steps: 0 });
    assert.equal(trace.end?.steps, 4);
    assert.deepEqual(
      trace.stack(3).map(({ line }) => line),
      [2],
    );
    assert.deepEqual(shown(trace, 3), ["n = 1 *"]);
  });
});

describe("outcomes, output and files", () => {
  it("gives what was returned, raised and what left a frame", () => {
    const recording = new Recording();
    const error = exception("ValueError", "bad");
    recording.call("<module>", 1);
    recording.line(1);
    recording.raise(error);
    recording.unwind(error);
    const trace = recording.trace();
    assert.equal(trace.outcome(1), null);
    assert.deepEqual(trace.outcome(2), { kind: "raise", ref: -error.id });
    assert.equal(trace.view(-error.id, 2).preview, "ValueError('bad')");
    assert.equal(factorial().trace().outcome(12)?.kind, "return");
  });

  it("gives the output up to and including a step, by stream too", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.print("a\n");
    recording.print("oh\n", "stderr");
    recording.line(2);
    recording.print("b\n");
    const trace = recording.trace();
    assert.equal(trace.outputText(0), "");
    assert.equal(trace.outputText(1), "a\n");
    assert.equal(trace.outputText(3), "a\noh\n");
    assert.equal(trace.outputText(4, "stdout"), "a\nb\n");
    assert.deepEqual(trace.outputPiece(1), { stream: "stderr", text: "oh\n", step: 2 });
    const before = [0, 1, 3, 4].map((step) => trace.outputBefore(step, "stdout")?.step ?? null);
    const after = [-1, 0, 1, 2, 4].map((step) => trace.outputAfter(step, "stdout")?.step ?? null);
    assert.deepEqual(
      [before, after],
      [
        [null, 1, 1, 4],
        [1, 1, 4, 4, null],
      ],
    );
    assert.equal(trace.outputBefore(1, "stderr"), null);
    assert.deepEqual([trace.outputBefore(3, "all")?.step, trace.outputAfter(1, "all")?.step], [2, 2]);
  });

  it("gives files as they were at a step, bytes exact", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.write("a.bin", Uint8Array.of(0, 255, 10));
    recording.write("a.bin", Uint8Array.of(0, 1, 255, 10));
    recording.write("b.txt", "x");
    recording.write("a.bin", null);
    recording.write("a.bin", "new");
    const trace = recording.trace();
    assert.deepEqual(trace.fileContent("a.bin", 2), Uint8Array.of(0, 1, 255, 10));
    assert.deepEqual(trace.fileContent("a.bin", 1), Uint8Array.of(0, 255, 10));
    assert.equal(trace.fileContent("a.bin", 4), null);
    assert.equal(trace.fileContent("nowhere", 4), null);
    assert.deepEqual(trace.fileContent("a.bin", 5), new TextEncoder().encode("new"));
    assert.deepEqual(trace.files(4), [
      { path: "a.bin", change: "deleted", size: 0, step: 4, deleted: true },
      { path: "b.txt", change: "created", size: 1, step: 3, deleted: false },
    ]);
    assert.equal(trace.fileHistory("a.bin", 5).length, 4);
    assert.equal(trace.fileChange(2)?.change, "changed");
  });

  it("finds the line events of a place", () => {
    const trace = factorial().trace();
    assert.deepEqual([...trace.stepsAt("prog.py", 5)], [13, 15]);
    assert.equal(trace.countAt("prog.py", 5, 15), 1);
    assert.deepEqual([...trace.stepsAt("prog.py", 99)], []);
    assert.deepEqual([...trace.stepsAt("other.py", 5)], []);
  });
});
