/**
 * The pool of a page's interpreters: at most two, one that runs and one that is warm, each used for one run.
 *
 * No worker is made while a program runs, because making one asks the server for its script. So the page keeps spares:
 * workers whose scripts are there, and which boot from bytes that the page already has.
 */
import type { BootParts, BootProgress, Failure, Job, Ready, TraceEnd, TraceHeader } from "./protocol.ts";
import { diagnoseScript, findMissingFeature, LoadError } from "./runtime/failure.ts";
import { Interpreter, type InterpreterState, type WorkerLike } from "./runtime/interpreter.ts";
import { fetchParts, type PartSizes } from "./runtime/parts.ts";
import { browserPlatform, type Platform } from "./runtime/platform.ts";
import { Shelf } from "./runtime/shelf.ts";

export type { WorkerLike } from "./runtime/interpreter.ts";

/** What a run tells its pane. After `end` or `failed` nothing more is said. */
export interface RunCallbacks {
  /** The run cannot start yet: the interpreter is still on its way (`loading`), or both interpreters run (`busy`). */
  waiting?(reason: "loading" | "busy"): void;
  started?(): void;
  header?(header: TraceHeader): void;
  /** Raw bytes of one chunk, to be given to Trace.append. */
  chunk?(bytes: Uint8Array): void;
  /** Bytes of memory that the page holds of the run's trace by now; without this those of its chunks. */
  held?(): number;
  end(end: TraceEnd): void;
  /** The run never started: no interpreter could be had. The next run tries again from the beginning. */
  failed(failure: Failure): void;
}

export interface RunHandle {
  readonly id: number;
  /** Ends the run now, as `stopped`; what has arrived stays. Does nothing to a run that is over. */
  stop(): void;
}

export interface RuntimeOptions {
  /** Absolute URL of the assets' folder, with its slash. */
  readonly base: string;
  /** The release of the page's script; a worker of another one refuses. */
  readonly build: string;
  readonly spawn: () => WorkerLike;
  /** Decoded sizes of the large parts, for progress; 0 when not known. */
  readonly sizes?: PartSizes;
  readonly platform?: Platform;
  /** Bytes of memory that the page gives to one run's trace. */
  readonly most?: number;
}

const INTERPRETERS = 2;
const SPARES = 2;
/** A loading that is silent for so long is given up. */
const SILENCE = 60_000;
/** Milliseconds for a look at what is kept on this device. */
const PATIENCE = 5_000;
/** A program that runs for longer than this gets its successor warmed beside it, so that Stop and Run again is quick. */
const SHORT_RUN = 1_000;
/** What the page allows over the job's own limit of seconds, which the recorder keeps unless it is stuck in C. */
const GRACE = 2_000;
const DEFAULT_SECONDS = 30;
/** What is held of a run's trace when it is ended: with all else that a page has it stays below half a gigabyte. */
const MOST = 400 << 20;

interface Run {
  readonly id: number;
  readonly job: Job;
  readonly record: boolean;
  readonly callbacks: RunCallbacks;
  interpreter: Interpreter | null;
  timers: number[];
  bytes: number;
  /** Over SHORT_RUN: a successor may be warmed beside it. */
  long: boolean;
  said: "loading" | "busy" | null;
}

export class Runtime {
  /** Told of the progress of loading, for as long as something loads. */
  onprogress: ((progress: BootProgress) => void) | null = null;

  readonly #options: RuntimeOptions;
  readonly #platform: Platform;
  readonly #shelf: Shelf;
  readonly #boots = { plain: 0, snapshot: 0 };
  #workers: Interpreter[] = [];
  #queue: Run[] = [];
  #running: Run[] = [];
  #parts: BootParts | null = null;
  #fetching: AbortController | null = null;
  #silence: number | null = null;
  #wanted = false;
  /** A worker did not load: none is made until the next run begins or ends, or there would be no end of trying. */
  #broken = false;
  #disposed = false;
  #lastRun = 0;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.#platform = options.platform ?? browserPlatform();
    const { openCache, digest } = this.#platform;
    this.#shelf = new Shelf({ openCache, digest, base: options.base, build: options.build });
  }

  /** Gets an interpreter ready, for a run that may come. Costs nothing when one is. */
  warm(): void {
    if (this.#disposed || findMissingFeature(this.#platform.scope) !== null) return;
    this.#wanted = true;
    this.#broken = false;
    this.#advance();
  }

  /** Fetches what an interpreter is made of, for a run that may come, and starts none. Nothing while a program runs. */
  load(): void {
    if (this.#disposed || this.#running.length > 0 || findMissingFeature(this.#platform.scope) !== null) return;
    this.#fetch();
    this.#watchSilence();
  }

  run(job: Job, record: boolean, callbacks: RunCallbacks): RunHandle {
    this.#lastRun += 1;
    const run: Run = {
      id: this.#lastRun,
      job,
      record,
      callbacks,
      interpreter: null,
      timers: [],
      bytes: 0,
      long: false,
      said: null,
    };
    const missing = this.#disposed ? DISPOSED : findMissingFeature(this.#platform.scope);
    if (missing !== null) callbacks.failed(missing);
    else {
      this.#queue.push(run);
      this.warm();
    }
    return { id: run.id, stop: () => this.#end(run, { status: "stopped", steps: run.interpreter?.steps ?? 0 }) };
  }

  /** Stops every run of the page, also those that wait. */
  stop(): void {
    for (const run of [...this.#queue, ...this.#running]) {
      this.#end(run, { status: "stopped", steps: run.interpreter?.steps ?? 0 });
    }
  }

  /** Ends every worker; runs end as `stopped`. The runtime is of no use after. */
  dispose(): void {
    this.#disposed = true;
    this.stop();
    this.#forget();
  }

  /** The release of the page's script. */
  get build(): string {
    return this.#options.build;
  }

  /** How many workers there are in each state: for tests, and for the curious. */
  get census(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { state } of this.#workers) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  }

  /** How many interpreters were started in each way. */
  get boots(): Readonly<Record<Ready["boot"], number>> {
    return this.#boots;
  }

  /** The one place where anything is decided: called after every change, it does all that can be done now. */
  #advance(): void {
    this.#workers = this.#workers.filter(({ state }) => state !== "dead");
    if (this.#disposed || !this.#wanted) return;
    this.#startRuns();
    if (this.#running.length === 0) {
      this.#fetch();
      this.#makeWorkers();
    }
    this.#bootWorkers();
    this.#watchSilence();
    this.#tellWaiting();
  }

  #find(...states: InterpreterState[]): Interpreter[] {
    return this.#workers.filter(({ state }) => states.includes(state));
  }

  #startRuns(): void {
    for (const worker of this.#find("ready")) {
      const run = this.#queue.shift();
      if (run === undefined) return;
      this.#start(run, worker);
    }
  }

  #start(run: Run, worker: Interpreter): void {
    // A spare that still loads would be asking for its scripts while the program runs.
    for (const other of this.#find("loading")) other.terminate();
    this.#workers = this.#workers.filter(({ state }) => state !== "dead");
    run.interpreter = worker;
    this.#running.push(run);
    this.#limit(run, worker);
    run.callbacks.started?.();
    worker.run(run.id, run.job, run.record, {
      header: (header) => run.callbacks.header?.(header),
      chunk: (bytes) => this.#take(run, worker, bytes),
      end: (end) => this.#finish(run, end),
    });
  }

  /** Whatever the job allows, a run ends with its reason before the page does without one. */
  #take(run: Run, worker: Interpreter, bytes: Uint8Array): void {
    run.bytes += bytes.length;
    run.callbacks.chunk?.(bytes);
    const held = run.callbacks.held?.() ?? run.bytes;
    if (held > (this.#options.most ?? MOST)) worker.end({ status: "limit", limit: "bytes", steps: worker.steps });
  }

  #limit(run: Run, worker: Interpreter): void {
    const wait = (milliseconds: number, act: () => void) =>
      run.timers.push(this.#platform.setTimeout(act, milliseconds));
    wait(SHORT_RUN, () => {
      run.long = true;
      this.#advance();
    });
    wait(secondsOf(run.job) * 1000 + GRACE, () =>
      worker.end({ status: "limit", limit: "seconds", steps: worker.steps }),
    );
  }

  /** Ends a run from the page's side, whether it runs or waits. */
  #end(run: Run, end: TraceEnd): void {
    if (run.interpreter !== null) run.interpreter.end(end);
    else if (this.#queue.includes(run)) this.#finish(run, end);
  }

  #finish(run: Run, end: TraceEnd): void {
    for (const timer of run.timers) this.#platform.clearTimeout(timer);
    this.#running = this.#running.filter((other) => other !== run);
    this.#queue = this.#queue.filter((other) => other !== run);
    this.#broken = false;
    try {
      run.callbacks.end(end);
    } finally {
      this.#advance();
    }
  }

  /** Only while nothing runs. The first worker comes alone, so that it has the line and the processor to itself. */
  #makeWorkers(): void {
    const first = this.#find("spare", "booting", "ready").length === 0;
    if (this.#broken) return;
    while (this.#workers.length < (first ? 1 : SPARES + 1)) this.#workers.push(this.#spawn());
  }

  #spawn(): Interpreter {
    return new Interpreter(this.#options.spawn(), {
      core: `${this.#options.base}pyodide/`,
      build: this.#options.build,
      changed: () => this.#advance(),
      started: (ready) => this.#learn(ready),
      failed: (failure, script) => void this.#diagnose(failure, script),
    });
  }

  #bootWorkers(): void {
    if (this.#parts === null) return;
    const spares = this.#find("spare");
    while (spares.length > 0 && this.#wantsInterpreter()) {
      // To take a memory down takes a while: not of an interpreter that someone waits for.
      const keep = this.#parts.snapshot === null && this.#queue.length === 0;
      spares.shift()?.boot(this.#parts, keep);
    }
  }

  /** An interpreter has started: what came of the snapshot, or the one that it gave. */
  #learn({ boot, refused, snapshot }: Ready): void {
    this.#boots[boot] += 1;
    if (refused !== undefined) this.#dropSnapshot();
    if (snapshot === undefined || this.#parts === null) return;
    this.#parts = { ...this.#parts, snapshot };
    void this.#shelf.write(snapshot);
  }

  /** What may have been at fault is not tried again, neither here nor on the next visit. */
  #dropSnapshot(): void {
    if (this.#parts?.snapshot) void this.#shelf.remove();
    if (this.#parts !== null) this.#parts = { ...this.#parts, snapshot: null };
  }

  /** One for each run that waits; when none does, one to be warm, which is not to slow down those that are waited for. */
  #wantsInterpreter(): boolean {
    const fresh = this.#find("booting", "ready").length;
    if (fresh + this.#running.length >= INTERPRETERS) return false;
    return this.#queue.length > 0 ? fresh < this.#queue.length : fresh === 0 && this.#running.every(({ long }) => long);
  }

  #tellWaiting(): void {
    const coming = this.#running.length === 0 || this.#find("booting", "ready").length > 0;
    const reason = coming ? "loading" : "busy";
    for (const run of this.#queue) {
      if (run.said !== reason) run.callbacks.waiting?.(reason);
      run.said = reason;
    }
  }

  #fetch(): void {
    if (this.#parts !== null || this.#fetching !== null) return;
    const { base, sizes = { core: 0, library: 0 } } = this.#options;
    const controller = new AbortController();
    this.#fetching = controller;
    const report = (progress: BootProgress) => {
      if (this.#fetching !== controller) return;
      this.#watchSilence();
      this.onprogress?.(progress);
    };
    const { fetch, compile } = this.#platform;
    const recall = (recorder: ArrayBuffer) => this.#recall(recorder);
    fetchParts({ base, sizes, report, fetch, compile, recall, signal: controller.signal }).then(
      (parts) => this.#gotParts(controller, parts),
      (error: unknown) => this.#fetching === controller && this.#fail(asFailure(error)),
    );
  }

  /** What is kept on this device, unless its storage takes longer than a plain boot would. */
  #recall(recorder: ArrayBuffer): Promise<ArrayBuffer | null> {
    const late = new Promise<null>((settle) => this.#platform.setTimeout(() => settle(null), PATIENCE));
    return Promise.race([this.#shelf.read(recorder), late]);
  }

  #gotParts(controller: AbortController, parts: BootParts): void {
    if (this.#fetching !== controller) return;
    this.#fetching = null;
    this.#parts = parts;
    this.#advance();
  }

  /** Gives up a loading that says nothing for a minute; called whenever something was heard. */
  #watchSilence(): void {
    const loading = this.#fetching !== null || this.#find("loading", "booting").length > 0;
    if (this.#silence !== null) this.#platform.clearTimeout(this.#silence);
    this.#silence = loading ? this.#platform.setTimeout(() => this.#giveUp(), SILENCE) : null;
  }

  #giveUp(): void {
    this.#silence = null;
    this.#dropSnapshot();
    const url = this.#fetching === null ? `${this.#options.base}worker.js` : this.#options.base;
    this.#fail({ kind: "timeout", url, detail: `nothing arrived for ${SILENCE / 1000} seconds` });
  }

  async #diagnose(failure: Failure, script: boolean): Promise<void> {
    this.#broken = true;
    if (!script) this.#dropSnapshot();
    // One that does not come does no harm as long as another is there.
    if (this.#find("spare", "booting", "ready").length > 0) return this.#advance();
    // What boots no interpreter may be damaged: the next run fetches it anew.
    if (!script) this.#parts = null;
    const url = script ? `${this.#options.base}worker.js` : failure.url;
    const ask = url !== undefined && failure.kind !== "build";
    const told = ask ? await diagnoseScript(this.#platform.fetch, url, failure.detail) : failure;
    if (!this.#disposed) this.#fail(told);
  }

  /** Nothing can be started: every run that waits is told, and the next one begins from nothing. Running ones go on. */
  #fail(failure: Failure): void {
    const waiting = this.#queue;
    this.#queue = [];
    this.#forget();
    for (const run of waiting) run.callbacks.failed(failure);
  }

  #forget(): void {
    this.#wanted = false;
    this.#broken = false;
    this.#fetching?.abort();
    this.#fetching = null;
    for (const worker of this.#workers) if (worker.state !== "running") worker.terminate();
    this.#workers = this.#find("running");
    if (this.#silence !== null) this.#platform.clearTimeout(this.#silence);
    this.#silence = null;
  }
}

const DISPOSED: Failure = { kind: "crash", detail: "the page has been left" };

const asFailure = (error: unknown): Failure =>
  error instanceof LoadError ? error.failure : { kind: "crash", detail: String(error) };

function secondsOf(job: Job): number {
  const seconds = (job["limits"] as { seconds?: unknown } | undefined)?.seconds;
  return typeof seconds === "number" && seconds > 0 ? seconds : DEFAULT_SECONDS;
}
