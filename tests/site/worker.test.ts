import assert from "node:assert/strict";
import { test } from "node:test";
import type { BootParts, FromWorker, ToWorker } from "../../site/src/protocol.ts";
import type { Interpreter } from "../../site/src/worker/boot.ts";
import { openDevice } from "../../site/src/worker/device.ts";
import { execute, explain } from "../../site/src/worker/run.ts";
import { type Port, serve } from "../../site/src/worker/serve.ts";
import { encode } from "./recording.ts";

Object.assign(globalThis, { __TRACEPANE_RELEASE__: "release" });

const PARTS = { library: new ArrayBuffer(1), recorder: new ArrayBuffer(1), snapshot: null } as BootParts;
const LOAD: ToWorker = { type: "load", core: "https://site.test/pyodide/", build: "release" };
const RUN = { type: "run", run: 7, job: {}, record: true } as const;

type Program = (write: (kind: number, body: Uint8Array | object) => void) => void;

/** An interpreter whose program is a function that writes records; `after` writes what it had not sent when it died. */
function interpret(program: Program, after: Program = () => undefined): Interpreter {
  let send: Parameters<Program>[0] = () => undefined;
  return {
    python: "3.14.2",
    boot: "plain",
    lastWords: [],
    run(_job, _record, receive) {
      send = (kind, body) => receive(recordOf(kind, body));
      program(send);
    },
    rescue: () => after(send),
  };
}

function recordOf(kind: number, body: Uint8Array | object): Uint8Array {
  const bytes = body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body));
  const record = new Uint8Array(14 + bytes.length);
  record[0] = kind;
  record.set(bytes, 14);
  return record;
}

/** What the page is told of a run of this program. */
function run(program: Program, after?: Program): FromWorker[] {
  const posted: FromWorker[] = [];
  execute(interpret(program, after), RUN, (message) => posted.push(message));
  return posted;
}

/** A worker's port whose messages the test writes and reads. */
class FakePort implements Port {
  readonly posted: FromWorker[] = [];
  #listener: (event: MessageEvent<ToWorker>) => void = () => undefined;

  postMessage(message: FromWorker): void {
    this.posted.push(message);
  }

  addEventListener(_type: "message", listener: (event: MessageEvent<ToWorker>) => void): void {
    this.#listener = listener;
  }

  async send(message: ToWorker): Promise<string[]> {
    this.#listener({ data: message } as MessageEvent<ToWorker>);
    await new Promise((resolve) => setImmediate(resolve));
    return this.posted.map(({ type }) => type);
  }
}

function served(program: Program = () => undefined): FakePort {
  const port = new FakePort();
  const load = async (url: string) => ({ url, loadPyodide: async () => assert.fail("the fake boot needs none") });
  serve(port, async () => interpret(program), load as never);
  return port;
}

const chunk = (events: number) => encode({ event_kind: Array<number>(events).fill(2) });

test("a worker answers load, boot and run in their order", async () => {
  const port = served((write) => write(3, { status: "finished", steps: 0 }));
  await port.send(LOAD);
  await port.send({ type: "boot", parts: PARTS, keep: false });
  assert.deepEqual(await port.send(RUN), ["loaded", "ready", "end"]);
});

test("an interpreter is used once: a second run is not answered", async () => {
  const port = served((write) => write(3, { status: "finished", steps: 0 }));
  await port.send(LOAD);
  await port.send({ type: "boot", parts: PARTS, keep: false });
  await port.send(RUN);
  assert.deepEqual(await port.send({ ...RUN, run: 8 }), ["loaded", "ready", "end"]);
});

test("a page of another release is refused, and both are named", async () => {
  const port = served();
  await port.send({ ...LOAD, build: "older" });
  assert.deepEqual(port.posted, [
    { type: "bootFailed", failure: { kind: "build", detail: "the page is of release older, the worker of release" } },
  ]);
});

test("a boot that throws is a failure with its words", async () => {
  const port = new FakePort();
  serve(
    port,
    async () => {
      throw new Error("no memory");
    },
    (async (url: string) => ({ url })) as never,
  );
  await port.send(LOAD);
  await port.send({ type: "boot", parts: PARTS, keep: false });
  assert.deepEqual(port.posted.at(-1), { type: "bootFailed", failure: { kind: "crash", detail: "Error: no memory" } });
});

test("a boot that throws an object of Emscripten's has words, too", async () => {
  const port = new FakePort();
  const boot = () => Promise.reject({ name: "ErrnoError", errno: 44 });
  serve(port, boot, (async (url: string) => ({ url })) as never);
  await port.send(LOAD);
  await port.send({ type: "boot", parts: PARTS, keep: false });
  const failure = { kind: "crash", detail: "ErrnoError: errno 44" };
  assert.deepEqual(port.posted.at(-1), { type: "bootFailed", failure });
});

test("records become messages that carry the run's number", () => {
  const header = { format: "tracepane-trace/1", features: [], job: "j", runtime: {} };
  const posted = run((write) => {
    write(1, header);
    write(2, chunk(2));
    write(3, { status: "finished", steps: 2, digest: "d" });
  });
  assert.deepEqual(posted, [
    { type: "header", run: 7, header },
    { type: "chunk", run: 7, bytes: chunk(2).buffer },
    { type: "end", run: 7, end: { status: "finished", steps: 2, digest: "d" } },
  ]);
});

test("the write of the end never returns to the program", () => {
  const after: string[] = [];
  const posted = run((write) => {
    write(3, { status: "limit", limit: "steps", steps: 0 });
    after.push("returned");
  });
  assert.deepEqual([posted.length, after], [1, []]);
});

test("a program that catches everything still sends one end and nothing after", () => {
  const posted = run((write) => {
    for (const status of ["finished", "exit"]) {
      try {
        write(3, { status, steps: 0 });
      } catch {
        // as a finally of the program would
      }
    }
    try {
      write(2, chunk(1));
    } catch {
      // the same
    }
  });
  assert.deepEqual(
    posted.map((message) => (message.type === "end" ? message.end.status : message.type)),
    ["finished"],
  );
});

test("an interpreter that dies ends as crashed, with the steps that were sent", () => {
  const posted = run((write) => {
    write(2, chunk(3));
    write(2, chunk(4));
    throw new WebAssembly.RuntimeError("unreachable");
  });
  assert.deepEqual(posted.at(-1), {
    type: "end",
    run: 7,
    end: { status: "crashed", steps: 7, detail: "RuntimeError: unreachable" },
  });
});

test("what a dead interpreter had not sent is rescued before the end", () => {
  const posted = run(
    () => {
      throw new WebAssembly.RuntimeError("unreachable");
    },
    (write) => write(2, chunk(6)),
  );
  assert.deepEqual(
    posted.map((message) => (message.type === "end" ? message.end.steps : message.type)),
    ["chunk", 6],
  );
});

test("an interpreter that is past helping still ends as crashed", () => {
  const dies = () => {
    throw new RangeError("again");
  };
  assert.equal(run(dies, dies).length, 1);
});

test("a run that comes back without an end is a crash, not silence", () => {
  assert.equal(run(() => undefined).length, 1);
});

test("os._exit ends as exit, whatever Emscripten calls it", () => {
  assert.deepEqual(explain({ name: "ExitStatus", status: 3 }, 5, []), { status: "exit", steps: 5, code: 3 });
  assert.deepEqual(explain({ name: "Exit", status: 0 }, 5, []), { status: "exit", steps: 5, code: 0 });
});

test("what the interpreter said last is in the detail of its crash", () => {
  const end = explain(new Error("unreachable"), 0, ["Fatal Python error: oh"]);
  assert.deepEqual(end, { status: "crashed", steps: 0, detail: "Error: unreachable\nFatal Python error: oh" });
});

test("a program that used up the browser's stack is told from other crashes, in each engine's words", () => {
  for (const [name, message] of [
    ["RangeError", "Maximum call stack size exceeded"],
    ["InternalError", "too much recursion"],
  ] as const) {
    const end = explain({ name, message }, 7, ["Current thread (most recent call first):"]);
    assert.deepEqual(end, {
      status: "crashed",
      limit: "stack",
      steps: 7,
      detail: `the browser's stack is used up (${name}: ${message})`,
    });
  }
});

test("the device has no name and no number that counting finds, and copies what it is given", () => {
  const files = new FakeFiles();
  const device = openDevice(files as never);
  const received: number[][] = [];
  device.receive = (bytes) => received.push([...bytes]);
  const heap = new Int8Array([9, -1, 2, 9]);
  assert.equal(files.write(device.fd, heap, 1, 2), 2);
  heap.fill(0);
  assert.deepEqual(received, [[255, 2]]);
  assert.equal(files.unlinked, "/dev/tracepane");
  assert.ok(device.fd < -10_000_000);
  assert.equal(files.streams.length, 4);
  assert.equal(files.streams[3], null);
});

interface Operations {
  write(stream: unknown, heap: Int8Array, offset: number, length: number): number;
}

/** As much of Emscripten's FS as a device needs. */
class FakeFiles {
  streams: unknown[] = [{}, {}, {}];
  unlinked = "";
  #operations: Operations | undefined;

  makedev(major: number, minor: number): number {
    return major * 256 + minor;
  }

  registerDevice(_number: number, operations: Operations): void {
    this.#operations = operations;
  }

  mkdev(): void {}

  open(): { fd: number } {
    const stream = { fd: 3 };
    this.streams[3] = stream;
    return stream;
  }

  unlink(path: string): void {
    this.unlinked = path;
  }

  write(fd: number, heap: Int8Array, offset: number, length: number): number {
    assert.ok(this.streams[fd], "no such descriptor");
    return this.#operations!.write(this.streams[fd], heap, offset, length);
  }
}
