/** What `tracepane verify` drives in a browser: the page's own runtime, with its runs kept to be fetched by the driver. */
import type { BootProgress, Failure, Job, TraceEnd, TraceHeader } from "./protocol.ts";
import { openRuntime } from "./runtime/open.ts";
import type { RunHandle } from "./runtime.ts";

/** One run as the driver sees it. `sizes` are those of its chunks, in bytes. */
interface Kept {
  header: TraceHeader | null;
  end: TraceEnd | null;
  failure: Failure | null;
  sizes: number[];
  waits: string[];
}

const SLICE = 0x6000;

class Driver {
  readonly runtime = openRuntime(new URL(".", import.meta.url));
  readonly progress: BootProgress[] = [];
  #chunks: Uint8Array[] = [];
  #handle: RunHandle | null = null;

  constructor() {
    this.runtime.onprogress = (progress) => this.progress.push(progress);
  }

  /** Settles when the run has ended; its chunks are fetched after, with `take`. */
  record(job: Job, recording: boolean): Promise<Kept> {
    const kept: Kept = { header: null, end: null, failure: null, sizes: [], waits: [] };
    this.#chunks = [];
    return new Promise((settle) => {
      this.#handle = this.runtime.run(job, recording, {
        waiting: (reason) => kept.waits.push(reason),
        header: (header) => {
          kept.header = header;
        },
        chunk: (bytes) => {
          kept.sizes.push(bytes.length);
          this.#chunks.push(bytes);
        },
        end: (end) => settle({ ...kept, end }),
        failed: (failure) => settle({ ...kept, failure }),
      });
    });
  }

  stop(): void {
    this.#handle?.stop();
  }

  /** The next chunks in base64, joined, until they hold `least` bytes; empty when there are no more. */
  take(least: number): string {
    const taken: Uint8Array[] = [];
    for (let size = 0; size < least && this.#chunks.length > 0; ) {
      const chunk = this.#chunks.shift()!;
      taken.push(chunk);
      size += chunk.length;
    }
    return encode(taken);
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
