/** The digest of a trace, against that which the Python side wrote into the gold vectors. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { digestOf } from "../../site/src/trace/digest.ts";
import { Paging } from "../../site/src/trace/paging.ts";
import { Trace } from "../../site/src/trace/trace.ts";
import { withoutHashes } from "./hashes.ts";
import { randomRun, seeded } from "./random.ts";
import { HEADER, Recording } from "./recording.ts";

const FOLDER = new URL("../gold/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".trace"));
const read = (name: string) => readFileSync(new URL(name, FOLDER));

describe("the digest of a trace", () => {
  it("is that of its file, whatever its end was told before", async () => {
    assert.ok(FILES.length > 20);
    for (const name of FILES) {
      const trace = await Trace.parse(read(name));
      const { digest, wall: _wall, ...end } = trace.end!;
      assert.match(digest!, /^[0-9a-f]{64}$/);
      assert.equal(await digestOf(trace, end), digest, name);
      assert.notEqual(await digestOf(trace, { ...end, detail: "other" }), digest, name);
    }
  });

  it("is the same of pages that were put away, and leaves them there", async () => {
    const recording = randomRun(seeded(11), 4500, new Recording({ splice: true }));
    const kept = recording.trace();
    const paged = new Trace(HEADER, new Paging(0));
    for (const chunk of recording.chunks) paged.append(chunk);
    const end = { status: "finished", steps: recording.steps } as const;
    paged.finish(end);
    const { held } = paged;
    assert.equal(await digestOf(paged, end), await digestOf(kept, end));
    assert.equal(paged.held, held);
  });

  it("is not there where the browser lends no SHA-256, and such a page reads files all the same", async () => {
    const name = FILES[0]!;
    await withoutHashes(async () => {
      const trace = await Trace.parse(read(name));
      assert.equal(await digestOf(trace, trace.end!), null);
    });
  });
});
