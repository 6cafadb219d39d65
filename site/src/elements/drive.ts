import type { Failure, Job, TraceEnd } from "../protocol.ts";
import { openRuntime } from "../runtime/open.ts";
import type { RunHandle } from "../runtime.ts";
import { digestOf } from "../trace/digest.ts";
import { isWhole } from "../trace/ending.ts";
import { Trace } from "../trace/trace.ts";
import type { Interpreters } from "./interpreters.ts";
import { fetchReference } from "./native-trace.ts";
import { FileError, type Scenario } from "./pane-file.ts";

/** The assets lie beside this script, whatever its name is after the build. */
const open = () => openRuntime(new URL(".", import.meta.url));

/** Fetches what a run will need, for a reader who seems to be about to start one. */
export function prepare(interpreters: Interpreters): void {
  interpreters.get(open).load();
}

/** What a run tells. After `ended` or `failed` it is silent, and from the moment that the pane drops it. */
export interface DriveListener {
  waiting(busy: boolean): void;
  started(): void;
  /** The trace that will grow. */
  opened(trace: Trace): void;
  grew(): void;
  ended(end: TraceEnd): void;
  failed(failure: Failure, what?: "job" | "reference"): void;
}

/** One request of the reader: from the pane's jobs to the end of a run, or of a recording that is replayed. */
export class Drive {
  readonly #listener: DriveListener;
  readonly #files: AbortController = new AbortController();
  #handle: RunHandle | null = null;
  #trace: Trace | null = null;
  #over = false;

  constructor(listener: DriveListener) {
    this.#listener = listener;
  }

  /** Runs a job. `typed` is the input that the reader gave to runs before. */
  run(interpreters: Interpreters, scenario: Scenario, record: boolean, typed: Typed | null): void {
    const job = typed ? addInput(scenario.job, typed) : scenario.job;
    this.#handle = interpreters.get(open).run(job, record, {
      waiting: (reason) => this.#tell(() => this.#listener.waiting(reason === "busy")),
      started: () => this.#tell(() => this.#listener.started()),
      header: (header) => this.#tell(() => this.#open(new Trace(header))),
      chunk: (bytes) => this.#tell(() => this.#take(bytes)),
      held: () => this.#trace?.held ?? 0,
      end: (end) => this.#tell(() => void this.#end(end, record)),
      failed: (failure) => this.#tell(() => this.#fail(failure)),
    });
  }

  /** Replays what was recorded natively. */
  async replay(url: string): Promise<void> {
    try {
      const trace = await fetchReference(url, this.#files.signal);
      this.#tell(() => {
        this.#listener.started();
        this.#open(trace);
        this.#listener.grew();
        this.#finish(() => this.#listener.ended(trace.end!));
      });
    } catch (error) {
      this.#tell(() => this.#fail(failureOf(error), "reference"));
    }
  }

  /** Ends the run now; it still tells its end. */
  stop(): void {
    this.#handle?.stop();
  }

  /** Ends the run without another word. */
  drop(): void {
    this.#over = true;
    this.#files.abort();
    this.#handle?.stop();
  }

  #open(trace: Trace): void {
    this.#trace = trace;
    this.#listener.opened(trace);
  }

  #take(bytes: Uint8Array): void {
    try {
      this.#trace?.append(bytes);
    } catch (error) {
      this.#break(error);
      return;
    }
    this.#listener.grew();
  }

  /**
   * Tells the end with the digest that an interpreter does not work out: a tenth of a second for a million steps, off the
   * page's thread. Without one, what was recorded is compared event by event.
   */
  async #end(end: TraceEnd, record: boolean): Promise<void> {
    const trace = record && isWhole(end) ? this.#trace : null;
    const digest = trace && (await digestOf(trace, end).catch(() => null));
    this.#tell(() => this.#close(digest ? { ...end, digest } : end));
  }

  #close(end: TraceEnd): void {
    try {
      this.#trace?.finish(end);
    } catch (error) {
      this.#break(error);
      return;
    }
    this.#finish(() => this.#listener.ended(this.#trace?.end ?? end));
  }

  /** A trace that cannot be read any further ends as if its interpreter had died; what was read stays. */
  #break(error: unknown): void {
    const end: TraceEnd = { status: "crashed", steps: this.#trace?.steps ?? 0, detail: String(error) };
    if (!this.#trace?.end) this.#trace?.finish(end);
    this.#finish(() => this.#listener.ended(end));
    this.#handle?.stop();
  }

  #fail(failure: Failure, what?: "job" | "reference"): void {
    this.#finish(() => this.#listener.failed(failure, what));
  }

  #finish(last: () => void): void {
    this.#over = true;
    last();
  }

  #tell(act: () => void): void {
    if (!this.#over) act();
  }
}

/** The reader's input: whole lines, and whether that was all. */
export interface Typed {
  readonly text: string;
  readonly closed: boolean;
}

/** The job with longer input (docs/reference/job.md). */
function addInput(job: Job, { text, closed }: Typed): Job {
  const stdin = (job["stdin"] ?? {}) as { text?: string };
  return { ...job, stdin: { ...stdin, text: (stdin.text ?? "") + text, closed } };
}

function failureOf(error: unknown): Failure {
  return error instanceof FileError ? error.failure : { kind: "crash", detail: String(error) };
}
