/** One worker as the page sees it: it loads, boots, runs once, and is dead. */
import type { BootParts, Failure, FromWorker, Job, Ready, ToWorker, TraceEnd, TraceHeader } from "../protocol.ts";

/** What the page needs of a Worker; tests give one of their own. */
export interface WorkerLike {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** `loading` its scripts, `spare` (loaded, no interpreter yet), `booting`, `ready`, `running`, `dead`. */
export type InterpreterState = "loading" | "spare" | "booting" | "ready" | "running" | "dead";

export interface RunListener {
  header(header: TraceHeader): void;
  chunk(bytes: Uint8Array): void;
  end(end: TraceEnd): void;
}

export interface InterpreterOptions {
  /** Absolute URL of pyodide/, with its slash. */
  readonly core: string;
  readonly build: string;
  /** Called after every change of state but death. */
  readonly changed: () => void;
  /** Called once when it has started, before `changed`. */
  readonly started: (ready: Ready) => void;
  /** Called once when it cannot load or boot; it is dead then. `script` says that the worker's own script did not start. */
  readonly failed: (failure: Failure, script: boolean) => void;
}

export class Interpreter {
  state: InterpreterState = "loading";
  python = "";
  /** Steps that have arrived of its run. */
  steps = 0;
  #run = 0;
  #listener: RunListener | null = null;

  constructor(
    private readonly worker: WorkerLike,
    private readonly options: InterpreterOptions,
  ) {
    worker.onmessage = (event) => this.#receive(event.data);
    worker.onerror = (event) => this.#break(event);
    worker.postMessage({ type: "load", core: options.core, build: options.build });
  }

  boot(parts: BootParts, keep: boolean): void {
    this.state = "booting";
    this.worker.postMessage({ type: "boot", parts, keep });
  }

  run(run: number, job: Job, record: boolean, listener: RunListener): void {
    this.state = "running";
    this.#run = run;
    this.#listener = listener;
    this.worker.postMessage({ type: "run", run, job, record });
  }

  /** Ends the run from outside, with what has arrived so far; nothing of it is heard after. */
  end(end: TraceEnd): void {
    const listener = this.#listener;
    this.terminate();
    listener?.end(end);
  }

  terminate(): void {
    this.state = "dead";
    this.#listener = null;
    this.worker.onmessage = null;
    this.worker.onerror = null;
    this.worker.terminate();
  }

  #receive(message: FromWorker): void {
    if (message.type === "bootFailed") this.#fail(message.failure, false);
    else if (message.type === "loaded") this.#become("spare");
    else if (message.type === "ready") {
      this.python = message.python;
      this.options.started(message);
      this.#become("ready");
    } else if (message.run === this.#run && this.#listener !== null) this.#hear(message, this.#listener);
  }

  #hear(message: FromWorker & { run: number }, listener: RunListener): void {
    if (message.type === "header") listener.header(message.header);
    else if (message.type === "end") this.end(message.end);
    else if (message.type === "chunk") {
      this.steps += countSteps(message.bytes);
      listener.chunk(new Uint8Array(message.bytes));
    }
  }

  #become(state: InterpreterState): void {
    this.state = state;
    this.options.changed();
  }

  #break(event: ErrorEvent): void {
    event.preventDefault?.();
    const detail = event.message || "the worker's script did not start";
    if (this.state === "running") this.end({ status: "crashed", steps: this.steps, detail });
    else this.#fail({ kind: "crash", detail }, this.state === "loading");
  }

  #fail(failure: Failure, script: boolean): void {
    if (this.state === "running") {
      this.end({ status: "crashed", steps: this.steps, detail: failure.detail });
      return;
    }
    this.terminate();
    this.options.failed(failure, script);
  }
}

/** The first table of a chunk is that of the events, number 0, if there are any; before its rows stands how many. */
function countSteps(chunk: ArrayBuffer): number {
  const view = new DataView(chunk);
  return view.byteLength < 6 || view.getUint8(0) !== 0 ? 0 : view.getUint32(2, true);
}
