/**
 * Starting an interpreter. `boot` is the seam: another way of starting (from a memory snapshot) is another function of
 * the same type, with this one to fall back to.
 */
import type { PyodideAPI } from "pyodide";
import type { BootParts } from "../protocol.ts";
import { openDevice } from "./device.ts";
import { limitMemory, lockScope } from "./lock.ts";

export interface Core {
  /** Absolute URL of pyodide/, with its slash. */
  readonly url: string;
  readonly loadPyodide: typeof import("pyodide").loadPyodide;
}

export interface Interpreter {
  readonly python: string;
  /** What the interpreter said of itself (not of the program), for the end of a crash. */
  readonly lastWords: readonly string[];
  /** Runs the job, and throws whatever ended it: it never returns normally after an end record. */
  run(job: string, record: boolean, receive: (bytes: Uint8Array) => void): void;
  /** Writes what was recorded when it died: Python's memory outlives its stack. May throw, or give nothing. */
  rescue(): void;
}

export type Boot = (core: Core, parts: BootParts) => Promise<Interpreter>;

const RECORDER = "/lib/tracepane/recorder.zip";
const LIBRARY = "tracepane:stdlib.zip";

/** Whose lock file it would be; the build puts it in. No packages are installed, so there is nothing else in one. */
declare const __TRACEPANE_CORE__: object;

interface Entry {
  boot(): string;
  run(job: string, fd: number, record: boolean): void;
  rescue(): void;
}

export const boot: Boot = async (core, parts) => {
  const lastWords: string[] = [];
  const pyodide = await startPyodide(core, parts, lastWords);
  pyodide.FS.mkdirTree("/lib/tracepane");
  pyodide.FS.writeFile(RECORDER, new Uint8Array(parts.recorder));
  const device = openDevice(pyodide.FS);
  const entry = importEntry(pyodide);
  const python = entry.boot();
  limitMemory();
  lockScope(self);
  return {
    python,
    lastWords,
    run(job, record, receive) {
      device.receive = receive;
      entry.run(job, device.fd, record);
    },
    rescue: () => entry.rescue(),
  };
};

function importEntry(pyodide: PyodideAPI): Entry {
  const sys = pyodide.pyimport("sys");
  sys.path.insert(0, RECORDER);
  sys.destroy();
  // Kept as two proxies: the module itself would be one more road back.
  const module = pyodide.pyimport("tracepane.record._platform.browser");
  const entry: Entry = { boot: module.boot.copy(), run: module.run.copy(), rescue: module.rescue.copy() };
  module.destroy();
  return entry;
}

async function startPyodide(core: Core, parts: BootParts, lastWords: string[]): Promise<PyodideAPI> {
  const restore = answerFromParts(parts);
  try {
    return await core.loadPyodide({
      indexURL: core.url,
      stdLibURL: LIBRARY,
      lockFileContents: { info: __TRACEPANE_CORE__, packages: {} } as never,
      packageBaseUrl: core.url,
      jsglobals: Object.create(null),
      env: { PYTHONHASHSEED: "0", HOME: "/tmp" },
      stdin: () => null,
      stdout: () => undefined,
      stderr: (line) => lastWords.push(line),
    });
  } finally {
    restore();
  }
}

/**
 * While Pyodide starts, what it fetches comes from the parts that the page handed over: the library as bytes, the core as
 * a module that is compiled already. There is no option for either.
 */
function answerFromParts(parts: BootParts): () => void {
  const scope = self as { fetch: unknown };
  const [fetch, stream] = [scope.fetch, WebAssembly.instantiateStreaming];
  scope.fetch = async (url: RequestInfo | URL) => {
    if (String(url).endsWith(LIBRARY)) return new Response(parts.library);
    if (String(url).endsWith(".wasm")) return new Response();
    throw new TypeError(`an interpreter asks for nothing: ${url}`);
  };
  WebAssembly.instantiateStreaming = async (_source, imports) => {
    const instance = await WebAssembly.instantiate(parts.module, imports);
    return { instance, module: parts.module };
  };
  return () => {
    scope.fetch = fetch;
    WebAssembly.instantiateStreaming = stream;
  };
}
