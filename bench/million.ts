/** Records a program on the page, keeps its trace as a pane does, and asks it what a pane asks. Driven by pages.py. */
import type { Job, TraceEnd, TraceHeader } from "../site/src/protocol.ts";
import type { Runtime } from "../site/src/runtime.ts";
import { hitsOf } from "../site/src/trace/hits.ts";
import { type Part, partWrittenAt } from "../site/src/trace/parts.ts";
import { EACH_LINE, stepBack, stepBackInto, stepBackOut, stepInto, stepOut, stepOver } from "../site/src/trace/stepping.ts";
import { Trace, type ValueView } from "../site/src/trace/trace.ts";

declare const tracepane: { readonly runtime: Runtime };

let trace: Trace;

interface Recorded {
  /** Milliseconds from the press to the end of the run, and those of them that went to taking chunks in. */
  readonly wall: number;
  readonly taken: number;
  readonly steps: number;
  /** Of chunks, and of memory as the trace itself counts it. */
  readonly bytes: number;
  readonly held: number;
  readonly end: TraceEnd;
}

async function record(job: Job): Promise<Recorded> {
  const began = performance.now();
  let [taken, bytes] = [0, 0];
  const end = await new Promise<TraceEnd>((settle, fail) => {
    tracepane.runtime.run(job, true, {
      header: (header: TraceHeader) => {
        trace = new Trace(header);
      },
      chunk: (chunk) => {
        const before = performance.now();
        trace.append(chunk);
        taken += performance.now() - before;
        bytes += chunk.length;
      },
      held: () => trace.held,
      end: settle,
      failed: (failure) => fail(new Error(JSON.stringify(failure))),
    });
  });
  trace.finish(end);
  return { wall: performance.now() - began, taken, steps: trace.steps, bytes, held: trace.held, end };
}

type Question = (step: number) => unknown;

const seek: Question = (step) => {
  const variables = trace.variables(step);
  for (const { ref } of variables) trace.view(ref, step);
  return [trace.position(step), trace.stack(step), trace.outputText(step).length, trace.files(step)];
};

/** What is asked of a variable, of an object and of a field, at the step that the cursor shows. */
const history: Question = (step) =>
  trace.variables(step).map(({ scope, name, ref }) => {
    const writes = trace.writes(scope, name, step);
    const shown = [0, 1, 2].map((back) => writes.length > back && writes.at(writes.length - 1 - back));
    const { id } = trace.view(ref, step);
    if (id === undefined) return [shown, trace.writtenAt(scope, name, step)];
    const versions = trace.objectWrites(id, step);
    return [shown, trace.objectWrittenAt(id, step), versions.at(versions.length - 1)];
  });

/** Where an item, an entry or an attribute of each value got what it holds: the first part and the last. */
const field: Question = (step) =>
  trace.variables(step).map(({ ref }) => {
    const view = trace.view(ref, step);
    const parts = partsOf(view);
    return [parts[0], parts[parts.length - 1]].map((part) => part && partWrittenAt(trace, view.id as number, part, step));
  });

function partsOf({ id, items = [], entries = [], attributes = [] }: ValueView): Part[] {
  if (id === undefined) return [];
  const last = items.length - 1;
  return [
    ...(last < 0 ? [] : [["item", 0] as const, ["item", last] as const]),
    ...entries.map(([key]) => ["entry", key] as const),
    ...attributes.map(([name]) => ["attribute", name] as const),
  ];
}

const output: Question = (step) => {
  const count = trace.outputCount(step);
  return [count > 0 && trace.outputPiece(count - 1), trace.outputText(step, "stdout").length];
};

const files: Question = (step) =>
  trace.files(step).map(({ path }) => [trace.fileContent(path, step), trace.fileHistory(path, step).length]);

const hit: Question = (step) => {
  const [file, line] = [trace.file(step), trace.line(step)];
  if (file === null) return null;
  const hits = hitsOf(trace, file, line, EACH_LINE);
  const before = hits.count(step);
  return [before, hits.at(before), hits.at(before - 1), trace.countAt(file, line, step)];
};

const QUESTIONS: Readonly<Record<string, Question>> = {
  seek,
  "step into": (step) => stepInto(trace, step),
  "step over": (step) => stepOver(trace, step),
  "step out": (step) => stepOut(trace, step),
  "back into": (step) => stepBackInto(trace, step),
  "back over": (step) => stepBack(trace, step),
  "back out": (step) => stepBackOut(trace, step),
  history,
  field,
  hit,
  output,
  files,
};

interface Asked {
  /** Milliseconds of the very first time: nothing is compiled, and nothing was asked of the trace before. */
  readonly first: number;
  readonly times: readonly number[];
}

/**
 * Sorted milliseconds of each question at `count` steps drawn from all of the trace: of each step the least of three turns, so
 * that what other programs of the machine take is not counted. Between two turns of a step lie thousands of others.
 */
function ask(count: number): Record<string, Asked> {
  const steps = drawSteps(count);
  const entries = Object.entries(QUESTIONS).map(([name, question]) => {
    const first = time(question, steps[0] as number);
    const turns = [0, 1, 2].map(() => steps.map((step) => time(question, step)));
    const least = steps.map((_, index) => Math.min(...turns.map((turn) => turn[index] as number)));
    return [name, { first, times: least.sort((left, right) => left - right) }] as const;
  });
  return Object.fromEntries(entries);
}

function time(question: Question, step: number): number {
  const before = performance.now();
  question(step);
  return performance.now() - before;
}

/** The same steps in every run. */
function drawSteps(count: number): number[] {
  let state = 1;
  return Array.from({ length: count }, () => {
    state = Math.imul(state, 1664525) + 1013904223;
    return (state >>> 0) % trace.steps;
  });
}

Object.assign(globalThis, { million: { record, ask } });
