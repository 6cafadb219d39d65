import assert from "node:assert/strict";
import { test } from "node:test";
import { packMemory, unpackMemory } from "../../site/src/worker/snapshot.ts";
import { BASE, FakeCache, type FakeWorker, Page, ZIP } from "./runtime-page.ts";

const MEMORY = Uint8Array.of(1, 2, 3, 4);
/** What the page calls it: the build, and the last eight bytes of the recorder, which are zero in a zip's end. */
const NAME = `${BASE}snapshot-release-0000000000000000`;

/** A page that has loaded and asked its first interpreter to start. */
async function booting(cache = new FakeCache()): Promise<{ page: Page; worker: FakeWorker }> {
  const page = new Page(BASE, cache);
  page.runtime.warm();
  await page.loadFirst();
  return { page, worker: page.workers[0]! };
}

const asked = ({ received }: FakeWorker) => {
  const message = received.at(-1)!;
  assert.ok(message.type === "boot");
  return { keep: message.keep, snapshot: message.parts.snapshot && [...new Uint8Array(message.parts.snapshot)] };
};

const bootingOf = (page: Page) => page.alive().find(({ last }) => last === "boot")!;

const keeping = (...names: string[]) => {
  const cache = new FakeCache();
  for (const name of names) cache.kept.set(name, MEMORY);
  return cache;
};

test("an interpreter that nobody waits for is asked for its memory, which is kept under this build's name", async () => {
  const { page, worker } = await booting();
  assert.deepEqual(asked(worker), { keep: true, snapshot: null });
  worker.ready({ snapshot: MEMORY.slice().buffer });
  await page.settle();
  assert.deepEqual([...page.cache.kept], [[NAME, MEMORY]]);
});

test("one that a run waits for is not", async () => {
  const page = new Page();
  page.run();
  await page.loadFirst();
  assert.deepEqual(asked(page.workers[0]!), { keep: false, snapshot: null });
});

test("the next interpreter starts from it, on this page and on the next visit", async () => {
  const { page, worker } = await booting();
  worker.ready({ snapshot: MEMORY.slice().buffer });
  await page.serve();
  page.run();
  page.pass(1_000);
  await page.settle();
  assert.deepEqual(asked(bootingOf(page)), { keep: false, snapshot: [1, 2, 3, 4] });
  assert.deepEqual(asked((await booting(page.cache)).worker).snapshot, [1, 2, 3, 4]);
});

test("what another build or another recorder kept is never served, and goes when this one keeps its own", async () => {
  const others = [`${BASE}snapshot-older-0000000000000000`, `${BASE}snapshot-release-0000000000000001`];
  const { page, worker } = await booting(keeping(...others));
  assert.equal(asked(worker).snapshot, null);
  worker.ready({ snapshot: MEMORY.slice().buffer });
  await page.settle();
  assert.deepEqual([...page.cache.kept.keys()], [NAME]);
});

test("what another site of the same origin keeps stays", async () => {
  const other = "https://site.test/another/assets/tracepane/3c4d/snapshot-release-0000000000000000";
  const { page, worker } = await booting(keeping(other));
  worker.ready({ snapshot: MEMORY.slice().buffer });
  await page.settle();
  assert.deepEqual([...page.cache.kept.keys()], [other, NAME]);
});

test("one that a worker refuses is not tried again, here or on the next visit", async () => {
  const { page, worker } = await booting(keeping(NAME));
  worker.ready({ boot: "plain", refused: "it is damaged" });
  await page.serve();
  page.run();
  page.pass(1_000);
  await page.settle();
  assert.deepEqual(asked(bootingOf(page)), { keep: true, snapshot: null });
  assert.deepEqual([...page.cache.kept], []);
});

test("one with which a worker dies is not tried again either", async () => {
  const { page, worker } = await booting(keeping(NAME));
  worker.send({ type: "bootFailed", failure: { kind: "crash", detail: "out of memory" } });
  await page.settle();
  assert.deepEqual([...page.cache.kept], []);
});

const broken = (method: "match" | "put" | "keys") =>
  Object.assign(new FakeCache(), { [method]: () => Promise.reject(new Error("QuotaExceededError")) });

for (const method of ["match", "put", "keys"] as const) {
  test(`a storage whose ${method} fails is as none`, async () => {
    const { page, worker } = await booting(broken(method));
    worker.ready({ snapshot: MEMORY.slice().buffer });
    await page.serve();
    page.run();
    assert.equal(page.running().length, 1);
  });
}

test("a storage that never answers holds nobody up", async () => {
  const silent = Object.assign(new FakeCache(), { match: () => new Promise(() => undefined) });
  const { page, worker } = await booting(silent as FakeCache);
  assert.equal(worker.last, "load");
  page.pass(5_000);
  await page.settle();
  assert.deepEqual(asked(worker), { keep: true, snapshot: null });
});

test("a page counts how its interpreters were started", async () => {
  const { page, worker } = await booting(keeping(NAME));
  worker.ready();
  await page.settle();
  assert.deepEqual(page.runtime.boots, { plain: 0, snapshot: 1 });
});

/** As a started interpreter's: some pages full, most of them empty, and a length that is no whole number of pages. */
function sampleMemory(): Uint8Array {
  const memory = new Uint8Array(10 * 4096 + 128);
  memory.set([1, 2, 3], 4095);
  memory.fill(7, 5 * 4096, 6 * 4096);
  memory[memory.length - 1] = 9;
  return memory;
}

test("a memory comes back as it was, and its empty pages cost nothing", () => {
  const packed = packMemory(sampleMemory());
  assert.equal(packed.byteLength, 16 + 4 * (4 + 4096));
  assert.deepEqual(unpackMemory(packed), sampleMemory());
});

test("a memory that lies at an odd place is packed as well", () => {
  const shifted = new Uint8Array(4097 + 1).subarray(1);
  shifted[4096] = 5;
  assert.deepEqual(unpackMemory(packMemory(shifted)), shifted);
});

test("every damaged bit and every cut is noticed", () => {
  const packed = new Uint8Array(packMemory(sampleMemory()));
  for (let bit = 0; bit < packed.length * 8; bit += 997) {
    const damaged = packed.slice();
    damaged[bit >> 3]! ^= 1 << (bit & 7);
    assert.throws(() => unpackMemory(damaged.buffer), /damaged|no snapshot/);
  }
  for (const length of [0, 1, 15, 16, 4096, packed.length - 4, packed.length - 1]) {
    assert.throws(() => unpackMemory(packed.slice(0, length).buffer), /damaged|no snapshot/);
  }
  assert.throws(() => unpackMemory(ZIP.slice().buffer), /damaged|no snapshot/);
});
