/** A page without a browser: workers, a server and a clock that the test moves. */
import type { BootProgress, Failure, FromWorker, Job, Ready, ToWorker, TraceEnd } from "../../site/src/protocol.ts";
import { type RunCallbacks, type RunHandle, Runtime, type WorkerLike } from "../../site/src/runtime.ts";

export const BASE = "https://site.test/some/repo/assets/tracepane/1a2b/";
export const JOB: Job = { format: "tracepane-job/1", limits: { seconds: 3 } };

/** The smallest module that compiles. */
const MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
/** The end of a zip as it always is; what is before it nobody looks at here. */
export const ZIP = new TextEncoder().encode(`PK and more PK\x05\x06${"\0".repeat(18)}`);

export class FakeWorker implements WorkerLike {
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  terminated = false;
  readonly received: ToWorker[] = [];

  postMessage(message: ToWorker): void {
    // As a browser would: what cannot be cloned is found out here.
    this.received.push(structuredClone(message));
  }

  terminate(): void {
    this.terminated = true;
  }

  send(message: FromWorker): void {
    this.onmessage?.({ data: message } as MessageEvent<FromWorker>);
  }

  /** It has started, from what it was given or from nothing. */
  ready(more: Partial<Ready> = {}): void {
    const { parts } = this.received.at(-1) as ToWorker & { type: "boot" };
    this.send({ type: "ready", python: "3.14.2", boot: parts.snapshot ? "snapshot" : "plain", ...more });
  }

  /** The worker's script did not load, or threw outside of any promise. */
  break(message = ""): void {
    this.onerror?.({ message, preventDefault: () => undefined } as ErrorEvent);
  }

  get last(): ToWorker["type"] | undefined {
    return this.received.at(-1)?.type;
  }
}

/** As much of a browser's cache as a shelf needs. */
export class FakeCache {
  readonly kept = new Map<string, Uint8Array<ArrayBuffer>>();

  async match(url: string): Promise<Response | undefined> {
    const found = this.kept.get(url);
    return found && new Response(found);
  }

  async put(url: string, response: Response): Promise<void> {
    this.kept.set(url, new Uint8Array(await response.arrayBuffer()));
  }

  async keys(): Promise<{ url: string }[]> {
    return [...this.kept.keys()].map((url) => ({ url }));
  }

  async delete(url: string): Promise<boolean> {
    return this.kept.delete(url);
  }
}

type Answer = () => Response | Promise<Response>;

export interface Told {
  readonly events: string[];
  readonly chunks: number[][];
  end: TraceEnd | null;
  failure: Failure | null;
}

export class Page {
  readonly workers: FakeWorker[] = [];
  readonly asked: string[] = [];
  readonly progress: BootProgress[] = [];
  readonly answers = new Map<string, Answer>();
  readonly scope: Record<string, unknown> = { Worker: 1, WebAssembly: 1, fetch: 1, ReadableStream: 1 };
  readonly runtime: Runtime;
  #timers = new Map<number, { at: number; act: () => void }>();
  #now = 0;
  #timer = 0;

  constructor(
    base = BASE,
    readonly cache = new FakeCache(),
  ) {
    const part = (bytes: Uint8Array, type: string) => () =>
      new Response(bytes.slice(), { headers: { "content-type": type } });
    this.answers.set("pyodide/pyodide.asm.wasm", part(MODULE, "application/wasm"));
    this.answers.set("stdlib.zip", part(ZIP, "application/zip"));
    this.answers.set("recorder.zip", part(ZIP, "application/zip"));
    this.answers.set("worker.js", part(ZIP, "text/javascript"));
    this.runtime = new Runtime({
      base,
      build: "release",
      most: 1000,
      sizes: { core: MODULE.length, library: ZIP.length },
      spawn: () => this.#spawn(),
      platform: {
        scope: this.scope,
        fetch: async (url) => this.#answer(url.slice(base.length)),
        // At once: a compiler's thread would answer at a time of its own.
        compile: async (bytes) => new WebAssembly.Module(bytes),
        openCache: async () => this.cache as unknown as Cache,
        digest: async (bytes) => bytes.slice(-8),
        setTimeout: (act, delay) => this.#setTimeout(act, delay),
        clearTimeout: (timer) => this.#timers.delete(timer),
      },
    });
    this.runtime.onprogress = (progress) => this.progress.push(progress);
  }

  /** Lets everything happen that needs no time and no worker. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Moves the clock and calls what is due. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
    for (const [timer, { at, act }] of [...this.#timers]) if (at <= this.#now && this.#timers.delete(timer)) act();
  }

  /** Lets the first worker load its scripts, after which it is asked to boot. */
  async loadFirst(): Promise<void> {
    await this.settle();
    this.workers[0]!.send({ type: "loaded" });
    await this.settle();
  }

  /** Answers for the workers: those that load have loaded, those that boot are ready. */
  async serve(): Promise<void> {
    for (let turn = 0; turn < 4; turn += 1) {
      await this.settle();
      for (const worker of this.alive()) {
        if (worker.last === "load") worker.send({ type: "loaded" });
        if (worker.last === "boot") worker.ready();
      }
    }
  }

  run(record = true, more: Partial<RunCallbacks> = {}): Told & { handle: RunHandle } {
    const told: Told = { events: [], chunks: [], end: null, failure: null };
    const handle = this.runtime.run(JOB, record, {
      waiting: (reason) => told.events.push(`waiting ${reason}`),
      started: () => told.events.push("started"),
      header: () => told.events.push("header"),
      chunk: (bytes) => {
        told.events.push("chunk");
        told.chunks.push([...bytes]);
      },
      end: (end) => {
        told.events.push(`end ${end.status}`);
        told.end = end;
      },
      failed: (failure) => {
        told.events.push(`failed ${failure.kind}`);
        told.failure = failure;
      },
      ...more,
    });
    return Object.assign(told, { handle });
  }

  alive(): FakeWorker[] {
    return this.workers.filter((worker) => !worker.terminated);
  }

  /** The workers that run a program now. */
  running(): FakeWorker[] {
    return this.alive().filter((worker) => worker.last === "run");
  }

  #spawn(): FakeWorker {
    const worker = new FakeWorker();
    this.workers.push(worker);
    return worker;
  }

  async #answer(name: string): Promise<Response> {
    this.asked.push(name);
    const answer = this.answers.get(name);
    return answer === undefined ? new Response("", { status: 404, statusText: "Not Found" }) : answer();
  }

  #setTimeout(act: () => void, delay: number): number {
    this.#timer += 1;
    this.#timers.set(this.#timer, { at: this.#now + delay, act });
    return this.#timer;
  }
}

/** A page whose first interpreter is warm and whose spares are there. */
export async function warmPage(): Promise<Page> {
  const page = new Page();
  page.runtime.warm();
  await page.serve();
  return page;
}

/** A chunk whose first table is said to hold so many events. */
export function chunkOf(events: number): ArrayBuffer {
  const chunk = new Uint8Array(6 + events);
  new DataView(chunk.buffer).setUint32(2, events, true);
  return chunk.buffer;
}
