import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dict, exception, instance, list, Recording, Thing, tuple, type Value } from "./recording.ts";

/** The preview of one value. */
function preview(value: Value): string {
  const recording = new Recording();
  recording.call("<module>", 1, { value });
  const trace = recording.trace();
  return trace.view(trace.variables(0)[0]?.ref as number, 0).preview;
}

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
