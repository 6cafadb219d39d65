import type { BootProgress, Failure } from "../protocol.ts";
import { isRunning, type Run, type SessionEvent, type SessionState } from "../session.ts";
import type { Drive, DriveListener, Typed } from "./drive.ts";
import type { Interpreters } from "./interpreters.ts";
import { FileError, type PaneFile, PaneFiles, type Scenario } from "./pane-file.ts";
import { withFile } from "./setup.ts";
import { Workspace } from "./workspace.ts";

/** The pane as its conductor knows it. */
export interface Host {
  readonly state: SessionState;
  /** Absolute URL of the pane's jobs. */
  readonly url: string;
  dispatch(event: SessionEvent): void;
  /** Replaces what the session was set up with; no event of a run. */
  equip(setup: SessionState["setup"]): void;
}

/** Does what the session asks for: starts and ends runs, fetches what is to be compared, and tells the session how it went. */
export class Conductor {
  readonly #host: Host;
  readonly #interpreters: Interpreters;
  readonly #files = new PaneFiles();
  #here = false;
  #drive: Drive | null = null;
  #scenario: Scenario | null = null;
  #workspace = new Workspace(null);
  #typed: Typed | null = null;
  /** The step to return to when a run is made again with longer input. */
  #resume: number | null = null;
  #failed: "job" | "reference" | null = null;

  constructor(host: Host, interpreters: Interpreters) {
    this.#host = host;
    this.#interpreters = interpreters;
  }

  join(): void {
    this.#here = true;
    this.#interpreters.join(this, (progress) => this.#progress(progress));
  }

  leave(): void {
    this.#here = false;
    this.#drop();
    this.#interpreters.leave(this);
  }

  /** A reader seems to be about to run something: what takes long to load may come now. A press tells what goes wrong. */
  async prepare(): Promise<void> {
    const module = await import("./drive.ts").catch(() => null);
    if (this.#here) module?.prepare(this.#interpreters);
  }

  /** The scenario of the last run as the site gives it. */
  get scenario(): Scenario | null {
    return this.#scenario;
  }

  /** The working directory as the last run's job and program have it. */
  get workspace(): Workspace {
    return this.#workspace;
  }

  /** Which of the site's files could not be had, when it was not the interpreter that failed. */
  get failedFile(): "job" | "reference" | null {
    return this.#failed;
  }

  /** Compares two states and does what lies between them. */
  follow(before: SessionState, after: SessionState): void {
    if (after.run?.id !== before.run?.id) this.#change(after.run);
    else if (after.run?.phase === "stopping" && before.run?.phase !== "stopping") this.#drive?.stop();
    if (after.wantsReference && !before.wantsReference && after.run) void this.#fetchReference(after.run.id);
    if (this.#resume !== null && after.steps > this.#resume) this.#return();
  }

  /** Runs the job again with a line more of input; null ends the input. */
  answer(line: string | null): void {
    const { run, cursor, steps } = this.#host.state;
    if (!run) return;
    const text = (this.#typed?.text ?? "") + (line === null ? "" : `${line}\n`);
    const typed = { text, closed: line === null };
    this.#host.dispatch({ type: "press", record: run.record });
    this.#typed = typed;
    this.#resume = run.record && steps > 1 ? Math.min(Math.max(cursor, 0), steps - 2) : null;
  }

  #change(run: Run | null): void {
    this.#drop();
    this.#typed = null;
    if (run) void this.#begin(run);
  }

  #drop(): void {
    this.#drive?.drop();
    this.#drive = null;
    this.#resume = null;
    this.#failed = null;
  }

  /** What reads traces and drives interpreters comes with the first run: a page that is only read does without. */
  async #begin(run: Run): Promise<void> {
    const [module, file] = await Promise.all([this.#loadDrive(run), this.#load(run)]);
    if (!module || !file || this.#host.state.run?.id !== run.id) return;
    const drive = new module.Drive(this.#listen(run));
    this.#drive = drive;
    this.#host.equip(withFile(this.#host.state.setup, file));
    const scenario = file.scenarios.find(({ id }) => id === this.#host.state.scenario);
    this.#scenario = scenario ?? null;
    this.#workspace = new Workspace(scenario?.job ?? null);
    if (!scenario)
      this.#fail(
        run,
        { kind: "build", url: this.#host.url, detail: `it has no scenario ${this.#host.state.scenario}` },
        "job",
      );
    else if (run.from === "native") await this.#replay(drive, scenario);
    else drive.run(this.#interpreters, scenario, run.record, this.#typed);
  }

  async #loadDrive(run: Run): Promise<typeof import("./drive.ts") | null> {
    try {
      return await import("./drive.ts");
    } catch (error) {
      this.#fail(run, { kind: "offline", url: import.meta.url, detail: String(error) }, null);
      return null;
    }
  }

  async #replay(drive: Drive, { reference }: Scenario): Promise<void> {
    if (reference) await drive.replay(new URL(reference.trace, this.#host.url).href);
  }

  async #load(run: Run): Promise<PaneFile | null> {
    try {
      return await this.#files.load(this.#host.url);
    } catch (error) {
      this.#fail(run, error instanceof FileError ? error.failure : { kind: "crash", detail: String(error) }, "job");
      return null;
    }
  }

  #listen(run: Run): DriveListener {
    const { dispatch } = this.#host;
    return {
      waiting: (busy) => dispatch({ type: "waiting", run: run.id, busy }),
      started: () => dispatch({ type: "started", run: run.id }),
      opened: (trace) => dispatch({ type: "opened", run: run.id, trace }),
      grew: () => dispatch({ type: "grew", run: run.id }),
      ended: (end) => dispatch({ type: "ended", run: run.id, end }),
      failed: (failure, what) => this.#fail(run, failure, what ?? null),
    };
  }

  /** A browser that cannot run Python is shown the native recording, if the site has one. */
  #fail(run: Run, failure: Failure, what: "job" | "reference" | null): void {
    if (this.#host.state.run?.id !== run.id) return;
    const instead =
      failure.kind === "unsupported" && what === null && run.from === "browser" && this.#scenario?.reference;
    this.#failed = what;
    this.#host.dispatch(
      instead ? { type: "press", record: run.record, from: "native" } : { type: "failed", run: run.id, failure },
    );
  }

  #progress(progress: BootProgress): void {
    const { run } = this.#host.state;
    if (run?.phase === "loading" || run?.phase === "waiting") this.#host.dispatch({ type: "progress", progress });
  }

  async #fetchReference(run: number): Promise<void> {
    const reference = this.#scenario?.reference;
    const url = reference && new URL(reference.trace, this.#host.url).href;
    const { fetchReference } = await import("./native-trace.ts");
    const trace = url ? await fetchReference(url, new AbortController().signal).catch(() => null) : null;
    this.#host.dispatch({ type: "reference", run, trace });
  }

  #return(): void {
    const step = this.#resume!;
    this.#resume = null;
    this.#host.dispatch({ type: "goto", step });
  }
}

/** Whether the program waits for a line that the reader can give. */
export function isAsking(state: SessionState): boolean {
  return !isRunning(state) && state.end?.status === "input" && state.run?.from === "browser";
}
