import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { statusOf, update } from "../../site/src/session.ts";
import { begin, Stage } from "./session-stage.ts";

describe("moving", () => {
  it("waits for a step that is still to come, and takes the nearest when the run is over", () => {
    const stage = new Stage().debug().grow(begin).send({ type: "goto", step: 0 }, { type: "goto", step: 4 });
    assert.deepEqual([stage.state.cursor, stage.state.wanted, statusOf(stage.state)], [0, 4, "running"]);
    stage.grow((recording) => {
      recording.line(7);
      recording.line(8);
    });
    assert.deepEqual([stage.state.cursor, stage.state.wanted], [4, null]);
    stage.send({ type: "goto", step: 99 }).end();
    assert.deepEqual([stage.state.cursor, stage.state.wanted], [stage.state.steps - 1, null]);
  });

  it("goes to a step of a run that is over, or the nearest there is", () => {
    const stage = new Stage().debug().grow(begin).end();
    assert.equal(stage.send({ type: "goto", step: 2 }).state.cursor, 2);
    assert.equal(stage.send({ type: "goto", step: 99 }).state.cursor, stage.state.steps - 1);
    assert.equal(stage.send({ type: "goto", step: -5 }).state.cursor, 0);
    assert.equal(stage.send({ type: "goto", step: Number.POSITIVE_INFINITY }).state.cursor, stage.state.steps - 1);
  });

  it("stays where it is when the step is no number", () => {
    const stage = new Stage().debug().grow(begin).send({ type: "goto", step: 1 });
    for (const step of [Number.NaN, "last" as unknown as number, undefined as unknown as number])
      assert.equal(stage.send({ type: "goto", step }).state.cursor, 1);
  });

  it("forgets a move that waits when the reader goes elsewhere", () => {
    const stage = new Stage().debug().grow(begin);
    stage.send({ type: "move", way: "end" }, { type: "goto", step: 1 }).end();
    assert.equal(stage.at, "line 1");
  });

  it("stays where it is at either end", () => {
    const stage = new Stage().debug().grow(begin).end();
    assert.equal(stage.send({ type: "move", way: "backInto" }).at, "line 1");
    stage.send({ type: "move", way: "end" });
    assert.equal(stage.send({ type: "move", way: "over" }).at, "end 0");
    assert.equal(stage.send({ type: "move", way: "start" }).at, "line 1");
  });

  it("follows the run to its newest stop until the reader moves", () => {
    const stage = new Stage().debug().grow(begin).send({ type: "follow", on: true });
    assert.equal(stage.at, "line 2");
    stage.grow((recording) => {
      recording.line(7);
      recording.print("x");
    });
    assert.equal(stage.at, "line 7");
    stage.send({ type: "move", way: "back" }).grow((recording) => recording.line(1));
    assert.equal(stage.at, "line 2");
  });

  it("leaves the state before an event as it was", () => {
    const stage = new Stage().debug().grow(begin);
    const frozen = Object.freeze({ ...stage.state });
    update(frozen, { type: "move", way: "over" });
    update(frozen, { type: "toggle", line: 1 });
    assert.equal(frozen.cursor, 1);
  });
});
