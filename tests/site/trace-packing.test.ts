/** The packed form of a chunk, byte by byte: what it unfolds to, and what is refused. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TraceError } from "../../site/src/trace/error.ts";
import { unpackChunk } from "../../site/src/trace/packing.ts";
import { join } from "./recording.ts";

/** A packed chunk that holds strings alone: length, back, kept, tail, then the strings' own bytes. */
function chunk(columns: readonly (readonly number[])[], rest = "", strings = 2, size = 6): Uint8Array {
  const counts = Uint32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, strings, size);
  return join([new Uint8Array(counts.buffer), ...columns.map((bytes) => Uint8Array.from(bytes)), encode(rest)]);
}

const encode = (text: string) => new TextEncoder().encode(text);
/** A column of lag 0 and one plane. */
const plain = (...bytes: number[]): number[] => [0, 1, ...bytes];
const LENGTHS = plain(3, 3);

describe("a packed chunk", () => {
  it("tells a text by what it shares with an earlier one", () => {
    const start = unpackChunk(chunk([LENGTHS, plain(0, 1), plain(0, 2), plain(0, 0)], "abcd"));
    const end = unpackChunk(chunk([LENGTHS, plain(0, 1), plain(0, 0), plain(0, 2)], "abcd"));
    assert.deepEqual([start.stringBytes, end.stringBytes], [encode("abcabd"), encode("abcdbc")]);
    assert.deepEqual([...start.stringLength], [3, 3]);
  });

  it("holds numbers in as few bytes as they need, with their sign, or as differences", () => {
    const lengths = (...column: number[]) => {
      const [lag, planes, ...bytes] = column as [number, number, ...number[]];
      const counts = Uint32Array.of(0, 0, 0, 0, 0, bytes.length / planes, 0, 0, 0, 0, 0);
      return [...unpackChunk(join([new Uint8Array(counts.buffer), Uint8Array.of(lag, planes, ...bytes)])).slot];
    };
    assert.deepEqual(lengths(0, 1, 1, 127, 128, 255), [1, 127, -128, -1]);
    assert.deepEqual(lengths(0, 2, 0, 255, 1, 255), [256, -1]);
    assert.deepEqual(lengths(0, 4, 0, 0, 0, 128), [-(2 ** 31)]);
    assert.deepEqual(lengths(1, 1, 5, 1, 255), [5, 6, 5]);
    assert.deepEqual(lengths(2, 1, 5, 50, 1, 2, 1), [5, 50, 6, 52, 7]);
  });

  const cases: [string, Uint8Array, RegExp][] = [
    ["without its counts", new Uint8Array(), /shorter than its counts/],
    ["that is cut short", chunk([[0]]), /stringLength.*does not fit in/],
    ["with an unknown lag", chunk([[3, 1, 3, 3]]), /stringLength.*no known form/],
    ["without planes", chunk([[0, 0, 3, 3]]), /stringLength.*no known form/],
    ["with too many planes", chunk([[0, 5, 3, 3]]), /stringLength.*no known form/],
    ["whose sums leave 32 bits", chunk([[1, 4, 255, 1, 255, 0, 255, 0, 127, 0]]), /stringLength.*out of bounds/],
    ["that shares with a text before the first", shared(2, 2, 0, "abcd"), /no earlier one/],
    ["that shares with a later text", shared(255, 2, 0, "abcd"), /no earlier one/],
    ["that shares with no text", shared(0, 2, 0, "abcd"), /shares what is not there/],
    ["that shares more than it is long", shared(1, 2, 2, "ab"), /shares what is not there/],
    ["that lacks bytes", shared(1, 2, 0, "abc"), /do not add up/],
    ["that has bytes left", shared(1, 2, 0, "abcde"), /do not add up/],
  ];
  for (const [name, bytes, message] of cases) {
    it(`is refused ${name}`, () => {
      assert.throws(
        () => unpackChunk(bytes),
        (error: unknown) => error instanceof TraceError && message.test(error.message),
      );
    });
  }
});

function shared(back: number, kept: number, tail: number, rest: string): Uint8Array {
  return chunk([LENGTHS, plain(0, back), plain(0, kept), plain(0, tail)], rest);
}
