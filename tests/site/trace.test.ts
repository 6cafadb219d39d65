import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Trace } from "../../site/src/trace/trace.ts";
import { cell, dict, exception, instance, list, Recording, Thing, tuple, type Value } from "./recording.ts";

/** Variables at a step as `name = preview`, marked with `*` where they changed. */
function shown(trace: Trace, step: number, frame?: number): string[] {
  return trace
    .variables(step, frame)
    .map(({ name, ref, changed }) => `${name} = ${trace.view(ref, step).preview}${changed ? " *" : ""}`);
}

/** The preview of one value. */
function preview(value: Value): string {
  const recording = new Recording();
  recording.call("<module>", 1, { value });
  const trace = recording.trace();
  return trace.view(trace.variables(0)[0]?.ref as number, 0).preview;
}

function factorial(): Recording {
  const recording = new Recording();
  recording.call("<module>", 1);
  recording.lines(1, 7);
  const enter = (n: number): number => {
    recording.call("fact", 1, { n });
    recording.line(2);
    if (n <= 1) {
      recording.line(3);
      recording.return(1);
      return 1;
    }
    recording.line(4);
    const rest = enter(n - 1);
    recording.line(5, { rest });
    recording.return(n * rest);
    return n * rest;
  };
  enter(3);
  recording.print("6\n");
  recording.return();
  recording.end();
  return recording;
}

describe("positions and calls", () => {
  it("gives kind, place and depth of every event", () => {
    const trace = factorial().trace();
    assert.deepEqual(trace.position(3), { file: "prog.py", line: 1, function: "fact", depth: 2 });
    assert.equal(trace.kind(3), "call");
    assert.equal(trace.depth(9), 4);
    assert.equal(trace.position(trace.steps - 1), null);
    assert.equal(trace.kind(trace.steps - 1), "end");
  });

  it("lists the stack innermost first, callers at the line of their call", () => {
    const trace = factorial().trace();
    const stack = trace.stack(10).map(({ frame, line, depth }) => [frame, line, depth]);
    assert.deepEqual(stack, [
      [3, 2, 4],
      [2, 4, 3],
      [1, 4, 2],
      [0, 7, 1],
    ]);
  });

  it("keeps a frame's id over its resumes and hangs it under who resumed it", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(5);
    const ticks = recording.call("ticks", 1, { n: 2 }, 3);
    recording.line(2);
    recording.yield(0);
    recording.line(6);
    recording.call("other", 9);
    recording.line(10);
    recording.resume(ticks, null);
    recording.line(3, { i: 1 });
    const trace = recording.trace({ open: true });
    const last = trace.steps - 1;
    assert.deepEqual(
      trace.stack(last).map(({ function: name, frame }) => [name, frame]),
      [
        ["ticks", ticks],
        ["other", 2],
        ["<module>", 0],
      ],
    );
    assert.deepEqual(shown(trace, last), ["n = 2", "i = 1 *"]);
  });

  it("shows at the end of a run that was cut short what was still on the stack", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(1, { n: 0 });
    recording.line(2, { n: 1 });
    recording.end();
    const trace = recording.trace({ open: true });
    trace.finish({ status: "stopped", steps: 0 });
    assert.equal(trace.end?.steps, 4);
    assert.deepEqual(
      trace.stack(3).map(({ line }) => line),
      [2],
    );
    assert.deepEqual(shown(trace, 3), ["n = 1 *"]);
  });
});

describe("variables", () => {
  it("shows a line's effect at the frame's next event and marks it there only", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(1);
    recording.line(2, { x: 1 });
    recording.line(3, { y: "a" });
    const trace = recording.trace();
    assert.deepEqual(shown(trace, 1), []);
    assert.deepEqual(shown(trace, 2), ["x = 1 *"]);
    assert.deepEqual(shown(trace, 3), ["x = 1", "y = 'a' *"]);
  });

  it("keeps earlier contents of a list that two names share (case 031)", () => {
    const recording = new Recording();
    const shared = list(1);
    recording.call("<module>", 1);
    recording.line(6, { a: shared });
    shared.items.push(2);
    recording.line(7, { b: shared });
    shared.items[0] = "x";
    recording.line(8);
    const trace = recording.trace();
    assert.deepEqual(shown(trace, 1), ["a = [1] *"]);
    assert.deepEqual(shown(trace, 2), ["a = [1, 2] *", "b = [1, 2] *"]);
    assert.deepEqual(shown(trace, 3), ["a = ['x', 2] *", "b = ['x', 2] *"]);
    assert.equal(trace.variables(3)[0]?.ref, trace.variables(3)[1]?.ref);
  });

  it("marks what holds a changed object, and not what was written back as it was", () => {
    const recording = new Recording();
    const inner = list(1);
    const outer = instance("Box", { inner });
    recording.call("<module>", 1);
    recording.line(1, { outer, other: list(5) });
    inner.items[0] = 2;
    recording.line(2);
    recording.call("f", 5);
    inner.items[0] = 3;
    recording.line(6);
    inner.items[0] = 2;
    recording.return();
    recording.line(3);
    const trace = recording.trace();
    assert.deepEqual(shown(trace, 2), ["outer = Box(inner=[2]) *", "other = [5]"]);
    assert.deepEqual(shown(trace, 4, 0), ["outer = Box(inner=[3]) *", "other = [5]"]);
    assert.deepEqual(shown(trace, 6), ["outer = Box(inner=[2])", "other = [5]"]);
  });

  it("marks at the next line what a call did before the same line printed", () => {
    const recording = new Recording();
    const items = list();
    recording.call("<module>", 1);
    recording.line(1, { items });
    recording.call("f", 5);
    items.items.push(1);
    recording.return();
    recording.print("done");
    recording.line(2);
    const trace = recording.trace();
    assert.deepEqual(shown(trace, 5), ["items = [1] *"]);
  });

  it("marks at a frame's first event only what that event brings", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(1, { x: 1 });
    recording.call("f", 5, { n: 2 });
    assert.deepEqual(shown(recording.trace(), 2), ["n = 2 *", "x = 1"]);
  });

  it("marks a change beyond the end of the preview (case 104)", () => {
    const recording = new Recording({ splice: true });
    const nums = list(...Array.from({ length: 50 }, (_, index) => index));
    recording.call("<module>", 1);
    recording.line(1, { nums });
    nums.items.push(99);
    recording.line(2);
    nums.items[25] = -1;
    recording.line(3);
    const trace = recording.trace();
    assert.equal(trace.variables(2)[0]?.changed, true);
    assert.equal(trace.variables(3)[0]?.changed, true);
    const items = trace.view(trace.variables(3)[0]?.ref as number, 3).items as number[];
    assert.equal(trace.view(items[50] as number, 3).preview, "99");
    assert.equal(trace.view(items[25] as number, 3).preview, "-1");
  });

  it("shows a caller's locals and marks as of its last event, and what it shares as it is now", () => {
    const recording = new Recording();
    const box = list();
    const counter = cell(0);
    recording.call("<module>", 1);
    recording.call("outer", 1, { box, n: counter });
    recording.line(2);
    recording.call("inner", 5, { "c:n": counter });
    counter.items[0] = 7;
    box.items.push(1);
    recording.line(6);
    const trace = recording.trace();
    assert.deepEqual(shown(trace, 4), ["n = 7 *"]);
    assert.deepEqual(shown(trace, 4, 1), ["box = [1] *", "n = 7 *"]);
    assert.deepEqual(trace.variables(3)[0]?.scope, "closure");
    assert.deepEqual(
      trace.history("closure", "n", 4).map(({ step }) => step),
      [1, 4],
    );
  });

  it("drops a name that was unbound and says that it is gone", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.line(1, { err: 1, empty: cell() });
    recording.line(2, { err: undefined });
    const trace = recording.trace();
    assert.deepEqual(shown(trace, 2), []);
    assert.deepEqual(trace.removed(2), [{ scope: "global", name: "err" }]);
  });

  it("gives each frame of a recursion its own, and globals by namespace", () => {
    const trace = factorial().trace();
    assert.deepEqual(shown(trace, 10, 1), ["n = 3"]);
    assert.deepEqual(shown(trace, 10), ["n = 1"]);
    const recording = new Recording();
    recording.call("<module>", 1, { x: 1 });
    recording.call("<module>", 1, { x: 2 }, 0, 1);
    const two = recording.trace();
    assert.deepEqual(shown(two, 1), ["x = 2 *"]);
    assert.deepEqual(shown(two, 1, 0), ["x = 1 *"]);
  });

  it("hides what no learner wrote", () => {
    const recording = new Recording();
    recording.call("<module>", 1, { __name__: "__main__", __all__: list(), x: 1 });
    recording.call("f", 1, { ".0": 1, "c:__class__": 2 });
    const trace = recording.trace();
    const hidden = (step: number) =>
      trace
        .variables(step)
        .filter((variable) => variable.hidden)
        .map(({ name }) => name);
    assert.deepEqual(hidden(0), ["__name__"]);
    assert.deepEqual(hidden(1), [".0", "__class__", "__name__"]);
  });

  it("tells where a value was written", () => {
    const recording = new Recording();
    const items = list();
    recording.call("<module>", 1);
    recording.line(1, { x: 1, items });
    items.items.push(1);
    recording.line(2);
    recording.line(3, { x: 2 });
    const trace = recording.trace();
    assert.equal(trace.writtenAt("global", "x", 2), 1);
    assert.equal(trace.writtenAt("global", "x", 3), 3);
    assert.deepEqual(
      trace.history("global", "x", 3).map(({ step, ref }) => [step, trace.view(ref, step).text]),
      [
        [1, "1"],
        [3, "2"],
      ],
    );
    assert.deepEqual([...trace.objectHistory(items.id, 3)], [1, 2]);
    assert.equal(trace.objectWrittenAt(items.id, 3), 2);
    assert.equal(trace.writtenAt("global", "y", 3), -1);
  });
});

describe("outcomes, output and files", () => {
  it("gives what was returned, raised and what left a frame", () => {
    const recording = new Recording();
    const error = exception("ValueError", "bad");
    recording.call("<module>", 1);
    recording.line(1);
    recording.raise(error);
    recording.unwind(error);
    const trace = recording.trace();
    assert.equal(trace.outcome(1), null);
    assert.deepEqual(trace.outcome(2), { kind: "raise", ref: -error.id });
    assert.equal(trace.view(-error.id, 2).preview, "ValueError('bad')");
    assert.equal(factorial().trace().outcome(12)?.kind, "return");
  });

  it("gives the output up to and including a step, by stream too", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.print("a\n");
    recording.print("oh\n", "stderr");
    recording.line(2);
    recording.print("b\n");
    const trace = recording.trace();
    assert.equal(trace.outputText(0), "");
    assert.equal(trace.outputText(1), "a\n");
    assert.equal(trace.outputText(3), "a\noh\n");
    assert.equal(trace.outputText(4, "stdout"), "a\nb\n");
    assert.deepEqual(trace.output(3), [
      { stream: "stdout", text: "a\n", step: 1 },
      { stream: "stderr", text: "oh\n", step: 2 },
    ]);
  });

  it("gives files as they were at a step, bytes exact", () => {
    const recording = new Recording();
    recording.call("<module>", 1);
    recording.write("a.bin", Uint8Array.of(0, 255, 10));
    recording.write("a.bin", Uint8Array.of(0, 1, 255, 10));
    recording.write("b.txt", "x");
    recording.write("a.bin", null);
    recording.write("a.bin", "new");
    const trace = recording.trace();
    assert.deepEqual(trace.fileContent("a.bin", 2), Uint8Array.of(0, 1, 255, 10));
    assert.deepEqual(trace.fileContent("a.bin", 1), Uint8Array.of(0, 255, 10));
    assert.equal(trace.fileContent("a.bin", 4), null);
    assert.equal(trace.fileContent("nowhere", 4), null);
    assert.deepEqual(trace.fileContent("a.bin", 5), new TextEncoder().encode("new"));
    assert.deepEqual(trace.files(4), [
      { path: "a.bin", change: "deleted", size: 0, step: 4, deleted: true },
      { path: "b.txt", change: "created", size: 1, step: 3, deleted: false },
    ]);
    assert.equal(trace.fileHistory("a.bin", 5).length, 4);
    assert.equal(trace.fileChange(2)?.change, "changed");
  });

  it("finds the line events of a place", () => {
    const trace = factorial().trace();
    assert.deepEqual([...trace.stepsAt("prog.py", 5)], [13, 15]);
    assert.equal(trace.countAt("prog.py", 5, 15), 1);
    assert.equal(trace.stepOf("prog.py", 5, 1), 15);
    assert.deepEqual([...trace.stepsAt("prog.py", 99)], []);
    assert.deepEqual([...trace.stepsAt("other.py", 5)], []);
  });
});

describe("previews", () => {
  const cases: [string, Value, string][] = [
    ["None", null, "None"],
    ["bool", true, "True"],
    ["int", -12, "-12"],
    ["long int", { atom: "i123" }, "123"],
    ["int in hexadecimal", { atom: "i-x1f" }, "-0x1f"],
    ["float", { atom: "d-0.0" }, "-0.0"],
    ["control characters and markup", "<b>\n\t\x1b[31m</b>\x7f", "'<b>\\n\\t\\x1b[31m</b>\\x7f'"],
    ["a text with both quotes", 'it\'s "so"', "'it\\'s \"so\"'"],
    ["a text with a single quote", "it's", '"it\'s"'],
    ["backslash", "a\\b", "'a\\\\b'"],
    ["unprintable characters", "\u00a0\u2028\u{e0001}é中😀", "'\\xa0\\u2028\\U000e0001é中😀'"],
    ["a byte order mark", "\ufeffx", "'\\ufeffx'"],
    ["a lone surrogate", { atom: "S\\ud83d" }, "'\\ud83d'"],
    ["two lone surrogates, no emoji", { atom: "S\\ud83d\\ude00" }, "'\\ud83d\\ude00'"],
    ["surrogates among others", { atom: "Sa\\\\\\xe9\\n\\U0001f600\\udc00" }, "'a\\\\é\\n😀\\udc00'"],
    ["bytes", { atom: "y00ff276162" }, 'b"\\x00\\xff\'ab"'],
    ["empty containers", list(list(), tuple(), dict(), new Thing(3, "set")), "[[], (), {}, set()]"],
    ["a tuple of one", tuple(1), "(1,)"],
    ["a dict", dict([1, "a"], ["1", null]), "{1: 'a', '1': None}"],
    ["an instance", instance("Point", { x: 1, y: list() }), "Point(x=1, y=[])"],
    ["an instance without attributes", instance("Tag", {}), "Tag()"],
    ["a subclass of list", new Thing(129, "Stack", [1, 2], { name: "s" }), "Stack([1, 2])"],
    ["a subclass of int", new Thing(135, "Color", [1], { _name_: "RED" }), "Color(1, _name_='RED')"],
    ["a function", new Thing(10, "function", [], undefined, "f.<locals>.g"), "<function f.<locals>.g>"],
    ["a class", new Thing(11, "type", [], undefined, "Point"), "<class Point>"],
    ["a generator", new Thing(14, "generator", ["suspended"], undefined, "ticks"), "<generator ticks, suspended>"],
    ["a range", new Thing(17, "range", [0, 3, 1]), "range(0, 3, 1)"],
    ["a bytearray", new Thing(13, "bytearray", [{ atom: "y61" }]), "bytearray(b'a')"],
    ["something opaque", new Thing(0, "list_iterator"), "<list_iterator>"],
    ["a bound method", new Thing(19, "method", [list()], undefined, "Point.move"), "<bound method Point.move>"],
  ];
  for (const [name, value, expected] of cases) {
    it(`writes ${name} as Python does`, () => assert.equal(preview(value), expected));
  }

  it("ends where a structure holds itself (case 022)", () => {
    const a = list(1);
    const d = dict(["self", null]);
    d.items[1] = d;
    a.items.push(a, d);
    assert.equal(preview(a), "[1, [...], {'self': {...}}]");
    const node = instance("Node", {});
    node.attributes = { next: node };
    assert.equal(preview(node), "Node(next=Node(...))");
  });

  it("says how much it leaves out", () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    assert.equal(
      preview(list(...numbers)),
      "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, …+79]",
    );
    assert.equal(preview("a".repeat(500)), `'${"a".repeat(72)}'…+428`);
    assert.match(preview({ atom: `>70000:0123456789abcdef:s${"b".repeat(1024)}` }), /^'b+'…\+69928$/);
    const cut = list(1, 2);
    cut.length = 20_000;
    assert.equal(preview(cut), "[1, 2, …+19998]");
    assert.equal(preview(list(list(list(list(list(list(1))))))), "[[[[[…+1]]]]]");
  });

  it("stays one short line whatever it looks at", () => {
    let deep: Value = "x".repeat(1000);
    for (let level = 0; level < 50; level++) deep = list(deep, deep, "\n".repeat(100));
    const text = preview(deep);
    assert.ok(text.length < 200 && !text.includes("\n"), text);
  });
});

describe("views and expanded values", () => {
  const viewed = (value: Value) => {
    const recording = new Recording();
    recording.call("<module>", 1, { value });
    const trace = recording.trace();
    const ref = trace.variables(0)[0]?.ref as number;
    return { trace, view: trace.view(ref, 0), expanded: trace.expanded(ref, 0) };
  };

  it("gives one level, with refs for the next", () => {
    const { trace, view } = viewed(dict(["a", list(1, 2)]));
    assert.equal(view.type, "dict");
    assert.equal(view.length, 1);
    const [key, value] = view.entries?.[0] as [number, number];
    assert.equal(trace.view(key, 0).text, "a");
    assert.deepEqual(
      trace.view(value, 0).items?.map((ref) => trace.view(ref, 0).text),
      ["1", "2"],
    );
  });

  it("counts what the trace left out", () => {
    const { view } = viewed({ atom: `>70000:0123456789abcdef:y${"00".repeat(1024)}` });
    assert.deepEqual([view.length, view.left], [70_000, 68_976]);
  });

  it("finds nothing left out of instances and of what has items and attributes", () => {
    for (const whole of [instance("Point", { x: 1, y: 2 }), instance("Tag", {}), exception("E", "bad")])
      assert.equal(viewed(whole).view.left, 0);
  });

  it("expands with aliases as ids alone", () => {
    const shared = list(1);
    const { expanded } = viewed(list(shared, shared, instance("P", { __proto__x: "é" })));
    assert.deepEqual(JSON.parse(JSON.stringify(expanded)), {
      type: "list",
      id: 1,
      items: [
        { type: "list", id: 2, items: [{ type: "int", text: "1" }] },
        { id: 2 },
        { type: "P", id: 3, attributes: { __proto__x: { type: "str", text: "é" } } },
      ],
    });
  });

  it("expands what is deep and large as far as Python does, and says how much there was", () => {
    let deep: Value = list();
    for (let level = 0; level < 2000; level++) deep = list(deep);
    let { expanded } = viewed(deep);
    let depth = 0;
    for (; expanded.items?.length; depth++) expanded = expanded.items[0] as typeof expanded;
    assert.deepEqual([depth, expanded.items, expanded.length], [60, [], 1]);
    const wide = viewed(list(...Array.from({ length: 6000 }, (_, index) => index))).expanded;
    assert.deepEqual([wide.items?.length, wide.length], [5000, 6000]);
  });
});
