/** Long texts that say what they share with one before: whatever is asked of them, they answer as whole ones. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { emptyColumns, KEEPING } from "../../site/src/trace/columns.ts";
import { compare } from "../../site/src/trace/compare.ts";
import { TraceError } from "../../site/src/trace/error.ts";
import { Paging } from "../../site/src/trace/paging.ts";
import { Strings } from "../../site/src/trace/strings.ts";
import type { Trace } from "../../site/src/trace/trace.ts";
import { type Random, seeded } from "./random.ts";
import { Recording } from "./recording.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** As long as a text that shares must be. */
const PAD = "-".repeat(500);

/** Own text, and where the rest comes from: another string, bytes of its start and of its end. */
type Told = readonly [own: string, other?: number, kept?: number, tail?: number];

/** A string table of these, taken in at once or string by string. */
function table(told: readonly Told[], { apart = false, pager = KEEPING } = {}): Strings {
  const columns = emptyColumns(pager);
  const strings = new Strings(columns, pager);
  for (const [id, [own, other, kept = 0, tail = 0]] of told.entries()) {
    columns.stringLength.push(bytesOf(own).length);
    columns.stringBytes.extend(bytesOf(own));
    if (other !== undefined) {
      columns.shareString.push(id);
      columns.shareOther.push(other);
      columns.shareKept.push(kept);
      columns.shareTail.push(tail);
    }
    if (apart) strings.grow();
  }
  strings.grow();
  return strings;
}

const textsOf = (strings: Strings) => Array.from({ length: strings.length }, (_, id) => strings.text(id));

describe("a text that shares", () => {
  it("is the other one's start, its own, and the other one's end", () => {
    const told: Told[] = [
      [`sab${PAD}cdef`],
      ["X", 0, PAD.length + 3, 2],
      ["", 1, PAD.length + 6, 0],
      ["s"],
      ["YZ", 1, 0, PAD.length + 6],
      [PAD, 3, 0, 0],
      ["é", 4, 1, PAD.length],
    ];
    const shared = `sab${PAD}Xef`;
    const whole = [`sab${PAD}cdef`, shared, shared, "s", `YZ${shared}`, PAD, `Yé${`YZ${shared}`.slice(-PAD.length)}`];
    for (const apart of [false, true]) assert.deepEqual(textsOf(table(told, { apart })), whole);
    const strings = table(told);
    const asked = [shared, `sab${PAD}Xeg`, "sab"].map((text) => strings.is(1, text));
    assert.deepEqual(asked, [true, false, false]);
    assert.deepEqual([strings.letter(2), strings.letter(5)], [0x73, 0x59]);
    assert.equal(strings.atom(3).rest, shared.slice(1));
    for (const ref of [1, 2, 3, 4]) strings.checkAtom(ref);
    assert.throws(() => strings.checkAtom(5), /malformed/);
  });

  it("may be cut between characters of any width", () => {
    const [start, end] = [`s一二${PAD}`, `${PAD}𝔸三`];
    const strings = table([[start + end], ["é", 0, 4, PAD.length + 7], [PAD, 0, 4, 7], ["", 0, PAD.length * 2 + 7, 3]]);
    assert.deepEqual(textsOf(strings), [start + end, `s一é${end}`, `s一${end}`, `${start}${PAD}三`]);
  });

  for (let seed = 1; seed <= 30; seed++)
    it(`is what the steps that made it say, in pages or not (seed ${seed})`, () => {
      const { told, whole } = grown(seeded(seed));
      assert.deepEqual(textsOf(table(told)), whole);
      assert.deepEqual(textsOf(table(told, { apart: true, pager: new Paging(0) })), whole);
    });

  it("is shown by a trace, and tells it from another", () => {
    const text = "a long text, ".repeat(60);
    const shown = (trace: Trace) => trace.view(trace.variables(1)[0]?.ref as number, 1).text;
    const [whole, again, shorter] = [shared(text, 0), shared(text, 0), shared(text, 5)];
    assert.deepEqual([shown(whole), shown(shorter)], [`${text}!`, `${text.slice(0, -5)}!`]);
    assert.equal(compare(whole, again).divergence, null);
    assert.deepEqual(
      [compare(whole, shorter).divergence?.step, compare(whole, shorter).divergence?.what],
      [1, "variable"],
    );
  });
});

/** A variable that is a text, and then that text without its end, and a mark. */
function shared(text: string, without: number): Trace {
  const recording = new Recording();
  recording.call("<module>", 1, { text });
  const [id, marked] = [recording.string(`s${text}`), recording.string("!")];
  recording.line(2, { text: { atom: "!" } });
  recording.put("share_string", marked);
  recording.put("share_other", id);
  recording.put("share_kept", text.length + 1 - without);
  recording.put("share_tail", 0);
  return recording.trace();
}

/** Texts that grow, shrink and change anywhere, each told by one of those before. */
function grown(random: Random): { told: Told[]; whole: string[] } {
  const whole = [`s${"0123456789".repeat(100)}`];
  const told: Told[] = [[whole[0] as string]];
  const links = [0];
  while (whole.length < 80) {
    const other = whole.length - 1 - random(Math.min(3, whole.length));
    const old = whole[other] as string;
    const kept = random(old.length + 1);
    const tail = Math.max(0, old.length - kept - random(40));
    const own = String.fromCharCode(97 + random(26)).repeat(random(40));
    const text = old.slice(0, kept) + own + old.slice(old.length - tail);
    const link = links[other] as number;
    const may = link < 64 && text.length >= 500;
    whole.push(text);
    told.push(may ? [own, other, kept, tail] : [text]);
    links.push(may ? link + 1 : 0);
  }
  return { told, whole };
}

describe("a string table is refused", () => {
  const chain = (links: number): Told[] => [
    [PAD],
    ...Array.from({ length: links }, (_, at): Told => ["", at, PAD.length, 0]),
  ];
  const cases: [string, readonly Told[], RegExp][] = [
    ["with what shares with itself", [["s"], ["", 1, 0, 0]], /cannot share with string 1/],
    ["with what shares with a later one", [["s"], ["", 2, 0, 0], ["s"]], /cannot share with string 2/],
    ["with what shares with none", [["s"], ["", -1, 0, 0]], /cannot share with string -1/],
    ["with what shares more than there is", [["sab"], ["", 0, 2, 2]], /cannot give/],
    ["with what shares less than nothing", [["sab"], ["", 0, -1, 2]], /cannot give/],
    ["with an end of negative length", [["sab"], ["", 0, 2, -1]], /cannot give/],
    ["with what shares over too many others", chain(65), /string 65 shares what string 64 cannot give/],
    ["with a start that ends in a character", [["s一"], [PAD, 0, 2, 0]], /part of a character/],
    ["with an end that begins in a character", [["s一"], [PAD, 0, 0, 2]], /part of a character/],
    ["with a short text that shares", [[PAD], ["", 0, PAD.length - 1, 0]], /string 1 is too short to share/],
  ];
  for (const [name, told, message] of cases)
    it(name, () =>
      assert.throws(
        () => table(told),
        (error: unknown) => error instanceof TraceError && message.test(error.message),
      ),
    );

  it("but for the longest way to a whole one", () => assert.equal(table(chain(64)).text(64), PAD));

  it("with texts that unfold to more than a trace may have", () => {
    const text = "a".repeat(1 << 20);
    const many = (count: number): Told[] => [[text], ...Array.from({ length: count }, (): Told => ["", 0, 1 << 20, 0])];
    assert.equal(table(many(1000)).length, 1001);
    assert.throws(() => table(many(1024)), /more than a trace may have/);
  });

  it("with what an earlier string shares", () => {
    const columns = emptyColumns(KEEPING);
    const strings = new Strings(columns);
    columns.stringLength.extend(Int32Array.of(2, 2));
    columns.stringBytes.extend(bytesOf("sasb"));
    strings.grow();
    for (const name of ["shareOther", "shareKept", "shareTail"] as const) columns[name].push(0);
    columns.shareString.push(1);
    assert.throws(() => strings.grow(), /another place/);
    assert.deepEqual(textsOf(strings), ["sa", "sb"]);
  });
});
