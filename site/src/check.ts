/** What `tracepane verify` drives in a browser: the page's own runtime, with its runs kept to be fetched by the driver. */
import type { BootProgress, Failure, Job, TraceEnd, TraceHeader } from "./protocol.ts";
import { openRuntime } from "./runtime/open.ts";
import type { RunHandle } from "./runtime.ts";

/** One run as the driver sees it, while it goes on and after. `sizes` are those of its chunks, in bytes. */
interface Kept {
  header: TraceHeader | null;
  end: TraceEnd | null;
  failure: Failure | null;
  sizes: number[];
  /** What the run was told: `waiting loading`, `waiting busy`, `started`. */
  events: string[];
}

const SLICE = 0x6000;

class Run {
  readonly kept: Kept = { header: null, end: null, failure: null, sizes: [], events: [] };
  readonly chunks: Uint8Array[] = [];
  readonly over: Promise<Kept>;
  handle!: RunHandle;

  constructor(start: (run: Run, settle: () => void) => void) {
    this.over = new Promise((resolve) => start(this, () => resolve(this.kept)));
  }
}

class Driver {
  readonly runtime = openRuntime(new URL(".", import.meta.url));
  readonly progress: BootProgress[] = [];
  readonly #runs: Run[] = [];

  constructor() {
    this.runtime.onprogress = (progress) => this.progress.push(progress);
  }

  /** Starts a run and gives its number. */
  begin(job: Job, recording: boolean): number {
    this.#runs.push(new Run((run, settle) => this.#start(run, settle, job, recording)));
    return this.#runs.length - 1;
  }

  /** What has arrived of a run by now. */
  look(number: number): Kept {
    return this.#find(number).kept;
  }

  /** Settles when the run is over. */
  wait(number: number): Promise<Kept> {
    return this.#find(number).over;
  }

  stop(number: number): void {
    this.#find(number).handle.stop();
  }

  /** The run's next chunks in base64, joined, until they hold `least` bytes; empty when there are no more. */
  take(number: number, least: number): string {
    const { chunks } = this.#find(number);
    const taken: Uint8Array[] = [];
    for (let size = 0; size < least && chunks.length > 0; ) {
      const chunk = chunks.shift()!;
      taken.push(chunk);
      size += chunk.length;
    }
    return encode(taken);
  }

  #find(number: number): Run {
    const run = this.#runs[number];
    if (run === undefined) throw new Error(`there is no run ${number}`);
    return run;
  }

  #start(run: Run, settle: () => void, job: Job, recording: boolean): void {
    const { kept } = run;
    run.handle = this.runtime.run(job, recording, {
      waiting: (reason) => kept.events.push(`waiting ${reason}`),
      started: () => kept.events.push("started"),
      header: (header) => {
        kept.header = header;
      },
      chunk: (bytes) => {
        kept.sizes.push(bytes.length);
        run.chunks.push(bytes);
      },
      end: (end) => {
        kept.end = end;
        settle();
      },
      failed: (failure) => {
        kept.failure = failure;
        settle();
      },
    });
  }
}

/** A slice is a multiple of three bytes, so that the pieces of base64 can be put one after the other. */
function encode(chunks: readonly Uint8Array[]): string {
  const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  let text = "";
  for (let start = 0; start < whole.length; start += SLICE) {
    text += btoa(String.fromCharCode(...whole.subarray(start, start + SLICE)));
  }
  return text;
}

Object.assign(globalThis, { tracepane: new Driver() });
