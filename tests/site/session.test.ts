import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { breakpointViews, isRunning } from "../../site/src/session.ts";
import { begin, Stage } from "./session-stage.ts";

describe("running", () => {
  it("is idle, loads, runs, pauses at the first line while recording goes on, and finishes at the end", () => {
    const stage = new Stage();
    const seen = [stage.status];
    stage.send({ type: "press", record: true });
    seen.push(stage.status);
    stage.send({ type: "started", run: 1 }, { type: "opened", run: 1, trace: stage.trace });
    seen.push(stage.status);
    stage.grow(begin);
    seen.push(stage.status);
    assert.equal(stage.at, "line 1");
    assert.ok(isRunning(stage.state));
    stage.end();
    seen.push(stage.status);
    stage.send({ type: "move", way: "end" });
    seen.push(stage.status);
    stage.send({ type: "move", way: "back" });
    seen.push(stage.status);
    assert.deepEqual(seen, ["idle", "loading", "running", "paused", "paused", "finished", "paused"]);
  });

  it("stops first at a breakpoint's hit, however late it comes", () => {
    const stage = new Stage({ type: "toggle", line: 7 }).debug().grow(begin);
    assert.deepEqual([stage.status, stage.state.cursor], ["running", -1]);
    stage.grow((recording) => recording.lines(5, 7, 2));
    assert.deepEqual([stage.status, stage.at], ["paused", "line 7"]);
    stage.send({ type: "move", way: "continue" });
    assert.equal(stage.status, "running");
    stage.grow((recording) => recording.line(7));
    assert.deepEqual([stage.status, stage.state.cursor], ["paused", 6]);
    stage.send({ type: "move", way: "continue" }).end();
    assert.deepEqual([stage.status, stage.at], ["finished", "end 0"]);
  });

  it("runs without recording to its end, and has no cursor to move", () => {
    const stage = new Stage({ type: "press", record: false });
    stage.send({ type: "started", run: 1 }, { type: "opened", run: 1, trace: stage.trace });
    stage.grow((recording) => recording.print("hello\n"));
    stage.send({ type: "move", way: "into" }, { type: "goto", step: 0 });
    assert.deepEqual([stage.status, stage.state.cursor], ["running", -1]);
    stage.end();
    assert.deepEqual([stage.status, stage.state.cursor, stage.state.verdict.status], ["finished", -1, "none"]);
  });

  it("starts one run however often the button is pressed while the interpreter loads", () => {
    const stage = new Stage(
      { type: "press", record: true },
      { type: "press", record: true },
      { type: "press", record: true },
    );
    assert.equal(stage.state.lastRun, 1);
    stage.send({ type: "press", record: false });
    assert.deepEqual([stage.state.run?.record, stage.run], [false, 2]);
  });

  it("starts anew when pressed while a run goes on, and hears no more of the old one", () => {
    const stage = new Stage().debug().grow(begin);
    const old = stage.run;
    stage.send({ type: "press", record: true });
    assert.deepEqual([stage.status, stage.state.trace, stage.state.cursor], ["loading", null, -1]);
    const before = stage.state;
    stage.send({ type: "grew", run: old }, { type: "ended", run: old, end: { status: "stopped", steps: 0 } });
    assert.equal(stage.state, before);
  });

  it("waits for a third interpreter and says so", () => {
    const stage = new Stage({ type: "press", record: true }, { type: "waiting", run: 1, busy: true });
    assert.deepEqual([stage.status, stage.state.run?.phase], ["loading", "waiting"]);
    stage.send({ type: "waiting", run: 1, busy: false });
    assert.equal(stage.state.run?.phase, "loading");
  });

  it("fails with the reason, and starts the same again on retry", () => {
    const failure = { kind: "offline", detail: "no network", url: "x" } as const;
    const stage = new Stage({ type: "press", record: true }, { type: "failed", run: 1, failure });
    assert.deepEqual([stage.status, stage.state.failure], ["failed", failure]);
    stage.send({ type: "retry" });
    assert.deepEqual(
      [stage.status, stage.run, stage.state.run?.record, stage.state.failure],
      ["loading", 2, true, null],
    );
  });

  it("ends as the last step when nothing traced ever ran", () => {
    const stage = new Stage().debug().end();
    assert.deepEqual([stage.status, stage.at], ["finished", "end 0"]);
    const empty = new Stage().debug();
    empty.trace.finish({ status: "crashed", steps: 0 });
    empty.send({ type: "ended", run: 1, end: { status: "crashed", steps: 0 } });
    assert.deepEqual([empty.status, empty.state.cursor], ["stopped", -1]);
  });

  it("pauses where the program asks for input", () => {
    const stage = new Stage().debug().grow(begin).end({ status: "input" });
    stage.send({ type: "move", way: "end" });
    assert.equal(stage.status, "paused");
  });
});

describe("stopping", () => {
  it("takes back what has not started", () => {
    const stage = new Stage({ type: "press", record: true }, { type: "stop" });
    assert.deepEqual([stage.status, stage.state.run], ["idle", null]);
    const before = stage.state;
    stage.send({ type: "started", run: 1 });
    assert.equal(stage.state, before);
  });

  it("keeps the steps of an endless loop, which can be walked", () => {
    const stage = new Stage().debug().grow(begin);
    stage.send({ type: "stop" });
    assert.equal(stage.state.run?.phase, "stopping");
    stage.trace.finish({ status: "stopped", steps: 0 });
    stage.send({ type: "ended", run: 1, end: { status: "stopped", steps: 0 } });
    assert.deepEqual([stage.status, stage.at], ["stopped", "line 1"]);
    stage.send({ type: "move", way: "over" });
    assert.deepEqual([stage.status, stage.at], ["stopped", "line 2"]);
    stage.send({ type: "move", way: "back" });
    assert.deepEqual([stage.status, stage.at], ["paused", "line 1"]);
  });

  it("settles at the last step a continue that was still looking", () => {
    const stage = new Stage({ type: "toggle", line: 7 }).debug().grow(begin);
    stage.send({ type: "stop" });
    stage.trace.finish({ status: "stopped", steps: 0 });
    stage.send({ type: "ended", run: 1, end: { status: "stopped", steps: 0 } });
    assert.deepEqual([stage.status, stage.at], ["stopped", "line 2"]);
  });

  it("says stopped at the end of what a limit ended", () => {
    const stage = new Stage().debug().grow(begin).end({ status: "limit", limit: "steps" });
    assert.equal(stage.status, "paused");
    assert.equal(stage.send({ type: "move", way: "end" }).status, "stopped");
  });
});

describe("scenario, reset and breakpoints", () => {
  it("resets breakpoints, trace, cursor and verdict with another scenario", () => {
    const stage = new Stage({ type: "toggle", line: 2 }).debug().grow(begin).end();
    stage.send({ type: "choose", scenario: "odd" });
    const { breakpoints, trace, cursor, verdict, run, end } = stage.state;
    assert.deepEqual([breakpoints, trace, cursor, verdict.status, run, end], [[], null, -1, "none", null, null]);
    assert.equal(stage.status, "idle");
    stage.send({ type: "press", record: true });
    assert.equal(stage.run, 2);
  });

  it("changes nothing when the scenario is chosen again", () => {
    const stage = new Stage({ type: "toggle", line: 2 });
    const before = stage.state;
    assert.equal(stage.send({ type: "choose", scenario: "normal" }).state, before);
  });

  it("keeps the breakpoints over a reset and a new run", () => {
    const stage = new Stage({ type: "toggle", line: 2 }).debug().grow(begin).send({ type: "reset" });
    assert.deepEqual([stage.status, stage.state.trace, stage.state.breakpoints.length], ["idle", null, 1]);
  });

  it("slides a breakpoint to the line that can run, and refuses where none can", () => {
    const stage = new Stage({ type: "toggle", line: 3 });
    assert.deepEqual(stage.state.placed, { asked: 3, line: 5 });
    assert.deepEqual(breakpointViews(stage.state), [{ line: 5, enabled: true, verified: true, hits: 0 }]);
    stage.send({ type: "toggle", line: 99 });
    assert.deepEqual(stage.state.placed, { asked: 99, line: null });
    assert.equal(stage.state.breakpoints.length, 1);
    stage.send({ type: "toggle", line: 6 });
    assert.deepEqual(stage.state.breakpoints, []);
  });

  it("counts hits, one for each execution of a statement", () => {
    const stage = new Stage({ type: "toggle", line: 5 }, { type: "toggle", line: 2 }).debug().grow(begin);
    stage.grow((recording) => recording.lines(5, 6, 5, 2, 5, 7));
    assert.deepEqual(
      breakpointViews(stage.state).map(({ line, hits }) => [line, hits]),
      [
        [2, 2],
        [5, 2],
      ],
    );
  });

  it("turns a breakpoint off and on and keeps it, in the order of lines", () => {
    const stage = new Stage({ type: "toggle", line: 7 }, { type: "toggle", line: 1 });
    stage.send({ type: "toggle", line: 7, options: { enabled: false } });
    assert.deepEqual(
      stage.state.breakpoints.map(({ line, enabled }) => [line, enabled]),
      [
        [1, true],
        [7, false],
      ],
    );
    assert.deepEqual(stage.send({ type: "clear" }).state.breakpoints, []);
  });

  it("does not verify what it cannot honour yet", () => {
    const stage = new Stage({ type: "toggle", line: 7, options: { condition: "n > 2" } });
    const [view] = breakpointViews(stage.state);
    assert.deepEqual([view?.verified, view?.unsupported, view?.condition], [false, "condition", "n > 2"]);
    stage.send({ type: "toggle", line: 7, options: { hitCondition: ">= 2" } });
    assert.equal(stage.state.breakpoints.length, 1);
  });
});
