/** Messages between a page and its worker. Types only; both sides import nothing else of each other. */

/** A job document, as docs/reference/job.md describes it. The page passes it on unread. */
export type Job = Readonly<Record<string, unknown>>;

/** What is being waited for. `core`, `library` and `recorder` are fetched by the page; `start` is the interpreter's own start. */
export type BootPhase = "core" | "library" | "recorder" | "start";

export interface BootProgress {
  readonly phase: BootPhase;
  /** Bytes that have arrived and bytes expected, of all that is fetched, after decoding; `total` is 0 when it is not known. */
  readonly loaded: number;
  readonly total: number;
}

/** What an interpreter is made of. The page fetches it once and hands it to every worker: a later boot costs no request. */
export interface BootParts {
  readonly module: WebAssembly.Module;
  readonly library: ArrayBuffer;
  readonly recorder: ArrayBuffer;
  /** The memory of an interpreter of the same build that had just started, in the worker's own form; null when there is none. */
  readonly snapshot: ArrayBuffer | null;
}

/**
 * `load` makes the worker fetch its scripts (`core`: the absolute URL of pyodide/, with its slash), after which it never
 * asks for anything; `boot` starts the interpreter, and asks for its memory to be kept (`keep`); `run` uses it up.
 */
export type ToWorker =
  | { readonly type: "load"; readonly core: string; readonly build: string }
  | { readonly type: "boot"; readonly parts: BootParts; readonly keep: boolean }
  | { readonly type: "run"; readonly run: number; readonly job: Job; readonly record: boolean };

export type FromWorker =
  | { readonly type: "loaded" }
  | Ready
  | { readonly type: "bootFailed"; readonly failure: Failure }
  /** First message of a run: the trace's header. */
  | { readonly type: "header"; readonly run: number; readonly header: TraceHeader }
  /** The raw bytes of one chunk (docs/reference/trace-format.md), transferred. */
  | { readonly type: "chunk"; readonly run: number; readonly bytes: ArrayBuffer }
  /** Last message of a run; the interpreter is used up. */
  | { readonly type: "end"; readonly run: number; readonly end: TraceEnd };

export interface Ready {
  readonly type: "ready";
  readonly python: string;
  /** Whether the interpreter began with the parts' snapshot or from nothing. */
  readonly boot: "plain" | "snapshot";
  /** Why the parts' snapshot was of no use. */
  readonly refused?: string;
  /** Its memory, transferred, where it was to be kept and could be had. */
  readonly snapshot?: ArrayBuffer;
}

/** What could not be loaded or started, in parts so that the page can say it in its language. */
export interface Failure {
  /** `file`: the page was opened from disk (file://), where a browser starts no worker; it needs a web server. */
  readonly kind: "offline" | "missing" | "type" | "build" | "unsupported" | "file" | "timeout" | "crash";
  readonly url?: string;
  readonly detail: string;
}

export interface TraceHeader {
  readonly format: string;
  readonly features: readonly string[];
  readonly job: string;
  readonly runtime: Readonly<Record<string, string>>;
}

export type EndStatus = "finished" | "exception" | "exit" | "limit" | "stopped" | "input" | "crashed";

export interface TraceEnd {
  readonly status: EndStatus;
  readonly steps: number;
  /** An interpreter gives none: who keeps the trace works it out. */
  readonly digest?: string;
  readonly exception?: {
    readonly type: string;
    readonly message: string;
    readonly traceback: readonly {
      readonly file: string;
      readonly line: number;
      readonly function: string;
      readonly repeated?: number;
    }[];
  };
  readonly code?: number;
  readonly limit?: "steps" | "bytes" | "seconds" | "stack";
  readonly wall?: number;
  readonly detail?: string;
}
