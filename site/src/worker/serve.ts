/** Answers the page's messages: load, boot, run; each once and in this order. */
import type { Failure, FromWorker, ToWorker } from "../protocol.ts";
import type { Boot, Core, Interpreter } from "./boot.ts";
import { execute } from "./run.ts";

/** The release that this worker was built with; the build puts it in. */
declare const __TRACEPANE_RELEASE__: string;

export interface Port {
  postMessage(message: FromWorker, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToWorker>) => void): void;
}

export function serve(port: Port, boot: Boot, load: (core: string) => Promise<Core> = importCore): void {
  // Bound now: the worker's own postMessage is taken away when the interpreter is locked.
  const post = port.postMessage.bind(port) as Port["postMessage"];
  let core: Core | undefined;
  let interpreter: Interpreter | undefined;
  const answer = async (message: ToWorker): Promise<void> => {
    if (message.type === "load") {
      core = await loadCore(message, load);
      post({ type: "loaded" }, []);
    } else if (message.type === "boot") {
      if (core === undefined) throw new Error("boot came before load");
      interpreter = await boot(core, message.parts, message.keep);
      report(interpreter, post);
    } else if (interpreter !== undefined) {
      const used = interpreter;
      interpreter = undefined;
      execute(used, message, post);
    }
  };
  port.addEventListener("message", (event) => {
    answer(event.data).catch((error: unknown) => post({ type: "bootFailed", failure: describe(error) }, []));
  });
}

function report({ python, boot, refused, snapshot }: Interpreter, post: Port["postMessage"]): void {
  const more = { ...(refused === undefined ? {} : { refused }), ...(snapshot ? { snapshot } : {}) };
  post({ type: "ready", python, boot, ...more }, snapshot ? [snapshot] : []);
}

async function loadCore(message: ToWorker & { type: "load" }, load: (core: string) => Promise<Core>): Promise<Core> {
  if (message.build !== __TRACEPANE_RELEASE__) {
    throw new BootError({
      kind: "build",
      detail: `the page is of release ${message.build}, the worker of ${__TRACEPANE_RELEASE__}`,
    });
  }
  return load(message.core);
}

/** Both scripts are asked for now, so that nothing is asked for later: loadPyodide finds them in the module map. */
async function importCore(core: string): Promise<Core> {
  const [main] = await Promise.all([importScript(`${core}pyodide.mjs`), importScript(`${core}pyodide.asm.mjs`)]);
  return { url: core, loadPyodide: (main as Pick<Core, "loadPyodide">).loadPyodide };
}

async function importScript(url: string): Promise<unknown> {
  try {
    return await import(url);
  } catch (error) {
    // The browser does not tell why; the page asks once more and says.
    throw new BootError({ kind: "missing", url, detail: String(error) });
  }
}

class BootError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.detail);
  }
}

function describe(error: unknown): Failure {
  return error instanceof BootError ? error.failure : { kind: "crash", detail: wordsOf(error) };
}

/** Emscripten throws plain objects, too, which say no more than `[object Object]`. */
function wordsOf(error: unknown): string {
  if (error instanceof Error || typeof error !== "object" || error === null) return String(error);
  const { name = "Error", message, errno } = error as { name?: string; message?: string; errno?: number };
  return `${name}: ${message ?? (errno === undefined ? JSON.stringify(error) : `errno ${errno}`)}`;
}
