/** Files and chunks that are cut, bent or made up: a TraceError, never a hang, another error or a wrong value. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deflateRawSync } from "node:zlib";
import { crc32 } from "../../site/src/trace/container.ts";
import { Trace, TraceError } from "../../site/src/trace/trace.ts";
import { randomRun, seeded } from "./random.ts";
import { dict, encode, HEADER, instance, join, list, Recording } from "./recording.ts";

const MAGIC = Uint8Array.of(0x89, 0x54, 0x50, 0x41, 0x4e, 0x45, 0x0d, 0x0a);
const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

interface RecordOptions {
  readonly deflate?: boolean;
  readonly codec?: number;
  readonly rawLength?: number;
  readonly crc?: number;
}

function record(type: number, raw: Uint8Array, options: RecordOptions = {}): Uint8Array {
  const stored = options.deflate ? new Uint8Array(deflateRawSync(raw)) : raw;
  const head = new DataView(new ArrayBuffer(14));
  head.setUint8(0, type);
  head.setUint8(1, options.codec ?? (options.deflate ? 1 : 0));
  head.setUint32(2, stored.length, true);
  head.setUint32(6, options.rawLength ?? raw.length, true);
  head.setUint32(10, options.crc ?? crc32(raw), true);
  return join([new Uint8Array(head.buffer), stored]);
}

function sample(): Recording {
  const recording = new Recording({ splice: true });
  const items = list(...Array.from({ length: 20 }, (_, index) => index));
  recording.call("<module>", 1, { items, table: dict(["a", items]) });
  recording.line(1, { p: instance("P", { x: 1, y: items }) });
  items.items.push(99);
  recording.line(2);
  recording.write("a.txt", "hello");
  recording.print("out\n");
  recording.return();
  recording.end();
  return recording;
}

const END = { status: "finished", steps: 7 };

function file(options: RecordOptions = {}): Uint8Array {
  return join([MAGIC, record(1, text(HEADER)), record(2, sample().flush(), options), record(3, text(END))]);
}

const refused = (bytes: Uint8Array, message: RegExp) =>
  assert.rejects(Trace.parse(bytes), (error: unknown) => error instanceof TraceError && message.test(error.message));

describe("the file", () => {
  it("is read, stored or deflated", async () => {
    for (const deflate of [false, true]) {
      const trace = await Trace.parse(file({ deflate }));
      assert.deepEqual([trace.steps, trace.outputText(6), trace.end?.status], [7, "out\n", "finished"]);
    }
  });

  it("checks CRC-32 as zip does", () => assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926));

  it("is refused when it is none, or cut short anywhere", async () => {
    await refused(new Uint8Array(), /no trace file/);
    await refused(text("hello"), /no trace file/);
    const whole = file({ deflate: true });
    for (let length = 8; length < whole.length; length += 3)
      await refused(whole.subarray(0, length), /cut short|does not start/);
  });

  it("is refused with what does not belong", async () => {
    const [header, chunk, end] = [record(1, text(HEADER)), record(2, sample().flush()), record(3, text(END))];
    await refused(join([MAGIC, chunk, end]), /does not start with a header/);
    await refused(join([MAGIC, header, header, end]), /another record at byte \d+ than can be there/);
    await refused(join([MAGIC, header, chunk, end, chunk]), /follows the trace's end/);
    await refused(join([MAGIC, header, chunk, end, end]), /follows the trace's end/);
    await refused(join([MAGIC, header, record(7, text(1)), end]), /another record/);
    await refused(join([MAGIC, header, chunk, chunk, end]), /follows the end/);
    await refused(join([MAGIC, header, end]), /7 steps, 0 have come/);
    await refused(
      join([MAGIC, header, chunk, record(3, text({ status: "finished", steps: 8 }))]),
      /8 steps, 7 have come/,
    );
    await refused(join([MAGIC, header, chunk, record(3, text({ status: "won", steps: 7 }))]), /won/);
    await refused(join([MAGIC, header, chunk, record(3, text([]))]), /no JSON object/);
    await refused(join([MAGIC, header, chunk, record(3, new TextEncoder().encode("{"))]), /not JSON/);
  });

  it("is refused for a format or a feature that is not known", async () => {
    const with_ = (header: object) =>
      join([MAGIC, record(1, text({ ...HEADER, ...header })), record(3, text({ status: "finished", steps: 0 }))]);
    await refused(with_({ format: "tracepane-trace/2" }), /tracepane-trace\/2/);
    await refused(with_({ features: ["paged"] }), /paged/);
    await refused(with_({ features: 1 }), /list of features/);
  });

  it("is refused for a wrong checksum, codec or length, and for what unfolds without end", async () => {
    await refused(file({ crc: 1 }), /checksum/);
    await refused(file({ codec: 9 }), /codec 9/);
    await refused(file({ rawLength: 3 }), /length/);
    await refused(file({ deflate: true, rawLength: 3 }), /unfolds to more/);
    await refused(file({ codec: 1 }), /does not unfold|length|unfolds to more/);
    await refused(file({ rawLength: 0xffffffff }), /4294967295 bytes/);
    const bomb = record(2, new Uint8Array(50_000_000), { deflate: true, rawLength: 100 });
    await refused(join([MAGIC, record(1, text(HEADER)), bomb, record(3, text(END))]), /unfolds to more/);
  });

  it("gives a TraceError or the same values, whichever byte is bent", async () => {
    const whole = file();
    const good = JSON.stringify(dump(await Trace.parse(whole)));
    for (let place = 0; place < whole.length; place += 7) {
      const bent = whole.slice();
      bent[place] = (bent[place] as number) ^ 0x41;
      try {
        assert.equal(JSON.stringify(dump(await Trace.parse(bent))), good, `byte ${place}`);
      } catch (error) {
        assert.ok(error instanceof TraceError, `byte ${place}: ${error}`);
      }
    }
  });
});

/** Everything that a reader of the trace can be shown. */
function dump(trace: Trace): unknown {
  return Array.from({ length: trace.steps }, (_, step) => ({
    kind: trace.kind(step),
    stack: trace.stack(step),
    output: trace.outputText(step),
    files: trace.files(step).map((state) => [state, trace.fileContent(state.path, step)?.length]),
    outcome: trace.outcome(step) && trace.view(trace.outcome(step)?.ref as number, step),
    variables: trace
      .variables(step)
      .map(({ name, ref, changed }) => [name, changed, trace.view(ref, step), trace.expanded(ref, step)]),
  }));
}

/** The columns of the sample with something changed. */
function bent(change: (columns: Record<string, number[]>) => void): Trace {
  const recording = sample();
  change(recording.columns);
  const trace = new Trace(HEADER);
  trace.append(encode(recording.columns));
  return trace;
}

function column(columns: Record<string, number[]>, name: string): number[] {
  return columns[name] as number[];
}

describe("a chunk", () => {
  const set = (name: string, index: number, value: number) => () =>
    bent((columns) => {
      column(columns, name)[index] = value;
    });
  const cases: [string, () => unknown, RegExp][] = [
    ["an unknown kind of event", set("event_kind", 1, 11), /kind 11/],
    ["a frame that is not there", set("event_frame", 1, 9), /frame 9 of 1/],
    ["a frame below −1", set("event_frame", 1, -2), /frame -2/],
    ["a line event without a frame", set("event_frame", 1, -1), /top is frame 0/],
    ["a second call of a frame", set("event_kind", 1, 0), /opens frame 0/],
    ["a resume of what runs", set("event_kind", 1, 1), /not suspended/],
    ["a yield from a module", set("event_kind", 5, 4), /cannot/],
    ["an event after the end", set("event_kind", 0, 10), /end at step 0/],
    ["a line below 0", set("event_line", 1, -1), /line -1/],
    ["a line event without a line", set("event_line", 1, 0), /no line/],
    ["more rows than there are", set("event_rows", 6, 1), /no room for its 1 rows/],
    ["fewer rows than there are", set("event_rows", 2, 0), /rows follow/],
    ["rows below 0", set("event_rows", 1, -1), /no room for its -1 rows/],
    ["output that is no string", set("event_arg", 4, 9999), /string 9999/],
    ["a file change that is not next", set("event_arg", 3, 1), /not the next one/],
    ["a return without a value", set("event_arg", 5, 0), /no value/],
    ["a return of an object not seen", set("event_arg", 5, -50), /object 50/],
    ["a line with an argument", set("event_arg", 1, 1), /argument 1/],
    ["a variable without a name", set("row_target", 0, 9999 * 4), /string 9999/],
    ["a target below 0", set("row_target", 0, -4), /target -4/],
    ["a value that is no string", set("row_value", 0, 9999), /string 9998/],
    ["a value that is no atom", set("row_value", 0, 1), /malformed/],
    ["a version that is not there", set("row_value", 2, 77), /version 77/],
    ["a version of another object", set("row_value", 2, 1), /another one/],
    ["code that is not there", set("frame_code", 0, 3), /code 3 of 1/],
    ["a namespace out of order", set("frame_globals", 0, 2), /namespace 2/],
    ["a code's file that is no string", set("code_file", 0, -1), /string -1/],
    ["a code of another kind", set("code_kind", 0, 6), /kind 6/],
    ["an object id beyond all versions", set("version_object", 0, 99), /object 99/],
    ["an object id of 0", set("version_object", 0, 0), /object 0/],
    ["an unknown shape", set("version_shape", 0, 21), /shape 21/],
    ["an exception without its bit", set("version_shape", 0, 8), /shape 8/],
    ["a length below what is held", set("version_length", 0, 3), /more than its length/],
    ["a length below 0", set("version_length", 0, -3), /length -3/],
    ["an unknown form", set("version_form", 0, 2), /form 2/],
    ["a splice of nothing", set("version_form", 0, 1), /splice of nothing/],
    ["more slots than there are", set("version_count", 3, 9999), /no room for its 9999 slots/],
    ["slots below 0", set("version_count", 0, -1), /no room for its -1 slots/],
    ["a slot of no string", set("slot", 0, 9999), /string 9998/],
    ["a slot of no object", set("slot", 0, -9999), /ref -9999/],
    ["an empty slot", set("slot", 0, 0), /ref 0/],
    ["a file's change of another kind", set("file_change", 0, 3), /kind 3/],
    ["a file that keeps more than there was", set("file_prefix", 0, 3), /add up/],
    ["a file that does not add up", set("file_size", 0, 9), /add up/],
    ["a text longer than the table", set("string_length", 0, 99999), /no room/],
    ["a text of negative length", set("string_length", 0, -1), /no room/],
    ["a table that is not UTF-8", set("string_bytes", 0, 0xff), /UTF-8/],
    ["a text that starts inside a character", set("string_bytes", 0, 0x80), /inside a character/],
  ];
  for (const [name, make, message] of cases) {
    it(`is refused with ${name}`, () => {
      assert.throws(make, (error: unknown) => error instanceof TraceError && message.test(error.message));
    });
  }

  it("is refused with a splice outside of what is there", () => {
    const at = sample().columns["version_form"]?.indexOf(1) as number;
    assert.ok(at > 0, "the sample has no splice");
    const start = (sample().columns["version_count"] as number[]).slice(0, at).reduce((sum, count) => sum + count, 0);
    for (const [place, value] of [
      [0, 21],
      [0, -1],
      [1, 21],
      [1, -1],
    ] as const) {
      assert.throws(
        () =>
          bent((columns) => {
            column(columns, "slot")[start + place] = value;
          }),
        /cuts outside/,
      );
    }
    assert.throws(
      () =>
        bent((columns) => {
          column(columns, "version_type")[at] = 0;
        }),
      /another type/,
    );
  });

  it("is refused when its tables do not fit in, or its bytes do not end with them", () => {
    const chunk = sample().flush();
    const trace = () => new Trace(HEADER);
    assert.throws(() => trace().append(join([chunk, Uint8Array.of(0)])), /in a table's head/);
    assert.throws(() => trace().append(chunk.subarray(0, -1)), TraceError);
    assert.throws(() => trace().append(new Uint8Array(2)), /in a table's head/);
    const changed = (place: number, ...bytes: number[]) => {
      const other = chunk.slice();
      other.set(bytes, place);
      return () => trace().append(other);
    };
    assert.throws(changed(2, 255, 255, 255, 255), /eventKind claims \d{11} bytes/);
    assert.throws(changed(2, 0, 0, 0, 0), /eventKind claims 0 bytes/);
    assert.throws(changed(1, 3), /eventKind has 3 bytes an element/);
    assert.throws(changed(0, 11), /no table 11/);
    const second = 6 + 7 * 5 * (chunk[1] as number);
    assert.throws(changed(second, 0), /no table 0 can stand/);
    assert.throws(changed(second + 1, 0), /rowTarget has 0 bytes an element/);
    const wide = Uint8Array.of(10, 2, 1, 0, 0, 0, 0, 1);
    assert.throws(() => trace().append(wide), /stringBytes of a chunk is out of bounds/);
  });

  it("leaves the steps before it readable, and lets no more in", () => {
    const recording = new Recording();
    recording.call("<module>", 1, { x: 1 });
    recording.line(1);
    const trace = new Trace(HEADER);
    trace.append(recording.flush());
    recording.lines(2, 3);
    recording.print("never");
    column(recording.columns, "event_kind")[2] = 99;
    const damaged = encode(recording.columns);
    assert.throws(() => trace.append(damaged), /kind 99/);
    assert.throws(() => trace.append(damaged), /kind 99/);
    assert.deepEqual(
      [trace.steps, trace.countAt("prog.py", 2), trace.nextIn(0, 2), trace.outputText(1)],
      [2, 0, -1, ""],
    );
    assert.deepEqual([trace.stepsAt("prog.py", 3).length, trace.variables(1).length], [0, 1]);
    assert.throws(() => trace.variables(2), RangeError);
    trace.finish({ status: "crashed", steps: 99 });
    assert.equal(trace.end?.steps, 2);
  });

  it("takes an end that cannot know the steps, and no other", () => {
    const trace = () => sample().trace({ open: true });
    for (const end of [{ status: "stopped" }, { status: "crashed" }, { status: "limit", limit: "seconds" }] as const) {
      const cut = trace();
      cut.finish({ ...end, steps: 3 });
      assert.equal(cut.end?.steps, 7);
    }
    assert.throws(() => trace().finish({ status: "limit", limit: "steps", steps: 3 }), /3 steps, 7 have come/);
  });

  it("is refused after the end", () => {
    const trace = sample().trace();
    assert.throws(() => trace.append(new Uint8Array()), /follows the end/);
  });

  it("answers questions about steps and refs that are not there with a RangeError", () => {
    const trace = sample().trace();
    for (const step of [-1, 7, 1.5, Number.NaN]) assert.throws(() => trace.kind(step), RangeError);
    for (const ref of [0, 9999, -9999]) assert.throws(() => trace.view(ref, 1), RangeError);
    assert.throws(() => trace.outputPiece(1), TraceError);
  });
});

describe("random damage", () => {
  for (let seed = 1; seed <= 60; seed++) {
    it(`to any number of a run gives a TraceError or a trace that can be read (seed ${seed})`, () => {
      const random = seeded(seed);
      const recording = randomRun(seeded(1 + (seed % 5)), 60);
      const names = Object.keys(recording.columns);
      for (let count = 0; count < 30; count++) {
        const columns = Object.fromEntries(names.map((name) => [name, [...column(recording.columns, name)]]));
        const target = column(columns, names[random(names.length)] as string);
        if (target.length === 0) continue;
        const value = [0, 1, -1, -2, random(300), -random(300), 2 ** 31 - 1, -(2 ** 31)][random(8)] as number;
        target[random(target.length)] = value;
        const trace = new Trace(HEADER);
        try {
          trace.append(encode(columns));
          dump(trace);
        } catch (error) {
          assert.ok(error instanceof TraceError, String((error as Error).stack));
        }
      }
    });
  }
});
