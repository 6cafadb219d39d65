/** Columns in pages, of which those that were not touched for long are folded: no answer may depend on it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Bytes, Ints } from "../../site/src/trace/columns.ts";
import { hitsOf } from "../../site/src/trace/hits.ts";
import { foldIntegers, Paging, unfoldIntegers } from "../../site/src/trace/paging.ts";
import { partHistory } from "../../site/src/trace/parts.ts";
import { EACH_LINE, statementsOf } from "../../site/src/trace/statements.ts";
import { stepBack, stepOver } from "../../site/src/trace/stepping.ts";
import { Trace } from "../../site/src/trace/trace.ts";
import { randomRun, seeded } from "./random.ts";
import { HEADER, list, Recording } from "./recording.ts";

const PAGE = 4096;
/** A few pages, so that nearly all questions unfold some. */
const FEW = 10 * 4 * PAGE;

describe("a page of integers", () => {
  const folded = (values: readonly number[]): number[] => {
    const page = Int32Array.from(values);
    const back = new Int32Array(page.length);
    unfoldIntegers(foldIntegers(page), back);
    return [...back];
  };

  for (const [what, values] of [
    ["steps", Array.from({ length: PAGE }, (_, index) => 5_000_000 + 3 * index)],
    ["two sequences by turns", Array.from({ length: PAGE }, (_, index) => (index % 2 ? 70_000 + index : 0 - index))],
    ["the largest and the smallest", [2 ** 31 - 1, -(2 ** 31), 0, -1, 2 ** 31 - 1, 2 ** 31 - 1, -(2 ** 31), 1]],
    [
      "numbers of any size",
      Array.from({ length: 500 }, (_, index) => (Math.imul(index, 0x9e3779b1) >> (index % 32)) | 0),
    ],
    ["one number", [-7]],
    ["none", []],
  ] as const)
    it(`is the same after folding: ${what}`, () => assert.deepEqual(folded(values), [...values]));

  it("takes a byte each where neighbours are near", () => {
    const steps = Int32Array.from({ length: PAGE }, (_, index) => 5_000_000 + 3 * index);
    assert.ok(foldIntegers(steps).length < PAGE + 20);
  });
});

describe("a column whose pages are put away", () => {
  it("gives and takes back every element", () => {
    const [paged, kept] = [new Ints(new Paging(0)), new Ints()];
    for (const column of [paged, kept]) {
      for (let index = 0; index < 3 * PAGE; index++) column.push(index * 7);
      column.extend(Int32Array.from({ length: 2 * PAGE }, (_, index) => index));
      column.fill(6 * PAGE + 100, -4);
      for (let index = 5; index < column.length; index += 997) column.set(index, -index);
      column.trim();
    }
    assert.deepEqual(paged.view(0, paged.length), kept.view(0, kept.length));
    assert.deepEqual(paged.view(PAGE - 3, PAGE + 3), kept.view(PAGE - 3, PAGE + 3));
    assert.deepEqual(
      [paged.above(7 * PAGE, 3 * PAGE), paged.at(-1), paged.at(paged.length)],
      [PAGE + 1, undefined, undefined],
    );
  });

  it("is copied as a whole, and what was put away stays so", () => {
    const paging = new Paging(0);
    const [integers, bytes] = [new Ints(paging), new Bytes(paging)];
    const numbers = Int32Array.from({ length: 3 * PAGE + 5 }, (_, index) => index * index);
    integers.extend(numbers);
    const text = Uint8Array.from({ length: 200_000 }, (_, index) => index % 97);
    bytes.extend(text);
    const { held } = paging;
    assert.deepEqual(integers.copy(), numbers);
    assert.deepEqual(bytes.copy(), text);
    assert.deepEqual(new Ints().copy(), new Int32Array());
    assert.equal(paging.held, held);
    integers.copy().fill(0);
    assert.equal(integers.at(7), 49);
  });

  it("holds bytes, too", () => {
    const column = new Bytes(new Paging(0));
    const text = new TextEncoder().encode("line after line after line\n".repeat(10_000));
    column.extend(text);
    column.extend(text);
    column.set(3, 0);
    assert.deepEqual(column.view(10, text.length), text.subarray(10));
    assert.deepEqual([column.at(3), column.at(text.length)], [0, text[0]]);
  });

  it("keeps account of what it holds", () => {
    const paging = new Paging(4 * PAGE * 4);
    const column = new Ints(paging);
    for (let index = 0; index < 100 * PAGE; index++) column.push(index);
    // Folded one byte each, but for those that are unfolded, and the last.
    assert.ok(paging.held > 95 * PAGE && paging.held < 130 * PAGE, String(paging.held));
    for (let index = 0; index < column.length; index += 100) column.set(index, column.at(index));
    assert.ok(paging.held < 130 * PAGE, String(paging.held));
  });
});

/** A loop whose list grows, with output and a file. */
function loop(): Recording {
  const recording = new Recording({ splice: true });
  const items = list();
  recording.call("<module>", 1);
  for (let turn = 0; turn < 4500; turn++) {
    recording.line(2, { turn, items });
    recording.line(3, { text: `turn ${turn}` });
    if (turn % 20 === 0) items.items.push(turn);
    if (turn % 100 === 0) recording.flush();
    if (turn % 100 === 1) recording.print(`${turn} `);
    if (turn % 500 === 0) recording.write("state.txt", `turn ${turn}`);
  }
  recording.return();
  recording.end();
  return recording;
}

/** Everything that is asked of a trace at a step. */
function ask(trace: Trace, step: number): unknown {
  const variables = trace.variables(step);
  const [file, line] = [trace.file(step), trace.line(step)];
  const hits = file === null ? null : hitsOf(trace, file, line, EACH_LINE);
  const merged = hitsOf(
    trace,
    "prog.py",
    2,
    statementsOf("prog.py", [
      [2, 2],
      [3, 2],
    ]),
  );
  return [
    [trace.kind(step), trace.position(step), trace.stack(step), trace.outcome(step), trace.outputText(step)],
    [trace.files(step), trace.fileContent("state.txt", step), trace.fileHistory("state.txt", step)],
    variables.map(({ scope, name, ref, changed }) => {
      const { id } = trace.view(ref, step);
      const writes = trace.writes(scope, name, step);
      return [
        name,
        changed,
        trace.expanded(ref, step),
        writes.length,
        writes.length > 0 && writes.at(writes.length - 1),
        trace.writtenAt(scope, name, step),
        id && [
          trace.objectWrittenAt(id, step),
          trace.objectWrites(id, step).length,
          partHistory(trace, id, 0, step).length,
        ],
      ];
    }),
    [stepOver(trace, step), stepBack(trace, step), hits?.count(step), hits?.at(hits.count(step)), merged.count(step)],
  ];
}

for (const [name, recording] of [
  ["a loop", loop()],
  ["a random program", randomRun(seeded(11), 4500, new Recording({ splice: true }))],
] as const)
  describe(`a trace beyond its budget: ${name}`, () => {
    const kept = recording.trace();
    const paged = new Trace(HEADER, new Paging(FEW));
    for (const chunk of recording.chunks) paged.append(chunk);
    paged.finish({ status: "finished", steps: recording.steps });

    it("takes less memory", () => {
      assert.ok(kept.steps > PAGE);
      assert.ok(paged.held < kept.held, `${paged.held} of ${kept.held}`);
    });

    it("answers as one that is whole in memory", () => {
      const random = seeded(3);
      for (let turn = 0; turn < 30; turn++) {
        const step = random(kept.steps);
        assert.deepEqual(ask(paged, step), ask(kept, step), `step ${step}`);
      }
    });

    it("answers while it grows", () => {
      const growing = new Trace(HEADER, new Paging(FEW));
      for (const chunk of recording.chunks) {
        growing.append(chunk);
        const step = growing.steps - 1;
        const answers = [growing, kept].map((trace) => [
          trace.position(step),
          trace.outputText(step),
          trace.variables(step),
        ]);
        assert.deepEqual(answers[0], answers[1]);
      }
    });
  });
