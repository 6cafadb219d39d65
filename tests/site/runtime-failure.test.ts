import assert from "node:assert/strict";
import { test } from "node:test";
import type { Failure } from "../../site/src/protocol.ts";
import { BASE, Page, warmPage } from "./runtime-page.ts";

type Prepare = (page: Page) => void;

/** The failure that a run on a page with this fault is told. */
async function fail(
  prepare: Prepare,
  act: (page: Page) => void = () => undefined,
  base = BASE,
): Promise<Failure | null> {
  const page = new Page(base);
  prepare(page);
  const told = page.run();
  await page.settle();
  act(page);
  await page.settle();
  return told.failure;
}

const sends = (text: string, type: string) => () => new Response(text, { headers: { "content-type": type } });

test("a part that cannot be reached: offline, with its address", async () => {
  const failure = await fail((page) =>
    page.answers.set("stdlib.zip", () => {
      throw new TypeError("Failed to fetch");
    }),
  );
  assert.deepEqual(failure, { kind: "offline", url: `${BASE}stdlib.zip`, detail: "TypeError: Failed to fetch" });
});

test("a connection that breaks off in the middle: offline, with its address", async () => {
  const body = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(2));
        controller.error(new TypeError("network error"));
      },
    });
  const failure = await fail((page) => page.answers.set("stdlib.zip", () => new Response(body())));
  assert.equal(failure?.kind, "offline");
  assert.equal(failure?.url, `${BASE}stdlib.zip`);
});

test("a part that is not there: missing, with the status", async () => {
  const failure = await fail((page) => page.answers.delete("recorder.zip"));
  assert.deepEqual(failure, { kind: "missing", url: `${BASE}recorder.zip`, detail: "404 Not Found" });
});

test("a page in place of the core, as single page servers send: type", async () => {
  const failure = await fail((page) =>
    page.answers.set("pyodide/pyodide.asm.wasm", sends("<!doctype html>", "text/html")),
  );
  assert.equal(failure?.kind, "type");
  assert.match(failure?.detail ?? "", /not WebAssembly/);
});

test("a page in place of the library: type", async () => {
  const failure = await fail((page) => page.answers.set("stdlib.zip", sends("<!doctype html>", "text/html")));
  assert.deepEqual(failure, {
    kind: "type",
    url: `${BASE}stdlib.zip`,
    detail: "what the server sent is not a zip file",
  });
});

test("a library that was cut off without an error: offline, with what has come", async () => {
  const failure = await fail((page) => page.answers.set("stdlib.zip", sends("PK and", "application/zip")));
  assert.deepEqual(failure, { kind: "offline", url: `${BASE}stdlib.zip`, detail: "it was cut off after 6 bytes" });
});

test("parts that boot no interpreter are fetched anew by the next run", async () => {
  const page = new Page();
  const told = page.run();
  await page.loadFirst();
  page.workers[0]!.send({ type: "bootFailed", failure: { kind: "crash", detail: "ErrnoError: errno 44" } });
  for (const worker of page.alive()) worker.send({ type: "bootFailed", failure: { kind: "crash", detail: "as well" } });
  await page.settle();
  assert.equal(told.failure?.kind, "crash");
  const again = page.run();
  await page.serve();
  assert.equal(page.asked.filter((name) => name === "stdlib.zip").length, 2);
  assert.deepEqual(again.events.at(-1), "started");
});

test("a core of the wrong type boots all the same", async () => {
  const page = new Page();
  const right = page.answers.get("pyodide/pyodide.asm.wasm")!;
  page.answers.set("pyodide/pyodide.asm.wasm", async () => {
    return new Response(await (await right()).arrayBuffer(), {
      headers: { "content-type": "application/octet-stream" },
    });
  });
  const told = page.run();
  await page.serve();
  assert.deepEqual(told.events, ["waiting loading", "started"]);
});

test("a worker script of the wrong type: the failure names file and type", async () => {
  const wrong: Prepare = (page) => page.answers.set("worker.js", sends("", "text/plain"));
  const failure = await fail(wrong, (page) => page.workers[0]!.break());
  assert.deepEqual(failure, {
    kind: "type",
    url: `${BASE}worker.js`,
    detail: "served as text/plain; a module needs text/javascript",
  });
});

test("a core script of the wrong type: the failure names file and type", async () => {
  const wrong: Prepare = (page) => page.answers.set("pyodide/pyodide.mjs", sends("", "application/octet-stream"));
  const failure = await fail(wrong, (page) =>
    page.workers[0]!.send({
      type: "bootFailed",
      failure: {
        kind: "missing",
        url: `${BASE}pyodide/pyodide.mjs`,
        detail: "Failed to fetch dynamically imported module",
      },
    }),
  );
  assert.equal(failure?.kind, "type");
  assert.match(failure?.detail ?? "", /served as application\/octet-stream/);
});

test("a worker script that is not there: missing", async () => {
  const failure = await fail(
    (page) => page.answers.delete("worker.js"),
    (page) => page.workers[0]!.break(),
  );
  assert.deepEqual(failure, { kind: "missing", url: `${BASE}worker.js`, detail: "404 Not Found" });
});

test("a worker script that is there and well, but throws: crash, with what it said", async () => {
  const failure = await fail(
    () => undefined,
    (page) => page.workers[0]!.break("SyntaxError: oh"),
  );
  assert.deepEqual(failure, { kind: "crash", url: `${BASE}worker.js`, detail: "SyntaxError: oh" });
});

test("a worker of another release: build, and no server is asked why", async () => {
  const failure = await fail(
    () => undefined,
    (page) =>
      page.workers[0]!.send({ type: "bootFailed", failure: { kind: "build", detail: "the page is of release 1" } }),
  );
  assert.deepEqual(failure, { kind: "build", detail: "the page is of release 1" });
});

test("a minute without a word: timeout, and the worker is ended", async () => {
  const page = new Page();
  page.answers.set("stdlib.zip", () => new Promise<Response>(() => undefined));
  const told = page.run();
  await page.settle();
  page.pass(59_999);
  assert.deepEqual(told.events, ["waiting loading"]);
  page.pass(1);
  assert.equal(told.failure?.kind, "timeout");
  assert.equal(page.alive().length, 0);
});

test("an interpreter that boots for a minute without a word: timeout", async () => {
  const page = new Page();
  const told = page.run();
  await page.loadFirst();
  page.pass(60_000);
  assert.equal(told.failure?.kind, "timeout");
});

test("a page opened from disk: file, whatever the browser says", async () => {
  const failure = await fail(
    (page) =>
      page.answers.set("pyodide/pyodide.asm.wasm", () => {
        throw new TypeError("Failed to fetch");
      }),
    () => undefined,
    "file:///home/reader/site/assets/",
  );
  assert.equal(failure?.kind, "file");
});

for (const name of ["Worker", "WebAssembly"]) {
  test(`a browser without ${name}: unsupported, at once and without a request`, async () => {
    const page = new Page();
    page.scope[name] = undefined;
    const told = page.run();
    assert.deepEqual(told.failure, { kind: "unsupported", detail: `this browser has no ${name}` });
    assert.deepEqual(page.asked, []);
  });
}

test("every run that waits is told of the failure, once", async () => {
  const page = new Page();
  page.answers.delete("stdlib.zip");
  const runs = [page.run(), page.run(), page.run()];
  await page.serve();
  assert.deepEqual(
    runs.map(({ events }) => events.at(-1)),
    ["failed missing", "failed missing", "failed missing"],
  );
});

test("a retry begins from nothing and works when the fault is gone", async () => {
  const page = new Page();
  const library = page.answers.get("stdlib.zip")!;
  page.answers.delete("stdlib.zip");
  assert.equal(await page.run().failure, null);
  await page.serve();
  page.answers.set("stdlib.zip", library);
  const again = page.run();
  await page.serve();
  assert.deepEqual(again.events, ["waiting loading", "started"]);
});

test("a spare that does not load does no harm to the interpreter that is there", async () => {
  const page = new Page();
  page.runtime.warm();
  await page.loadFirst();
  page.workers[1]!.break();
  page.workers[2]!.break();
  page.workers[0]!.ready();
  await page.settle();
  assert.deepEqual(page.runtime.census, { ready: 1 });
  const told = page.run();
  assert.deepEqual(told.events, ["started"]);
});

test("a failure during a run leaves that run alone", async () => {
  const page = await warmPage();
  const first = page.run();
  page.run();
  await page.settle();
  const booting = page.alive().find((worker) => worker.last === "boot");
  booting!.send({ type: "bootFailed", failure: { kind: "crash", detail: "no memory" } });
  await page.settle();
  assert.deepEqual(first.events, ["started"]);
  assert.equal(page.running().length, 1);
});
