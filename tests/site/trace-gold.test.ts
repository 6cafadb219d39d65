/** The reader against the answers of the Python side, on traces of real programs (tests/py/record/gold.py writes both). */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { breakpointHits } from "../../site/src/trace/breakpoints.ts";
import { partHistory } from "../../site/src/trace/parts.ts";
import { statementsOf } from "../../site/src/trace/statements.ts";
import { type Scope, Trace } from "../../site/src/trace/trace.ts";

const FOLDER = new URL("../gold/", import.meta.url);
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".trace"))
  .map((name) => name.slice(0, -".trace".length));

interface Event {
  readonly step: number;
  readonly kind: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly function: string | null;
  readonly depth: number;
  readonly set?: Record<string, unknown>;
  readonly unset?: readonly string[];
  readonly value?: unknown;
  readonly exception?: { readonly type: string; readonly args: readonly unknown[] };
  readonly text?: string;
}

interface Gold {
  readonly expanded: {
    readonly events: readonly Event[];
    readonly stdout: string;
    readonly stderr: string;
    readonly end: object;
  };
  readonly moments: readonly {
    readonly step: number;
    readonly stack: readonly object[];
    readonly variables: Record<string, readonly object[]>;
    readonly output: string;
    readonly files: Record<string, string>;
  }[];
  readonly lines: Record<string, readonly number[]>;
  readonly hits: readonly { readonly lines: readonly number[]; readonly steps: readonly number[] }[];
  readonly histories: readonly {
    readonly frame: number;
    readonly scope: Scope;
    readonly name: string;
    readonly history: readonly Pair[];
  }[];
  readonly objects: Record<string, readonly number[]>;
  readonly parts: readonly {
    readonly object: number;
    readonly part: string | number;
    readonly history: readonly Pair[];
  }[];
  readonly fileHistories: Record<string, readonly (readonly [number, string | null])[]>;
}

type Pair = readonly [step: number, ref: number];

/** As JSON has it: no prototypes, no absent keys. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const path = (file: string) => new URL(file, FOLDER);

async function load(name: string): Promise<{ trace: Trace; gold: Gold }> {
  const trace = await Trace.parse(readFileSync(path(`${name}.trace`)));
  return { trace, gold: JSON.parse(readFileSync(path(`${name}.json`), "utf8")) };
}

/** An event as the expanded JSON has it. */
function eventOf(trace: Trace, step: number, like: Event): unknown {
  const position = trace.position(step);
  const outcome = trace.outcome(step);
  const value = () => plain(trace.expanded(outcome?.ref as number, step));
  return {
    step,
    kind: trace.kind(step),
    file: position?.file ?? null,
    line: position?.line || null,
    function: position?.function ?? null,
    depth: trace.kind(step) === "end" ? like.depth : trace.depth(step),
    ...(like.set ? changesOf(trace, step) : {}),
    ...(like.value === undefined ? {} : { value: value() }),
    ...(like.exception ? { exception: like.exception && exceptionOf(value()) } : {}),
    ...(like.text === undefined ? {} : outputOf(trace, step)),
    ...(trace.fileChange(step) ? fileOf(trace, step) : {}),
  };
}

function changesOf(trace: Trace, step: number): object {
  const set: Record<string, unknown> = {};
  // Where two scopes have the same name the nearer one is told.
  for (const { name, ref, changed } of trace.variables(step))
    if (changed) set[name] ??= plain(trace.expanded(ref, step));
  return {
    set,
    unset: trace
      .removed(step)
      .map(({ name }) => name)
      .sort(),
  };
}

function exceptionOf(value: unknown): object {
  const { type, id, items, ...rest } = value as { type: string; id: number; items?: unknown[] };
  return { type, id, args: items ?? [], ...rest };
}

function outputOf(trace: Trace, step: number): object {
  const { stream, text } = trace.outputPiece(trace.outputCount(step) - 1);
  return { stream, text };
}

function fileOf(trace: Trace, step: number): object {
  const { path: name, change, size } = trace.fileChange(step) as { path: string; change: string; size: number };
  return { path: name, change, size };
}

/** In the order of names: a name that is bound again keeps its place here, and moves to the end in Python. */
function byName(variables: readonly object[]): object[] {
  const key = (variable: object) =>
    JSON.stringify([(variable as { scope: string }).scope, (variable as { name: string }).name]);
  return [...variables].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function variablesOf(trace: Trace, step: number, frame: number): object[] {
  return plain(
    trace
      .variables(step, frame)
      .map(({ scope, name, ref, changed }) => ({ scope, name, value: trace.expanded(ref, step), changed })),
  ) as object[];
}

/** The files that exist at a step, their bytes hexadecimal. */
function filesOf(trace: Trace, step: number): Record<string, string> {
  const there = trace.files(step).filter(({ deleted }) => !deleted);
  return Object.fromEntries(
    there.map(({ path: name }) => [name, Buffer.from(trace.fileContent(name, step) ?? []).toString("hex")]),
  );
}

const pair = ({ step, ref }: { step: number; ref: number }): Pair => [step, ref];

/** The contents of a file at each of its changes, hexadecimal; null where it was deleted. */
function fileHistoryOf(trace: Trace, path: string): (readonly [number, string | null])[] {
  return trace
    .fileHistory(path, trace.steps - 1)
    .map(({ step, deleted }) => [
      step,
      deleted ? null : Buffer.from(trace.fileContent(path, step) ?? []).toString("hex"),
    ]);
}

describe("the gold vectors", () => {
  it("are there", () => assert.ok(NAMES.length > 20, `${NAMES.length} traces in tests/gold`));

  for (const name of NAMES) {
    it(`${name}: every event is as the expanded JSON has it`, async () => {
      const { trace, gold } = await load(name);
      assert.equal(trace.steps, gold.expanded.events.length);
      for (const event of gold.expanded.events) assert.deepEqual(eventOf(trace, event.step, event), event);
      const last = trace.steps - 1;
      assert.equal(trace.outputText(last, "stdout"), gold.expanded.stdout);
      assert.equal(trace.outputText(last, "stderr"), gold.expanded.stderr);
      assert.deepEqual(plain(trace.end), gold.expanded.end);
    });

    it(`${name}: stack, variables, output and files at a step are those of a replay`, async () => {
      const { trace, gold } = await load(name);
      for (const { step, stack, variables, output, files } of gold.moments) {
        assert.deepEqual(plain(trace.stack(step)), stack);
        for (const [frame, expected] of Object.entries(variables)) {
          assert.deepEqual(
            byName(variablesOf(trace, step, Number(frame))),
            byName(expected),
            `frame ${frame} at step ${step}`,
          );
        }
        assert.equal(trace.outputText(step), output);
        assert.deepEqual(filesOf(trace, step), files);
      }
    });

    it(`${name}: finds the line events of every line`, async () => {
      const { trace, gold } = await load(name);
      for (const [line, steps] of Object.entries(gold.lines))
        assert.deepEqual([...trace.stepsAt("prog.py", Number(line))], steps);
    });

    it(`${name}: finds the histories of variables, objects and their parts, and of files`, async () => {
      const { trace, gold } = await load(name);
      const last = trace.steps - 1;
      for (const { frame, scope, name: variable, history } of gold.histories) {
        const found = trace.writes(scope, variable, last, frame).all().map(pair);
        assert.deepEqual(found, history, `${variable} of frame ${frame}`);
        const [step, ref] = history[history.length - 1] as Pair;
        assert.equal(trace.writtenAt(scope, variable, last, frame), ref === 0 ? -1 : step);
      }
      for (const [object, steps] of Object.entries(gold.objects))
        assert.deepEqual(trace.objectWrites(Number(object), last).all(), steps);
      for (const { object, part, history } of gold.parts)
        assert.deepEqual(
          partHistory(trace, object, part, last).all().map(pair),
          history,
          `${part} of object ${object}`,
        );
      for (const [path, history] of Object.entries(gold.fileHistories))
        assert.deepEqual(fileHistoryOf(trace, path), history);
    });

    it(`${name}: a breakpoint is hit where its statement starts`, async () => {
      const { trace, gold } = await load(name);
      for (const { lines, steps } of gold.hits) {
        const key = lines[0] as number;
        const breakpoint = { file: "prog.py", line: lines[lines.length - 1] as number, enabled: true };
        const hits = breakpointHits(
          trace,
          breakpoint,
          statementsOf(
            "prog.py",
            lines.map((line) => [line, key]),
          ),
        );
        const found: number[] = [];
        for (let step = hits.next(-1); step >= 0; step = hits.next(step)) found.push(step);
        assert.deepEqual(found, steps, `lines ${lines}`);
      }
    });
  }
});
