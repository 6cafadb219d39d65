/** The histories of parts of objects, against a look at every version. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { childrenOf } from "../../site/src/elements/values.ts";
import { partWrittenAt } from "../../site/src/elements/written.ts";
import { partHistory } from "../../site/src/trace/parts.ts";
import { Trace } from "../../site/src/trace/trace.ts";
import { type Random, seeded } from "./random.ts";
import { dict, HEADER, instance, list, Recording, Thing, type Value } from "./recording.ts";

/** More versions than are looked at only when they are asked for. */
const TURNS = 700;

const KEYS = ["a", "b", "c", 1, 2] as const;

const CHANGES: Readonly<Record<string, readonly [() => Thing, (thing: Thing, random: Random) => void]>> = {
  "list that grows and shrinks at its end": [
    () => list(0),
    ({ items }, random) => {
      if (random(3)) items.push(random(4));
      else if (random(2)) items.pop();
      else if (items.length) items[random(items.length)] = random(4);
    },
  ],
  "list that is cut anywhere": [
    () => list(1, 2, 3),
    ({ items }, random) => void items.splice(random(items.length + 1), random(3), ...(random(2) ? [random(3)] : [])),
  ],
  dict: [
    () => dict(),
    (thing, random) => {
      const key = KEYS[random(KEYS.length)] as Value;
      const at = thing.items.findIndex((item, index) => index % 2 === 0 && item === key);
      if (at < 0) thing.items.push(key, random(4));
      else if (random(3)) thing.items[at + 1] = random(4);
      else thing.items.splice(at, 2);
    },
  ],
  set: [
    () => new Thing(3, "set", [1]),
    (thing, random) => {
      const member = random(9);
      const others = thing.items.filter((item) => item !== member);
      thing.items = random(2) ? others : [...others, member].sort();
    },
  ],
  instance: [
    () => instance("P", { x: 0 }),
    (thing, random) => {
      const name = random(2) ? "x" : "y";
      if (random(4)) thing.attributes = { ...thing.attributes, [name]: random(4) };
      else delete thing.attributes?.[name];
    },
  ],
  "dict with attributes of the same names": [
    () => new Thing(6 + 128, "D", ["a", 1], { a: 0 }),
    (thing, random) => {
      if (random(2)) thing.items = random(3) ? ["a", random(3)] : [];
      else thing.attributes = random(3) ? { a: random(3) } : {};
    },
  ],
};

/** A run in which one object changes before every line; chunks are cut now and then. */
function changing(make: () => Thing, change: (thing: Thing, random: Random) => void): Recording {
  const [recording, random, thing] = [new Recording({ splice: true }), seeded(1), make()];
  recording.call("<module>", 1);
  for (let turn = 0; turn < TURNS; turn++) {
    recording.line(2, { thing, held: list(thing) });
    change(thing, random);
    if (random(40) === 0) recording.flush();
  }
  recording.return();
  recording.end();
  return recording;
}

/** What every version of the object holds, by the keys that a pane has and by the names that a reader may give. */
interface Version {
  readonly step: number;
  readonly children: ReadonlyMap<string, number>;
  readonly named: (part: string | number) => number;
}

function versionsOf(trace: Trace, ref: number): Version[] {
  return trace
    .objectWrites(-ref, trace.steps - 1)
    .all()
    .map((step) => {
      const { items = [], entries = [], attributes = [] } = trace.view(ref, step);
      const children = new Map(childrenOf(trace, ref, step).map(({ key, ref: held }) => [key, held]));
      const texts = entries.filter(([key]) => trace.view(key, step).type === "str");
      const byText = new Map(texts.map(([key, held]) => [trace.view(key, step).text, held]));
      const named = (part: string | number) =>
        typeof part === "number" ? (items[part] ?? 0) : new Map(attributes).get(part) || (byText.get(part) ?? 0);
      return { step, children, named };
    });
}

function naiveHistory(versions: readonly Version[], part: string | number, last: number): Pair[] {
  const found: Pair[] = [];
  for (const { step, named } of versions.filter((version) => version.step <= last))
    if (named(part) !== (found.at(-1)?.ref ?? 0)) found.push({ step, ref: named(part) });
  return found;
}

function naiveWritten(versions: readonly Version[], key: string, last: number): number {
  const until = versions.filter(({ step }) => step <= last).reverse();
  const ref = until[0]?.children.get(key);
  const other = until.findIndex(({ children }) => children.get(key) !== ref);
  return ref === undefined ? -1 : (until.at(other < 0 ? -1 : other - 1)?.step ?? -1);
}

interface Pair {
  readonly step: number;
  readonly ref: number;
}

const refOf = (trace: Trace): number => trace.variables(2).find(({ name }) => name === "thing")?.ref as number;

for (const [name, [make, change]] of Object.entries(CHANGES))
  describe(`the history of a part: ${name}`, () => {
    const recording = changing(make, change);
    const whole = recording.trace();
    const ref = refOf(whole);
    const versions = versionsOf(whole, ref);

    it("is what a look at every version finds", () => {
      assert.ok(versions.length > 300);
      for (const step of [1, 50, 300, whole.steps - 1])
        for (const part of ["a", "b", "c", "x", "y", "z", 0, 1, 2, 5, 400])
          assert.deepEqual(
            partHistory(whole, -ref, part, step).all(),
            naiveHistory(versions, part, step),
            `${part} at step ${step}`,
          );
    });

    it("ends where its value was written, also while the run goes on", () => {
      const trace = new Trace(HEADER);
      for (const chunk of recording.chunks) {
        trace.append(chunk);
        const step = trace.steps - 1;
        for (const { key } of step < 2 ? [] : childrenOf(trace, ref, step))
          assert.equal(partWrittenAt(trace, ref, key, step), naiveWritten(versions, key, step), `${key} at ${step}`);
      }
      assert.equal(partWrittenAt(trace, ref, "[9999", trace.steps - 1), -1);
    });
  });
