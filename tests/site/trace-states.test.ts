/** What the reader answers by search, against what a replay of the same events has at every step. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Trace } from "../../site/src/trace/trace.ts";
import { randomRun, seeded } from "./random.ts";
import { HEADER, Recording, type Snapshot } from "./recording.ts";

/** The variables that a snapshot gives a frame, cells seen through. */
function expected(snapshot: Snapshot, frame: number): Map<string, number> {
  const contents = (ref: number) => {
    const slots = ref < 0 ? snapshot.objects.get(-ref) : undefined;
    return slots !== undefined && cells.has(-ref) ? Number(slots) : ref;
  };
  const all = [...(snapshot.locals.get(frame) ?? []), ...(snapshot.globals.get(0) ?? [])];
  return new Map(all.map(([name, ref]): [string, number] => [name, contents(ref)]).filter(([, ref]) => ref !== 0));
}

// The fourth thing of a random run is its only cell; it gets whatever id it is seen with.
let cells = new Set<number>();

function recorded(seed: number): { recording: Recording; trace: Trace } {
  const recording = randomRun(seeded(seed));
  const trace = recording.trace();
  const { objects, columns } = trace.tables;
  cells = new Set<number>();
  for (let version = 0; version < columns.versionShape.length; version++) {
    if (objects.shape(version) === 9) cells.add(columns.versionObject.at(version));
  }
  return { recording, trace };
}

describe("state at a step", () => {
  for (let seed = 1; seed <= 25; seed++) {
    it(`is that of a replay (seed ${seed})`, () => {
      const { recording, trace } = recorded(seed);
      recording.snapshots.forEach((snapshot, step) => {
        assert.equal(trace.outputText(step), snapshot.output);
        if (trace.kind(step) !== "end")
          assert.deepEqual(
            trace.stack(step).map(({ frame }) => frame),
            snapshot.stack,
          );
        for (const frame of snapshot.stack) {
          const found = new Map(trace.variables(step, frame).map(({ name, ref }) => [name, ref]));
          assert.deepEqual(found, expected(snapshot, frame), `frame ${frame} at step ${step}`);
        }
      });
    });

    it(`marks as changed what differs deeply from the frame's event before (seed ${seed})`, () => {
      const { trace } = recorded(seed);
      for (let step = 0; step < trace.steps; step++) {
        const frame = trace.frame(step);
        const look = (limit: number) => {
          let at = trace.previousIn(frame, limit);
          while (at >= 0 && trace.kind(at) === "output") at = trace.previousIn(frame, at);
          return at;
        };
        const before = frame < 0 ? -1 : look(look(step + 1));
        if (before < 0) continue;
        const deep = (at: number) =>
          new Map(
            trace
              .variables(at, frame)
              .map(({ scope, name, ref }) => [`${scope} ${name}`, JSON.stringify(trace.expanded(ref, at))]),
          );
        const [old, now] = [deep(before), deep(step)];
        for (const { scope, name, changed } of trace.variables(step, frame)) {
          const key = `${scope} ${name}`;
          assert.equal(changed, old.get(key) !== now.get(key), `${key} at step ${step}`);
        }
      }
    });

    it(`does not depend on where chunks are cut (seed ${seed})`, () => {
      const whole = randomRun(seeded(seed)).trace();
      const random = seeded(seed);
      const pieces = new Recording({ splice: true });
      const trace = new Trace(HEADER);
      // The same program once more, flushed at random moments.
      const event = pieces.event.bind(pieces);
      pieces.event = (...parts) => {
        const step = event(...parts);
        if (random(5) === 0) trace.append(pieces.flush());
        return step;
      };
      randomRun(seeded(seed), 120, pieces);
      trace.append(pieces.flush());
      assert.equal(trace.steps, whole.steps);
      for (let step = 0; step < whole.steps; step += 7) {
        assert.deepEqual(trace.variables(step), whole.variables(step));
        assert.deepEqual(trace.stack(step), whole.stack(step));
      }
    });
  }

  it("stays what it was while the trace grows", () => {
    const recording = new Recording();
    const trace = new Trace(HEADER);
    recording.call("<module>", 1);
    recording.line(1, { x: 1 });
    trace.append(recording.flush());
    const before = [trace.variables(1), trace.stack(1), [...trace.stepsAt("prog.py", 1)]];
    for (let n = 0; n < 500; n++) recording.line(1, { x: n, [`y${n}`]: n });
    trace.append(recording.flush());
    assert.deepEqual([trace.variables(1), trace.stack(1), [...trace.stepsAt("prog.py", 1)].slice(0, 1)], before);
    assert.equal(trace.variables(501).length, 501);
  });
});
