/** Fetches what an interpreter is made of: once for a page, with progress in bytes. */
import type { BootParts, BootProgress } from "../protocol.ts";
import { type Fetch, fetchPart, LoadError } from "./failure.ts";

export type Compile = (bytes: Uint8Array<ArrayBuffer>) => Promise<WebAssembly.Module>;

export interface PartSizes {
  readonly core: number;
  readonly library: number;
}

export interface PartsOptions {
  /** Absolute URL of the assets' folder, with its slash. */
  readonly base: string;
  readonly fetch: Fetch;
  readonly compile: Compile;
  readonly sizes: PartSizes;
  readonly signal: AbortSignal;
  readonly report: (progress: BootProgress) => void;
  /** What is kept on this device of an earlier boot with this recorder. Never rejects. */
  readonly recall: (recorder: ArrayBuffer) => Promise<ArrayBuffer | null>;
}

type Phase = "core" | "library" | "recorder";

const FILES: Record<Phase, string> = {
  core: "pyodide/pyodide.asm.wasm",
  library: "stdlib.zip",
  recorder: "recorder.zip",
};

/** Throws LoadError when a part is missing, cannot be reached, or is not what its name says. */
export async function fetchParts(options: PartsOptions): Promise<BootParts> {
  const count = countBytes(options);
  const read = (phase: Phase) => readPart(options, phase, count);
  const [core, library, [recorder, snapshot]] = await Promise.all([
    read("core"),
    read("library"),
    read("recorder").then(async ({ buffer }) => [buffer, await options.recall(buffer)] as const),
  ]);
  expectZip(options.base + FILES.library, library);
  expectZip(options.base + FILES.recorder, new Uint8Array(recorder));
  return { module: await compileCore(options, core), library: library.buffer, recorder, snapshot };
}

type Count = (phase: Phase, bytes: number, done: boolean) => void;

/** All parts come at once; the phase named is the first one that is not there yet. */
function countBytes(options: PartsOptions): Count {
  const left: Phase[] = ["core", "library", "recorder"];
  const total = options.sizes.core + options.sizes.library;
  let loaded = 0;
  return (phase, bytes, done) => {
    loaded += bytes;
    if (done) left.splice(left.indexOf(phase), 1);
    options.report({ phase: left[0] ?? "start", loaded, total: total === 0 ? 0 : Math.max(total, loaded) });
  };
}

async function readPart(options: PartsOptions, phase: Phase, count: Count): Promise<Uint8Array<ArrayBuffer>> {
  const url = options.base + FILES[phase];
  const response = await fetchPart(options.fetch, url, options.signal);
  const pieces: Uint8Array[] = [];
  try {
    for (const reader = response.body!.getReader(); ; ) {
      const { done, value } = await reader.read();
      count(phase, value?.length ?? 0, done);
      if (done) return join(pieces);
      pieces.push(value);
    }
  } catch (error) {
    throw new LoadError({ kind: "offline", url, detail: `the connection broke off: ${String(error)}` });
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Bytes of a zip's last record, which ends it as long as there is no comment; our zips have none. */
const ZIP_END = 22;

/** A file that a cache or a server cut short arrives without an error, and Python would fail with words that help nobody. */
function expectZip(url: string, bytes: Uint8Array): void {
  const at = (start: number, length: number) => String.fromCharCode(...bytes.subarray(start, start + length));
  if (at(0, 2) !== "PK") throw new LoadError({ kind: "type", url, detail: "what the server sent is not a zip file" });
  if (at(bytes.length - ZIP_END, 4) !== "PK\x05\x06")
    throw new LoadError({ kind: "offline", url, detail: `it was cut off after ${bytes.length} bytes` });
}

/** From the bytes, so that a server which gives .wasm another type does no harm. */
async function compileCore(options: PartsOptions, bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  const url = options.base + FILES.core;
  try {
    return await options.compile(bytes);
  } catch (error) {
    // A policy without 'wasm-unsafe-eval' refuses by a CompileError too.
    const refused = /Content Security Policy/i.test(String(error));
    if (refused) throw new LoadError({ kind: "unsupported", url, detail: String(error) });
    throw new LoadError({ kind: "type", url, detail: `what the server sent is not WebAssembly: ${String(error)}` });
  }
}
