import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TraceEnd } from "../../site/src/protocol.ts";
import { Trace } from "../../site/src/trace/trace.ts";
import { HEADER, Recording } from "./recording.ts";
import { begin, Stage } from "./session-stage.ts";

describe("the verdict", () => {
  const run = (end: Partial<TraceEnd>) => new Stage().debug().grow(begin).end(end);

  /** The native trace of the same run, with what a test changes. */
  const reference = (record: (recording: Recording) => void, end: Partial<TraceEnd> = {}) => {
    const recording = new Recording();
    record(recording);
    recording.end();
    const trace = recording.trace({ open: true });
    trace.finish({ status: "finished", steps: trace.steps, ...end });
    return trace;
  };

  it("is equal by the digest alone", () => {
    const { state } = run({ digest: "d1" });
    assert.deepEqual([state.verdict, state.wantsReference], [{ status: "equal" }, false]);
  });

  it("finds the first step that differs when the shipped trace has come", () => {
    const stage = run({ digest: "d2" });
    assert.deepEqual([stage.state.verdict, stage.state.wantsReference], [{ status: "different" }, true]);
    const native = reference((recording) => {
      recording.call("<module>", 1);
      recording.lines(1, 7);
    });
    stage.send({ type: "reference", run: stage.run, trace: native });
    assert.deepEqual(
      [stage.state.verdict.status, stage.state.verdict.step, stage.state.wantsReference],
      ["different", 2, false],
    );
  });

  it("stays different when the shipped trace cannot be had", () => {
    const stage = run({ digest: "d2" });
    stage.send({ type: "reference", run: stage.run, trace: null });
    assert.deepEqual([stage.state.verdict, stage.state.wantsReference], [{ status: "different" }, false]);
  });

  describe("of a page without SHA-256, whose runs have no digest", () => {
    const unhashed = () => {
      const stage = new Stage().debug().grow(begin);
      stage.grow((recording) => recording.end());
      stage.trace.finish({ status: "finished", steps: stage.trace.steps });
      return stage.send({ type: "ended", run: stage.run, end: stage.trace.end as TraceEnd });
    };
    const verdict = (trace: Trace | null) => {
      const stage = unhashed();
      stage.send({ type: "reference", run: stage.run, trace });
      assert.equal(stage.state.wantsReference, false);
      return stage.state.verdict;
    };

    it("is open until the shipped trace has come", () => {
      const { state } = unhashed();
      assert.deepEqual([state.verdict, state.wantsReference], [{ status: "none" }, true]);
    });

    it("is equal when events and ends are", () => {
      assert.deepEqual(verdict(reference(begin, { digest: "d1" })), { status: "equal" });
    });

    it("is different when an event is, or the end", () => {
      const longer = reference((recording) => {
        begin(recording);
        recording.lines(5);
      });
      assert.deepEqual([verdict(longer).status, verdict(longer).step], ["different", 3]);
      const exit = reference(begin, { status: "exit", code: 1 });
      const { status, step, divergence } = verdict(exit);
      assert.deepEqual([status, step, divergence?.what], ["different", 3, "end"]);
    });

    it("says how far it reaches when the shipped trace was cut short", () => {
      assert.deepEqual(verdict(reference(begin, { status: "limit", limit: "seconds" })), {
        status: "equal",
        compared: 3,
      });
    });

    it("is unavailable when the shipped trace cannot be had", () => {
      assert.deepEqual(verdict(null), { status: "unavailable", reason: "fetch" });
    });
  });

  it("compares a run that was stopped up to its end", () => {
    const stage = new Stage().debug().grow(begin).send({ type: "stop" });
    stage.grow((recording) => recording.end());
    stage.trace.finish({ status: "stopped", steps: 0 });
    stage.send({ type: "ended", run: 1, end: stage.trace.end as TraceEnd });
    assert.deepEqual([stage.state.verdict.status, stage.state.wantsReference], ["none", true]);
    const native = reference((recording) => {
      begin(recording);
      recording.lines(5, 7);
    });
    stage.send({ type: "reference", run: 1, trace: native });
    assert.deepEqual(stage.state.verdict, { status: "equal", compared: 3 });
  });

  it("is unavailable without a reference, for typed input, and for the reference itself", () => {
    const stage = new Stage({ type: "choose", scenario: "odd" }).debug().grow(begin).end();
    assert.deepEqual(stage.state.verdict, { status: "unavailable", reason: "none" });
    const typed = new Stage();
    typed.trace = new Trace({ ...HEADER, job: "f".repeat(64) });
    typed.debug().grow(begin).end();
    assert.deepEqual(typed.state.verdict, { status: "unavailable", reason: "input" });
    const native = new Stage({ type: "press", record: true, from: "native" });
    native.send({ type: "opened", run: 1, trace: native.trace }).grow(begin).end();
    assert.deepEqual(native.state.verdict, { status: "unavailable", reason: "native" });
  });
});
