/** What a drive tells its pane of the end of a run, with an interpreter that the test plays. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Drive } from "../../site/src/elements/drive.ts";
import type { Interpreters } from "../../site/src/elements/interpreters.ts";
import type { TraceEnd } from "../../site/src/protocol.ts";
import type { RunCallbacks } from "../../site/src/runtime.ts";
import { digestOf } from "../../site/src/trace/digest.ts";
import type { Trace } from "../../site/src/trace/trace.ts";
import { replaceSubtle, withoutHashes } from "./hashes.ts";
import { HEADER, Recording } from "./recording.ts";
import { begin } from "./session-stage.ts";

const SCENARIO = { id: "normal", label: {}, job: {}, digest: HEADER.job, reference: null };

/** A run of three lines that a test lets end. */
class Played {
  readonly told: string[] = [];
  readonly over: Promise<void>;
  readonly drive: Drive;
  end: TraceEnd | null = null;
  trace: Trace | null = null;
  stops = 0;
  private callbacks!: RunCallbacks;

  constructor(record = true) {
    let settle!: () => void;
    this.over = new Promise((resolve) => {
      settle = resolve;
    });
    this.drive = new Drive({
      waiting: () => undefined,
      started: () => this.told.push("started"),
      opened: (trace) => {
        this.trace = trace;
        this.told.push("opened");
      },
      grew: () => this.told.push("grew"),
      ended: (end) => {
        this.end = end;
        this.told.push("ended");
        settle();
      },
      failed: () => this.told.push("failed"),
    });
    const run = (_job: unknown, _record: boolean, callbacks: RunCallbacks) => {
      this.callbacks = callbacks;
      return { id: 1, stop: () => this.stops++ };
    };
    this.drive.run({ get: () => ({ run }) } as unknown as Interpreters, SCENARIO, record, null);
    this.callbacks.started?.();
    this.callbacks.header?.(HEADER);
  }

  /** The program has run; its interpreter says how it ended, and nothing of a digest. */
  finish(end: Partial<TraceEnd> = {}): void {
    const recording = new Recording();
    begin(recording);
    recording.end();
    this.callbacks.chunk?.(recording.flush());
    this.callbacks.end({ status: "finished", steps: recording.steps, ...end });
  }
}

/** Hashes that all come when the test opens it; none takes any time after that. */
class Gate {
  private let!: () => void;
  private readonly opened = new Promise<void>((resolve) => {
    this.let = resolve;
  });

  async digest(): Promise<ArrayBuffer> {
    await this.opened;
    return new ArrayBuffer(32);
  }

  /** Settles when everything that waited for it has happened. */
  async open(): Promise<void> {
    this.let();
    await new Promise(setImmediate);
  }
}

/** Does something after a run's end has come, while its digest is worked out: until the gate opens. */
async function whileHashing(act: (played: Played, gate: Gate) => Promise<void>): Promise<void> {
  const gate = new Gate();
  await replaceSubtle(gate, async () => {
    const played = new Played();
    played.finish();
    await act(played, gate);
  });
}

describe("the end of a run", () => {
  it("comes with the digest of what was recorded", async () => {
    const played = new Played();
    played.finish({ wall: 0.5 });
    await played.over;
    const { digest, ...end } = played.end!;
    assert.deepEqual(end, { status: "finished", steps: 4, wall: 0.5 });
    assert.equal(digest, await digestOf(played.trace!, end));
    assert.match(digest!, /^[0-9a-f]{64}$/);
    assert.deepEqual(played.trace!.end, played.end);
    assert.deepEqual(played.told, ["started", "opened", "grew", "ended"]);
  });

  it("comes at once and without a digest when it is not the program's own, or nothing was recorded", () => {
    for (const [record, end] of [
      [true, { status: "stopped" }],
      [true, { status: "crashed" }],
      [true, { status: "limit", limit: "seconds" }],
      [false, { status: "finished" }],
    ] as const) {
      const played = new Played(record);
      played.finish(end);
      assert.deepEqual(played.end, { steps: 4, ...end });
    }
  });

  it("comes without a digest where there is no SHA-256, and where hashing fails", async () => {
    const failing = { digest: () => Promise.reject(new Error("no memory is left")) };
    const check = async () => {
      const played = new Played();
      played.finish();
      await played.over;
      assert.deepEqual(played.end, { status: "finished", steps: 4 });
    };
    await withoutHashes(check);
    await replaceSubtle(failing, check);
  });

  it("is not told once the pane has dropped the run", async () => {
    await whileHashing(async (played, gate) => {
      played.drive.drop();
      await gate.open();
      assert.deepEqual(played.told, ["started", "opened", "grew"]);
    });
  });

  it("stays what it was when Stop is pressed meanwhile", async () => {
    await whileHashing(async (played, gate) => {
      played.drive.stop();
      assert.deepEqual([played.told, played.trace!.end], [["started", "opened", "grew"], null]);
      await gate.open();
      assert.deepEqual(played.told, ["started", "opened", "grew", "ended"]);
      assert.deepEqual(played.end, { status: "finished", steps: 4, digest: "0".repeat(64) });
    });
  });

  it("is a crash when it does not fit what has come", async () => {
    const played = new Played();
    played.finish({ steps: 7 });
    await played.over;
    assert.equal(played.end!.status, "crashed");
    assert.match(played.end!.detail!, /ends with 7 steps, 4 have come/);
    assert.deepEqual([played.trace!.end?.status, played.stops], ["crashed", 1]);
  });
});
