import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type Breakpoint,
  continueTo,
  countHits,
  EACH_LINE,
  firstStop,
  isRaised,
  isStop,
  type Move,
  nextHit,
  previousHit,
  reverseTo,
  statementsOf,
  stepBack,
  stepBackInto,
  stepBackOut,
  stepInto,
  stepOut,
  stepOver,
  toEnd,
  toStart,
  unsupported,
} from "../../site/src/trace/stepping.ts";
import type { Trace } from "../../site/src/trace/trace.ts";
import { randomRun, seeded } from "./random.ts";
import { exception, Recording } from "./recording.ts";

/** What a reader sees at a move's end: `kind line function`, or the move itself. */
function at(trace: Trace, move: Move): string | null {
  if (typeof move !== "number") return move;
  const position = trace.position(move);
  return position ? `${trace.kind(move)} ${position.line} ${position.function}` : trace.kind(move);
}

/** The first step of an event, as `at` writes it; `nth` counts from 0. */
function find(trace: Trace, event: string, nth = 0): number {
  const steps = Array.from({ length: trace.steps }, (_, step) => step).filter((step) => at(trace, step) === event);
  assert.ok(steps[nth] !== undefined, `no event ${event}`);
  return steps[nth] as number;
}

/** All stops from the start, by steps into. */
function walk(trace: Trace, statements = EACH_LINE): (string | null)[] {
  const seen: (string | null)[] = [];
  for (let move = stepInto(trace, -1, statements); typeof move === "number"; move = stepInto(trace, move, statements)) {
    seen.push(at(trace, move));
  }
  return seen;
}

const breakpoint = (line: number, more: Partial<Breakpoint> = {}): Breakpoint => ({
  file: "prog.py",
  line,
  enabled: true,
  ...more,
});

/** Case 006: `fact(4)`, the recursion on line 18 and its result on line 19. */
function factorial({ open = false } = {}): Trace {
  const recording = new Recording();
  recording.call("<module>", 15);
  recording.lines(15, 21);
  const enter = (n: number): number => {
    recording.call("fact", 15, { n });
    recording.line(16);
    if (n <= 1) {
      recording.line(17);
      recording.return(1);
      return 1;
    }
    recording.line(18);
    const rest = enter(n - 1);
    recording.line(19, { rest });
    recording.return(n * rest);
    return n * rest;
  };
  enter(4);
  recording.print("24\n");
  if (open) return recording.trace({ open });
  recording.return();
  recording.end();
  return recording.trace();
}

/** The value of a variable at a step. */
function value(trace: Trace, step: Move, name: string): string | undefined {
  const found = trace.variables(step as number).find((variable) => variable.name === name);
  return found && trace.view(found.ref, step as number).text;
}

describe("recursion (case 006)", () => {
  const trace = factorial();

  it("steps over the call and lands in the same activation", () => {
    const line18 = find(trace, "line 18 fact");
    const over = stepOver(trace, line18);
    assert.equal(at(trace, over), "line 19 fact");
    assert.deepEqual([value(trace, over, "n"), value(trace, over, "rest")], ["4", "6"]);
    assert.equal(stepBack(trace, over as number), line18);
  });

  it("steps out into the activation that gets the value", () => {
    const inner = find(trace, "line 16 fact", 1);
    assert.equal(value(trace, inner, "n"), "3");
    const out = stepOut(trace, inner);
    assert.deepEqual([at(trace, out), value(trace, out, "n"), value(trace, out, "rest")], ["line 19 fact", "4", "6"]);
    assert.equal(stepBackOut(trace, inner), find(trace, "line 18 fact"));
  });

  it("hits a breakpoint once in each activation", () => {
    const values: (string | undefined)[] = [];
    let move = continueTo(trace, -1, [breakpoint(19)]);
    for (; at(trace, move) === "line 19 fact"; move = continueTo(trace, move as number, [breakpoint(19)])) {
      values.push(value(trace, move, "n"));
    }
    assert.deepEqual(values, ["2", "3", "4"]);
    assert.equal(move, trace.steps - 1);
    assert.equal(countHits(trace, breakpoint(19), EACH_LINE), 3);
  });

  it("steps over line 21 to what the module returns, then to the end", () => {
    const over = stepOver(trace, find(trace, "line 21 <module>")) as number;
    assert.equal(at(trace, over), "return 21 <module>");
    assert.equal(trace.outputText(over), "24\n");
    assert.equal(at(trace, stepOver(trace, over)), "end");
    assert.equal(stepOver(trace, trace.steps - 1), null);
  });

  it("shows the value that a function returns before it goes back to the caller", () => {
    const line17 = find(trace, "line 17 fact");
    const returned = stepOver(trace, line17) as number;
    assert.equal(at(trace, returned), "return 17 fact");
    assert.equal(trace.view(trace.outcome(returned)?.ref as number, returned).text, "1");
    assert.deepEqual(
      [at(trace, stepOver(trace, returned)), value(trace, stepOver(trace, returned), "n")],
      ["line 19 fact", "2"],
    );
  });

  it("goes back from the first line of a function to the line that called it", () => {
    const line16 = find(trace, "line 16 fact");
    assert.equal(at(trace, stepBack(trace, line16)), "line 21 <module>");
    assert.equal(at(trace, stepBackInto(trace, line16)), "line 21 <module>");
    assert.equal(at(trace, stepBack(trace, find(trace, "line 15 <module>"))), null);
  });
});

describe("while the run goes on", () => {
  it("tells a stop that may come from one that does not exist", () => {
    const trace = factorial({ open: true });
    const last = trace.steps - 1;
    assert.equal(stepOver(trace, find(trace, "line 21 <module>")), "pending");
    assert.equal(stepInto(trace, last), "pending");
    assert.equal(continueTo(trace, 0, [breakpoint(99)]), "pending");
    assert.equal(toEnd(trace, last), "pending");
    assert.equal(stepBackInto(trace, find(trace, "line 15 <module>")), null);
    assert.equal(reverseTo(trace, 1, [breakpoint(19)]), null);
  });

  it("answers from what has arrived where that is enough", () => {
    const trace = factorial({ open: true });
    assert.equal(at(trace, stepOver(trace, find(trace, "line 18 fact"))), "line 19 fact");
    assert.equal(at(trace, firstStop(trace, [])), "line 15 <module>");
    assert.equal(at(trace, firstStop(trace, [breakpoint(17)])), "line 17 fact");
    assert.equal(firstStop(trace, [breakpoint(99)]), "pending");
    assert.equal(at(trace, firstStop(trace, [breakpoint(17, { enabled: false })])), "line 15 <module>");
  });

  it("goes to the last event of a run that was cut short", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.lines(1, 2, 1, 2);
    recording.end();
    const trace = recording.trace({ open: true });
    trace.finish({ status: "stopped", steps: 0 });
    assert.equal(at(trace, continueTo(trace, 2, [])), "end");
    assert.equal(at(trace, stepOut(trace, 2)), "end");
    assert.equal(at(trace, stepOver(trace, 4)), "end");
    assert.equal(at(trace, stepBack(trace, 5)), "line 2 <module>");
  });
});

/** Case 044: a call over lines 18 to 23, a `for` over 24 to 26, an assignment over 28 and 29. */
function multiLine(): Trace {
  const recording = new Recording();
  recording.call("<module>", 14);
  recording.lines(15, 18, 19, 20, 22, 18);
  recording.call("add", 15);
  recording.line(16);
  recording.return(10);
  recording.lines(26, 25, 27, 26, 25, 27, 26, 28, 29, 28, 30);
  recording.return();
  recording.end();
  return recording.trace();
}

const SPANS = statementsOf("prog.py", [
  [14, 15],
  [15, 15],
  [16, 16],
  [17, 18],
  ...[18, 19, 20, 21, 22, 23].map((line): [number, number] => [line, 18]),
  ...[24, 25, 26].map((line): [number, number] => [line, 26]),
  [27, 27],
  [28, 28],
  [29, 28],
  [30, 30],
]);

describe("statements of several lines (case 044)", () => {
  const trace = multiLine();

  it("steps over the whole call, not along its lines", () => {
    const call = find(trace, "line 18 <module>");
    assert.equal(at(trace, stepOver(trace, call, SPANS)), "line 26 <module>");
    assert.equal(at(trace, stepOver(trace, call)), "line 19 <module>");
  });

  it("steps into what the call runs, and from there back into the statement", () => {
    const call = find(trace, "line 18 <module>");
    const inside = stepInto(trace, call, SPANS) as number;
    assert.equal(at(trace, inside), "line 16 add");
    assert.equal(stepBackInto(trace, inside, SPANS), call);
    assert.equal(stepBack(trace, inside, SPANS), call);
    assert.equal(at(trace, stepOut(trace, inside, SPANS)), "line 26 <module>");
  });

  it("takes each turn of a loop as a start of its head", () => {
    const stops = walk(trace, SPANS).map((stop) => stop?.split(" ")[1]);
    assert.deepEqual(stops, ["15", "18", "16", "16", "26", "27", "26", "27", "26", "28", "30", "30", undefined]);
  });

  it("stops once for each execution, on whichever line the breakpoint is set", () => {
    for (const line of [18, 19, 20, 21, 22, 23]) {
      assert.equal(countHits(trace, breakpoint(line), SPANS), 1, `line ${line}`);
      assert.equal(at(trace, continueTo(trace, -1, [breakpoint(line)], SPANS)), "line 18 <module>");
    }
    assert.equal(countHits(trace, breakpoint(24), SPANS), 3);
    assert.equal(countHits(trace, breakpoint(29), SPANS), 1);
  });

  it("lands in the middle of a statement after a call inside of it", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(3);
    for (const line of [4, 5]) {
      recording.line(line);
      recording.call("part", 1);
      recording.line(2);
      recording.return(line);
    }
    recording.lines(3, 7);
    const parts = recording.trace({ open: true });
    const spans = statementsOf(
      "prog.py",
      [3, 4, 5, 6].map((line): [number, number] => [line, 3]),
    );
    const out = stepOut(parts, find(parts, "line 2 part"), spans) as number;
    assert.equal(at(parts, out), "line 5 <module>");
    assert.equal(stepInto(parts, out, spans), find(parts, "line 2 part", 1));
    assert.equal(at(parts, stepOver(parts, out, spans)), "line 7 <module>");
  });

  it("takes a loop on one line as many starts", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.lines(1, 3, 3, 3, 4);
    const loop = recording.trace({ open: true });
    const comment = statementsOf("prog.py", [
      [2, 3],
      [3, 3],
    ]);
    assert.equal(countHits(loop, breakpoint(2), comment), 3);
    assert.equal(countHits(loop, breakpoint(3), EACH_LINE), 3);
    assert.equal(stepOver(loop, 2, comment), 3);
  });

  it("takes the turns of a generator expression as part of the statement", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(3);
    const turns = recording.call("<genexpr>", 3, {}, 3);
    recording.line(3);
    recording.yield(1);
    recording.resume(turns);
    recording.line(3);
    recording.return();
    recording.line(4);
    const sum = recording.trace({ open: true });
    assert.equal(countHits(sum, breakpoint(3), EACH_LINE), 1);
    assert.equal(at(sum, stepOver(sum, 1)), "line 4 <module>");
    assert.equal(at(sum, stepInto(sum, 1)), "line 3 <genexpr>");
  });

  it("counts hits that come with later chunks", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.lines(3, 4, 3, 5);
    const grown = recording.trace({ open: true });
    const spans = statementsOf("prog.py", [
      [3, 3],
      [4, 3],
      [5, 5],
    ]);
    assert.equal(countHits(grown, breakpoint(4), spans), 1);
    recording.lines(4, 3, 5);
    grown.append(recording.flush());
    assert.equal(countHits(grown, breakpoint(4), spans), 2);
    assert.equal(nextHit(grown, "prog.py", 4, 4, spans), 5);
    assert.equal(previousHit(grown, "prog.py", 4, 5, spans), 1);
  });
});

/** Case 042: a generator with two ticks, read by `next` on lines 20 and 21 and to its end on 23. */
function generator(): Trace {
  const recording = new Recording();
  recording.call("<module>", 13);
  recording.lines(14, 19, 20);
  const ticks = recording.call("ticks", 14, { n: 2 }, 3);
  recording.lines(15, 16);
  recording.yield(0);
  recording.line(21);
  recording.resume(ticks, null);
  recording.lines(15, 16);
  recording.yield(10);
  recording.lines(22, 23);
  recording.resume(ticks, null);
  recording.lines(15, 17);
  recording.return("done");
  recording.raise(exception("StopIteration", "done"));
  recording.lines(24, 25);
  recording.return();
  recording.end();
  return recording.trace();
}

describe("generators (case 042)", () => {
  const trace = generator();

  it("shows the value that is yielded to who steps into everything", () => {
    assert.deepEqual(walk(trace).slice(3, 8), [
      "line 15 ticks",
      "line 16 ticks",
      "yield 16 ticks",
      "line 21 <module>",
      "line 15 ticks",
    ]);
  });

  it("stays in the generator when stepping over a yield, in both directions", () => {
    const line16 = find(trace, "line 16 ticks");
    const next = stepOver(trace, line16) as number;
    assert.deepEqual([at(trace, next), next], ["line 15 ticks", find(trace, "line 15 ticks", 1)]);
    assert.equal(stepBack(trace, next), line16);
  });

  it("goes on in the consumer from the yield itself, and out of the generator", () => {
    assert.equal(at(trace, stepOver(trace, find(trace, "yield 16 ticks"))), "line 21 <module>");
    assert.equal(at(trace, stepOut(trace, find(trace, "line 15 ticks"))), "line 21 <module>");
    assert.equal(at(trace, stepBackOut(trace, find(trace, "line 15 ticks", 1))), "line 21 <module>");
  });

  it("is passed over by the consumer", () => {
    assert.equal(at(trace, stepOver(trace, find(trace, "line 20 <module>"))), "line 21 <module>");
    assert.equal(at(trace, stepOver(trace, find(trace, "line 23 <module>"))), "raise 23 <module>");
  });

  it("goes on in the consumer when it is never resumed", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(5);
    recording.call("ticks", 1, {}, 3);
    recording.line(2);
    recording.yield(0);
    recording.line(6);
    const open = recording.trace({ open: true });
    assert.equal(stepOver(open, 3), "pending");
    open.finish({ status: "finished", steps: open.steps });
    assert.equal(at(open, stepOver(open, 3)), "line 6 <module>");
  });
});

/** Case 057: a coroutine driven by hand; the awaitable suspends at 16, and all go on at the second `send`. */
function coroutine(): Trace {
  const recording = new Recording();
  recording.call("<module>", 13);
  recording.lines(23, 24);
  const job = recording.call("job", 19, {}, 4);
  recording.line(20);
  const later = recording.call("__await__", 15, {}, 3);
  recording.line(16);
  recording.yield("need");
  recording.yield("need");
  recording.lines(25, 26);
  recording.resume(job, 21);
  recording.resume(later, 21);
  recording.line(17);
  recording.return(42);
  recording.line(21, { value: 42 });
  recording.return("r42");
  recording.raise(exception("StopIteration", "r42"));
  recording.line(27);
  return recording.trace({ open: true });
}

describe("coroutines (case 057)", () => {
  const trace = coroutine();

  it("steps over an await to the line after it, not to the caller", () => {
    assert.equal(at(trace, stepOver(trace, find(trace, "line 20 job"))), "line 21 job");
    assert.equal(at(trace, stepBack(trace, find(trace, "line 21 job"))), "line 20 job");
  });

  it("steps out of a coroutine when it is done, whatever it waited for", () => {
    assert.equal(at(trace, stepOut(trace, find(trace, "line 20 job"))), "raise 26 <module>");
  });

  it("steps out of what is awaited into the coroutine's next line", () => {
    assert.equal(at(trace, stepOut(trace, find(trace, "line 16 __await__"))), "line 21 job");
    assert.equal(at(trace, stepOver(trace, find(trace, "return 17 __await__"))), "line 21 job");
  });
});

describe("exceptions", () => {
  /** `f` raises on line 2 with a `finally` on 4; `<module>` passes it on from line 7. */
  function passing(): Trace {
    const recording = new Recording();
    const error = exception("ValueError", "bad");
    recording.call("<module>", 1);
    recording.line(7);
    recording.call("f", 1);
    recording.line(2);
    recording.raise(error);
    recording.line(4);
    recording.unwind(error);
    recording.raise(error);
    recording.unwind(error);
    recording.end();
    return recording.trace();
  }

  it("stops where it is raised and in each frame that it reaches, and where it leaves one after more has run", () => {
    assert.deepEqual(walk(passing()), [
      "line 7 <module>",
      "line 2 f",
      "raise 2 f",
      "line 4 f",
      "unwind 4 f",
      "raise 7 <module>",
      "end",
    ]);
  });

  it("is raised once, whatever it passes (case 059)", () => {
    const trace = passing();
    const raised = Array.from({ length: trace.steps }, (_, step) => step).filter((step) => isRaised(trace, step));
    assert.deepEqual(
      raised.map((step) => at(trace, step)),
      ["raise 2 f"],
    );
  });

  it("follows it to the caller when stepping over", () => {
    const trace = passing();
    assert.equal(at(trace, stepOver(trace, find(trace, "line 2 f"))), "raise 2 f");
    assert.equal(at(trace, stepOver(trace, find(trace, "unwind 4 f"))), "raise 7 <module>");
    assert.equal(at(trace, stepOver(trace, find(trace, "line 7 <module>"))), "raise 7 <module>");
    assert.equal(at(trace, stepOver(trace, find(trace, "raise 7 <module>"))), "end");
  });
});

describe("start, end and breakpoints", () => {
  const trace = factorial();

  it("goes to both ends and says when it is there", () => {
    assert.equal(toEnd(trace, 5), trace.steps - 1);
    assert.equal(toEnd(trace, trace.steps - 1), null);
    assert.equal(toStart(trace, 9), 1);
    assert.equal(toStart(trace, 1), null);
  });

  it("reverses to the hit before, else to the first stop", () => {
    const last = find(trace, "line 19 fact", 2);
    assert.equal(reverseTo(trace, last, [breakpoint(19)]), find(trace, "line 19 fact", 1));
    assert.equal(reverseTo(trace, last, [breakpoint(19), breakpoint(17)]), find(trace, "line 19 fact", 1));
    assert.equal(reverseTo(trace, find(trace, "line 19 fact"), [breakpoint(19)]), 1);
    assert.equal(reverseTo(trace, last, []), 1);
  });

  it("passes over a breakpoint that is off", () => {
    assert.equal(at(trace, continueTo(trace, 0, [breakpoint(16, { enabled: false }), breakpoint(17)])), "line 17 fact");
  });

  it("counts hits for a hit condition", () => {
    const hit = (hitCondition: string) => value(trace, continueTo(trace, -1, [breakpoint(19, { hitCondition })]), "n");
    assert.deepEqual(
      [hit("2"), hit("== 3"), hit(">= 2"), hit("> 2"), hit("%2"), hit("<= 1")],
      ["3", "4", "3", "4", "3", "2"],
    );
    const back = reverseTo(trace, trace.steps - 1, [breakpoint(19, { hitCondition: "% 2" })]);
    assert.equal(value(trace, back, "n"), "3");
  });

  it("refuses what needs the program's objects, and never stops there", () => {
    assert.equal(unsupported(breakpoint(19)), null);
    assert.equal(unsupported(breakpoint(19, { condition: "n > 2" })), "condition");
    assert.equal(unsupported(breakpoint(19, { logMessage: "{n}" })), "logMessage");
    assert.equal(unsupported(breakpoint(19, { hitCondition: "often" })), "hitCondition");
    assert.equal(unsupported(breakpoint(19, { hitCondition: "%0" })), "hitCondition");
    assert.equal(at(trace, continueTo(trace, 0, [breakpoint(19, { condition: "n > 2" })])), "end");
  });
});

describe("random runs", () => {
  for (let seed = 1; seed <= 40; seed++) {
    it(`are walked the same forwards and backwards (seed ${seed})`, () => {
      const trace = randomRun(seeded(seed)).trace();
      const stops = Array.from({ length: trace.steps }, (_, step) => step).filter((step) =>
        isStop(trace, step, EACH_LINE),
      );
      stops.forEach((step, index) => {
        assert.equal(stepInto(trace, step), stops[index + 1] ?? null);
        assert.equal(stepBackInto(trace, step), stops[index - 1] ?? null);
        for (const move of [stepOver, stepOut, continueAll]) {
          const to = move(trace, step);
          assert.ok(to === null || (typeof to === "number" && to > step), `${move.name} from ${step} gives ${to}`);
        }
        for (const move of [stepBack, stepBackOut]) {
          const to = move(trace, step);
          assert.ok(
            to === null || (typeof to === "number" && to < step && to >= 0),
            `${move.name} from ${step} gives ${to}`,
          );
        }
      });
    });

    it(`stay in the activation when stepping over (seed ${seed})`, () => {
      const trace = randomRun(seeded(seed)).trace();
      for (let step = 0; step < trace.steps; step++) {
        if (trace.kind(step) !== "line") continue;
        const over = stepOver(trace, step);
        const expected = naiveOver(trace, step);
        assert.equal(over, expected, `over from ${step}`);
        const out = stepOut(trace, step) as number;
        assert.ok(out > (trace.activation(step)?.end as number), `out from ${step} gives ${out}`);
      }
    });
  }
});

function continueAll(trace: Trace, cursor: number): Move {
  return continueTo(trace, cursor, [breakpoint(3), breakpoint(5)]);
}

/** Step over by looking at every event: the frame's next stop, suspensions left out; without one, what follows its last event. */
function naiveOver(trace: Trace, cursor: number): Move {
  const frame = trace.frame(cursor);
  let last = -1;
  for (let step = cursor + 1; step < trace.steps; step++) {
    if (trace.frame(step) !== frame) continue;
    if (trace.kind(step) === "yield") last = step;
    else if (isStop(trace, step, EACH_LINE)) return step;
    else if (trace.kind(step) === "unwind") last = step;
  }
  const parent = last < 0 ? -1 : (trace.activation(last)?.parent ?? -1);
  for (let step = last + 1; step < trace.steps; step++) {
    if (parent >= 0 && trace.frame(step) !== parent) continue;
    if (trace.kind(step) === "yield" && parent >= 0) return trace.steps < 0 ? null : stepOver(trace, last);
    if (isStop(trace, step, EACH_LINE)) return step;
    if (trace.kind(step) === "unwind") return stepOver(trace, last);
  }
  return trace.steps - 1;
}
