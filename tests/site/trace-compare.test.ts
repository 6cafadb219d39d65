import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { TraceEnd } from "../../site/src/protocol.ts";
import { compare, type Source } from "../../site/src/trace/compare.ts";
import { REASONS } from "../../site/src/trace/reasons.ts";
import type { Trace } from "../../site/src/trace/trace.ts";
import { randomRun, seeded } from "./random.ts";
import { dict, exception, list, Recording, Thing, type Value } from "./recording.ts";

/** A finished trace of what a test records. */
function run(record: (recording: Recording) => void, end: Partial<TraceEnd> = {}): Trace {
  const recording = new Recording();
  recording.call("<module>", 1);
  recording.line(1);
  record(recording);
  recording.end();
  const trace = recording.trace({ open: true });
  trace.finish({ status: "finished", steps: trace.steps, ...end });
  return trace;
}

/** Where two runs part, and why, when a variable has one value in one and another in the other. */
function part(left: Value, right: Value, code = "x = f()") {
  const value = (x: Value) => run((recording) => recording.line(2, { x }));
  return reasonOf(value(left), value(right), code);
}

function reasonOf(left: Trace, right: Trace, code: string) {
  const sources: Source[] = [{ name: "prog.py", text: `${code}\nprint(x)\n` }];
  const { divergence } = compare(left, right, sources);
  return divergence && [divergence.step, divergence.what, divergence.reason];
}

describe("comparing", () => {
  it("finds runs of the same program equal, whatever the values", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const trace = () => randomRun(seeded(seed)).trace();
      const steps = trace().steps;
      assert.deepEqual(compare(trace(), trace()), { divergence: null, compared: steps });
    }
  });

  it("finds the first event that differs, by place, value, contents, text and end", () => {
    const place = (line: number) => run((recording) => recording.lines(2, line));
    assert.deepEqual(reasonOf(place(3), place(4), ""), [3, "event", null]);
    assert.deepEqual(part(1, 2), [2, "variable", null]);
    assert.deepEqual(part(list(1), list(2)), [2, "object", null]);
    assert.deepEqual(part(list(1), new Thing(1, "Stack", [1])), [2, "object", null]);
    const print = (text: string) => run((recording) => recording.print(text));
    assert.deepEqual(reasonOf(print("a"), print("b"), ""), [2, "text", null]);
    const write = (text: string) => run((recording) => recording.write("f", text));
    assert.deepEqual(reasonOf(write("a"), write("b"), ""), [2, "file", null]);
    const longer = run((recording) => recording.lines(2, 3));
    assert.deepEqual(
      reasonOf(
        place(3),
        run((recording) => recording.lines(2, 3, 4)),
        "",
      ),
      [4, "event", null],
    );
    assert.equal(reasonOf(place(3), longer, ""), null);
    const exit = (code: number) => run(() => undefined, { status: "exit", code });
    assert.deepEqual(reasonOf(exit(0), exit(1), ""), [2, "end", null]);
  });

  it("does not mind wall time, digest, or ids that merely look alike", () => {
    const end = (wall: number) =>
      run((recording) => recording.line(2, { x: dict(["a", 1]) }), { wall, digest: String(wall) });
    assert.equal(compare(end(1), end(2)).divergence, null);
  });

  it("compares a run that was cut short up to its end, also in the middle of a print", () => {
    const whole = run((recording) => {
      recording.line(2);
      recording.print("abc");
      recording.line(3);
    });
    const cut = run(
      (recording) => {
        recording.line(2);
        recording.print("ab");
      },
      { status: "limit", limit: "seconds" },
    );
    assert.deepEqual(compare(whole, cut), { divergence: null, compared: 4 });
    const other = run((recording) => recording.line(9), { status: "stopped" });
    assert.equal(compare(whole, other).divergence?.step, 2);
  });
});

describe("reasons", () => {
  const set = (...items: Value[]) => new Thing(3, "set", items);

  it("names the order of a set", () => {
    const walk = (first: string, second: string) =>
      run((recording) => {
        recording.line(2, { names: set("ada", "bob") });
        recording.line(3, { order: list(first, second) });
      });
    assert.equal(
      reasonOf(walk("ada", "bob"), walk("bob", "ada"), "names = {'ada', 'bob'}\norder = list(names)")?.[2],
      "set order",
    );
  });

  it("names the order of a set that is made where it is walked, and of objects", () => {
    assert.equal(part("ada", "bob", "for x in {'ada', 'bob'}: pass")?.[2], "set order");
    assert.equal(part(list(1, 2), list(2, 1), "x = list({1, 2})")?.[2], "set order");
    assert.equal(part(list(1, 2), list(2, 1), "x = f()")?.[2], null);
  });

  it("names garbage that dies at another line", () => {
    const died = (line: number) => run((recording) => recording.lines(line));
    assert.equal(reasonOf(died(2), died(3), "import gc\ngc.collect()")?.[2], "garbage collection");
    assert.equal(reasonOf(died(2), died(3), "f()")?.[2], null);
  });

  it("names the width of a pointer, hashes, ids, sizes and the last digit", () => {
    assert.equal(part({ atom: "i9223372036854775807" }, { atom: "i2147483647" })?.[2], "pointer width");
    assert.equal(part(8, 4, "x = struct.calcsize('P')")?.[2], "pointer width");
    assert.equal(part(8, 4)?.[2], null);
    assert.equal(part(123, 456, "x = hash('a')")?.[2], "hash");
    assert.equal(part(123, 456, "x = id(x)")?.[2], "id");
    assert.equal(part(56, 28, "x = sys.getsizeof([])")?.[2], "object size");
    assert.equal(part({ atom: "d0.1" }, { atom: "d0.10000000000000002" })?.[2], "last digit");
    assert.equal(part({ atom: "d0.1" }, { atom: "d0.2" })?.[2], null);
    assert.equal(part("linux", "emscripten", "x = sys.platform")?.[2], "environment");
  });

  it("names errno, the depth of the stack and the wording of a message", () => {
    const raising = (type: string, ...args: Value[]) => run((recording) => recording.raise(exception(type, ...args)));
    assert.equal(
      reasonOf(raising("FileNotFoundError", 2, "x"), raising("FileNotFoundError", 44, "x"), "open('x')")?.[2],
      "errno",
    );
    assert.equal(
      reasonOf(raising("RecursionError", "a"), raising("RecursionError", "b"), "f()")?.[2],
      "recursion depth",
    );
    const worded = (text: string) => raising("TypeError", text);
    assert.equal(reasonOf(worded("a"), worded("b"), "f()")?.[2], null);
  });

  it("have the names that tracepane compare gives them, in the same order", () => {
    const python = readFileSync(new URL("../../py/src/tracepane/check/reasons.py", import.meta.url), "utf8");
    const rules = /\nRULES[^=]*= \(\n([\s\S]*?)\n\)/.exec(python)?.[1] ?? "";
    assert.deepEqual(
      REASONS,
      [...rules.matchAll(/\("([^"]+)"/g)].map(([, name]) => name),
    );
  });

  it("reads a call over several lines to its end", () => {
    assert.equal(part(123, 456, "x = max(\n  hash('a'),\n)")?.[2], "hash");
  });
});
