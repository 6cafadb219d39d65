import assert from "node:assert/strict";
import { test } from "node:test";
import { BASE, chunkOf, Page, warmPage, ZIP } from "./runtime-page.ts";

const PARTS = ["pyodide/pyodide.asm.wasm", "recorder.zip", "stdlib.zip"];

test("a page that only looks costs no worker and no request", async () => {
  const page = new Page();
  await page.settle();
  assert.deepEqual([page.workers.length, page.asked], [0, []]);
});

test("warming fetches each part once and keeps one interpreter warm and two spares", async () => {
  const page = await warmPage();
  page.runtime.warm();
  await page.serve();
  assert.deepEqual(page.asked.sort(), PARTS);
  assert.deepEqual(page.runtime.census, { ready: 1, spare: 2 });
});

test("loading fetches each part once and makes no worker; the run that follows asks for nothing", async () => {
  const page = new Page();
  page.runtime.load();
  page.runtime.load();
  await page.settle();
  assert.deepEqual([page.workers.length, page.asked.sort()], [0, PARTS]);
  page.run();
  await page.serve();
  assert.deepEqual([page.running().length, page.asked.sort()], [1, PARTS]);
});

test("loading that fails bothers nobody, and a run tries again", async () => {
  const page = new Page();
  const answer = page.answers.get("stdlib.zip")!;
  page.answers.delete("stdlib.zip");
  page.runtime.load();
  await page.settle();
  page.answers.set("stdlib.zip", answer);
  const told = page.run();
  await page.serve();
  assert.deepEqual(told.events, ["waiting loading", "started"]);
});

test("nothing is loaded for a pane that is pointed at while a program runs", async () => {
  const page = await warmPage();
  page.run();
  const before = page.asked.length;
  page.runtime.load();
  await page.settle();
  assert.equal(page.asked.length, before);
});

test("the first worker loads alone, so that it has the line to itself", async () => {
  const page = new Page();
  page.runtime.warm();
  await page.settle();
  assert.deepEqual(page.runtime.census, { loading: 1 });
});

test("progress counts all bytes and names the phase that is waited for", async () => {
  const page = await warmPage();
  const last = page.progress.at(-1)!;
  assert.deepEqual(last, { phase: "start", loaded: 8 + 2 * ZIP.length, total: 8 + 2 * ZIP.length });
  const loaded = page.progress.map((progress) => progress.loaded);
  assert.deepEqual(
    loaded,
    [...loaded].sort((a, b) => a - b),
  );
});

test("a run on a warm page starts at once and is told everything in order", async () => {
  const page = await warmPage();
  const told = page.run();
  const [worker] = page.running();
  const header = { format: "tracepane-trace/1", features: [], job: "", runtime: {} };
  worker!.send({ type: "header", run: 1, header });
  worker!.send({ type: "chunk", run: 1, bytes: chunkOf(3) });
  worker!.send({ type: "end", run: 1, end: { status: "finished", steps: 3, digest: "d" } });
  assert.deepEqual(told.events, ["started", "header", "chunk", "end finished"]);
  assert.deepEqual(told.chunks, [[0, 0, 3, 0, 0, 0, 0, 0, 0]]);
  assert.equal(told.end?.digest, "d");
});

test("an interpreter is used for one run and then ended", async () => {
  const page = await warmPage();
  page.run();
  const [first] = page.running();
  first!.send({ type: "end", run: 1, end: { status: "finished", steps: 0 } });
  assert.equal(first!.terminated, true);
  await page.serve();
  page.run();
  assert.notEqual(page.running()[0], first);
});

test("a run that is pressed before anything is there waits, says so, and then starts", async () => {
  const page = new Page();
  const told = page.run();
  await page.serve();
  assert.deepEqual(told.events, ["waiting loading", "started"]);
});

test("no worker is made and nothing is fetched while a program runs", async () => {
  const page = await warmPage();
  page.run();
  const [before, asked] = [page.workers.length, page.asked.length];
  page.pass(1_500);
  await page.serve();
  assert.deepEqual([page.workers.length, page.asked.length], [before, asked]);
});

test("a spare that still loads when a run starts is given up, not left to ask", async () => {
  const page = new Page();
  page.run();
  await page.loadFirst();
  assert.deepEqual(page.runtime.census, { booting: 1, loading: 2 });
  page.workers[0]!.ready();
  assert.deepEqual(page.runtime.census, { running: 1 });
  assert.equal(page.alive().length, 1);
});

test("while someone waits no second interpreter starts beside the first; one does when the run is over", async () => {
  const page = new Page();
  page.run();
  await page.loadFirst();
  page.workers[1]!.send({ type: "loaded" });
  assert.deepEqual(page.runtime.census, { booting: 1, spare: 1, loading: 1 });
  page.workers[0]!.ready();
  page.workers[0]!.send({ type: "end", run: 1, end: { status: "finished", steps: 0 } });
  assert.equal(page.runtime.census["booting"], 1);
});

test("a program that runs for a second gets its successor warmed beside it", async () => {
  const page = await warmPage();
  page.run();
  await page.serve();
  assert.deepEqual(page.runtime.census, { running: 1, spare: 2 });
  page.pass(1_000);
  await page.serve();
  assert.deepEqual(page.runtime.census, { running: 1, ready: 1, spare: 1 });
});

test("two runs go at once; a third says that it waits and starts when one ends", async () => {
  const page = await warmPage();
  page.run();
  page.run();
  await page.serve();
  const third = page.run();
  await page.serve();
  assert.equal(page.running().length, 2);
  assert.deepEqual(third.events, ["waiting busy"]);
  page.running()[0]!.send({ type: "end", run: 1, end: { status: "finished", steps: 0 } });
  await page.serve();
  assert.equal(page.running().length, 2);
  assert.deepEqual(third.events.at(-1), "started");
});

test("there are never more than two interpreters, however often someone presses", async () => {
  const page = await warmPage();
  for (let press = 0; press < 8; press += 1) {
    page.run();
    page.pass(400);
    await page.serve();
    const { booting = 0, ready = 0, running = 0 } = page.runtime.census;
    assert.ok(booting + ready + running <= 2);
  }
  for (let turn = 0; turn < 8; turn += 1) {
    for (const worker of page.running()) {
      const run = worker.received.at(-1)!;
      worker.send({ type: "end", run: run.type === "run" ? run.run : 0, end: { status: "finished", steps: 0 } });
    }
    await page.serve();
  }
  assert.deepEqual(page.runtime.census, { ready: 1, spare: 2 });
});

test("stop ends a run at once, keeps its steps, and nothing of it is heard after", async () => {
  const page = await warmPage();
  const told = page.run();
  const [worker] = page.running();
  worker!.send({ type: "chunk", run: 1, bytes: chunkOf(5) });
  worker!.send({ type: "chunk", run: 1, bytes: chunkOf(2) });
  const late = worker!.onmessage!;
  told.handle.stop();
  late({ data: { type: "chunk", run: 1, bytes: chunkOf(1) } } as MessageEvent);
  told.handle.stop();
  assert.deepEqual(told.end, { status: "stopped", steps: 7 });
  assert.deepEqual(told.events, ["started", "chunk", "chunk", "end stopped"]);
  assert.equal(worker!.terminated, true);
});

test("a message of an older run is dropped", async () => {
  const page = await warmPage();
  const told = page.run();
  page.running()[0]!.send({ type: "end", run: 99, end: { status: "finished", steps: 0 } });
  assert.equal(told.end, null);
});

test("stopping a run that waits ends it without an interpreter", async () => {
  const page = new Page();
  const told = page.run();
  told.handle.stop();
  await page.serve();
  assert.deepEqual(told.events, ["waiting loading", "end stopped"]);
  assert.equal(page.running().length, 0);
});

test("a program that is stuck in C is ended by the page, as a limit of seconds", async () => {
  const page = await warmPage();
  const told = page.run();
  page.running()[0]!.send({ type: "chunk", run: 1, bytes: chunkOf(4) });
  page.pass(4_999);
  assert.equal(told.end, null);
  page.pass(1);
  assert.deepEqual(told.end, { status: "limit", limit: "seconds", steps: 4 });
});

test("a trace that outgrows what the page can hold is ended as a limit of bytes, with what has come", async () => {
  const page = await warmPage();
  const told = page.run();
  const [worker] = page.running();
  worker!.send({ type: "chunk", run: 1, bytes: chunkOf(900) });
  assert.equal(told.end, null);
  worker!.send({ type: "chunk", run: 1, bytes: chunkOf(100) });
  assert.deepEqual(told.end, { status: "limit", limit: "bytes", steps: 1000 });
  assert.equal(worker!.terminated, true);
});

test("a trace that takes more memory than its chunks have bytes, or less, is ended by what it takes", async () => {
  const page = await warmPage();
  let held = 999;
  const told = page.run(true, { held: () => held });
  const [worker] = page.running();
  worker!.send({ type: "chunk", run: 1, bytes: chunkOf(1100) });
  assert.equal(told.end, null);
  held = 1001;
  worker!.send({ type: "chunk", run: 1, bytes: chunkOf(1) });
  assert.deepEqual(told.end, { status: "limit", limit: "bytes", steps: 1101 });
});

test("a run that ends in time leaves no timer behind", async () => {
  const page = await warmPage();
  const told = page.run();
  page.running()[0]!.send({ type: "end", run: 1, end: { status: "finished", steps: 0 } });
  await page.serve();
  page.run();
  page.pass(4_900);
  assert.deepEqual(told.events, ["started", "end finished"]);
  assert.equal(page.running().length, 1);
});

test("a worker that dies during a run ends it as crashed, and a new one takes its place", async () => {
  const page = await warmPage();
  const told = page.run();
  page.running()[0]!.send({ type: "chunk", run: 1, bytes: chunkOf(2) });
  page.running()[0]!.break("out of memory");
  await page.serve();
  assert.deepEqual(told.end, { status: "crashed", steps: 2, detail: "out of memory" });
  assert.deepEqual(page.runtime.census, { ready: 1, spare: 2 });
});

test("dispose ends every worker and every run, and nothing comes after", async () => {
  const page = await warmPage();
  const told = page.run();
  const waiting = [page.run(), page.run()];
  page.runtime.dispose();
  await page.serve();
  assert.deepEqual(
    [told, ...waiting].map(({ end }) => end?.status),
    ["stopped", "stopped", "stopped"],
  );
  assert.equal(page.alive().length, 0);
  assert.equal(page.run().failure?.kind, "crash");
  assert.equal(page.alive().length, 0);
});

test("dispose while the parts still come makes no worker afterwards", async () => {
  const page = new Page();
  page.run();
  page.runtime.dispose();
  await page.serve();
  assert.equal(page.alive().length, 0);
});

test("a callback that throws does not stop the pool", async () => {
  const page = await warmPage();
  page.runtime.run({}, true, {
    end: () => {
      throw new Error("the pane's own mistake");
    },
    failed: () => undefined,
  });
  assert.throws(
    () => page.running()[0]!.send({ type: "end", run: 1, end: { status: "finished", steps: 0 } }),
    /own mistake/,
  );
  await page.serve();
  assert.deepEqual(page.runtime.census, { ready: 1, spare: 2 });
});

test("every worker is told where the core lies, below the site's own base path", async () => {
  const page = await warmPage();
  assert.deepEqual(page.workers[0]!.received[0], { type: "load", core: `${BASE}pyodide/`, build: "release" });
});
