/** Starts Pyodide from what the page handed over, asking for nothing. */
import type { PyodideAPI } from "pyodide";
import type { BootParts } from "../protocol.ts";

export interface Core {
  /** Absolute URL of pyodide/, with its slash. */
  readonly url: string;
  readonly loadPyodide: typeof import("pyodide").loadPyodide;
}

/** `restore`: a memory to begin with; `keep`: its own memory can be asked for. Both are options that Pyodide keeps to itself. */
export interface Start {
  readonly restore?: Uint8Array;
  readonly keep?: boolean;
  /** Is given what the interpreter says of itself. */
  readonly hear: (line: string) => void;
}

const LIBRARY = "tracepane:stdlib.zip";

/** Whose lock file it would be; the build puts it in. No packages are installed, so there is nothing else in one. */
declare const __TRACEPANE_CORE__: object;

export async function startPyodide(core: Core, parts: BootParts, start: Start): Promise<PyodideAPI> {
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
      stderr: start.hear,
      ...(start.restore ? { _loadSnapshot: start.restore } : {}),
      ...(start.keep ? { _makeSnapshot: true } : {}),
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
