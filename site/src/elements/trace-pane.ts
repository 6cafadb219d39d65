import {
  type BreakpointOptions,
  type BreakpointView,
  breakpointViews,
  initialState,
  isRunning,
  type SessionEvent,
  type SessionState,
  type Status,
  statusOf,
  update,
  type Verdict,
  type Way,
} from "../session.ts";
import type { Expanded, Position, Scope, Trace } from "../trace/trace.ts";
import { Conductor } from "./conductor.ts";
import { Intent } from "./intent.ts";
import { Interpreters } from "./interpreters.ts";
import { Memory } from "./memory.ts";
import { Scenery } from "./scenery.ts";
import { noSetup, readSetup } from "./setup.ts";
import type { Actions } from "./view.ts";

const interpreters = new Interpreters();

export interface VariableValue {
  readonly scope: Scope;
  readonly name: string;
  readonly value: Expanded;
  readonly changed: boolean;
}

/** A promise of the API that waits for the session. */
interface Waiter {
  readonly done: (state: SessionState) => boolean;
  readonly settle: () => void;
}

/**
 * `<trace-pane>`: a debugger in a page. docs/reference/page.md gives its HTML, docs/reference/element.md its attributes,
 * properties, methods and its event. It alone holds a session; its views are given what they show.
 */
export class TracePane extends HTMLElement implements Actions {
  static readonly observedAttributes = ["scenario"];

  #state: SessionState = initialState(noSetup, "");
  #conductor = new Conductor(this.#host(), interpreters);
  readonly #intent = new Intent(this, () => void this.#conductor.prepare());
  #scenery: Scenery | null = null;
  #memory: Memory | null = null;
  #ready: Promise<boolean> = Promise.resolve(false);
  #waiters: Waiter[] = [];

  connectedCallback(): void {
    this.#ready = this.#arrive();
  }

  /** Leaves no worker and no listener behind; coming back is a fresh pane with the reader's breakpoints. */
  disconnectedCallback(): void {
    this.#ready = Promise.resolve(false);
    this.#intent.leave();
    this.#conductor.leave();
    this.#state = this.#fresh(this.#state.setup, this.#state.scenario);
    this.#scenery?.leave();
    this.#wake();
  }

  attributeChangedCallback(_name: string, before: string | null, now: string | null): void {
    if (!this.#scenery || now === before || now === this.#state.scenario) return;
    if (this.#scenery.choices.some(({ id }) => id === now)) this.#dispatch({ type: "choose", scenario: now! });
    else this.setAttribute("scenario", this.#state.scenario);
  }

  get status(): Status {
    return statusOf(this.#state);
  }

  get scenario(): string {
    return this.#state.scenario || (this.getAttribute("scenario") ?? "");
  }

  set scenario(id: string) {
    this.setAttribute("scenario", id);
  }

  get breakpoints(): readonly BreakpointView[] {
    return breakpointViews(this.#state);
  }

  /** The step that every view shows; −1 before the first stop, and of a run without recording. */
  get cursor(): number {
    return this.#state.cursor;
  }

  get steps(): number {
    return this.#state.steps;
  }

  get position(): Position | null {
    return this.#atCursor((trace, cursor) => trace.position(cursor), null);
  }

  /** Text of the output up to and including the cursor; of a run without recording, all of it so far. */
  get output(): string {
    const { trace, run, steps } = this.#state;
    if (!trace || steps === 0 || run?.record) return this.#atCursor((known, cursor) => known.outputText(cursor), "");
    return trace.outputText(steps - 1);
  }

  get variables(): readonly VariableValue[] {
    const read = (trace: Trace, cursor: number) =>
      trace
        .variables(cursor)
        .filter(({ hidden }) => !hidden)
        .map(({ scope, name, ref, changed }) => ({ scope, name, value: trace.expanded(ref, cursor), changed }));
    return this.#atCursor(read, []);
  }

  get verdict(): Verdict {
    return this.#state.verdict;
  }

  /** The last run's trace, for whatever the pane does not show; null before the first. */
  get trace(): Trace | null {
    return this.#state.trace;
  }

  run(): Promise<void> {
    return this.#press(false, ({ run }) => run?.phase === "over");
  }

  debug(): Promise<void> {
    return this.#press(
      true,
      ({ run, wanted }) => run?.phase === "over" || (run?.phase === "running" && wanted === null),
    );
  }

  stop(): Promise<void> {
    return this.#do({ type: "stop" }, (state) => !isRunning(state));
  }

  /** Back to the beginning: no run, no cursor, no output. Breakpoints stay. */
  reset(): Promise<void> {
    return this.#do({ type: "reset" });
  }

  continue(): Promise<void> {
    return this.#move("continue");
  }

  reverseContinue(): Promise<void> {
    return this.#move("reverse");
  }

  stepOver(): Promise<void> {
    return this.#move("over");
  }

  stepInto(): Promise<void> {
    return this.#move("into");
  }

  stepOut(): Promise<void> {
    return this.#move("out");
  }

  stepBack(): Promise<void> {
    return this.#move("back");
  }

  stepBackInto(): Promise<void> {
    return this.#move("backInto");
  }

  stepBackOut(): Promise<void> {
    return this.#move("backOut");
  }

  goto(step: number): Promise<void> {
    return this.#do({ type: "goto", step }, ({ wanted }) => wanted === null);
  }

  /** Sets or takes away a breakpoint; with options it is set or changed, never taken away. It slides to a line that can run. */
  toggleBreakpoint(line: number, options?: BreakpointOptions): Promise<void> {
    return this.#do({ type: "toggle", line, ...(options ? { options } : {}) });
  }

  /** The answer to a program that asks for input: a line, or null for the end of input. */
  async answer(line: string | null): Promise<void> {
    if (!(await this.#isHere())) return;
    this.#conductor.answer(line);
    await this.#until(({ run }) => run?.phase === "over");
  }

  /** Whether the pane can be driven: it is ready, and was not taken out of the page meanwhile. */
  async #isHere(): Promise<boolean> {
    return (await this.#ready) && this.isConnected;
  }

  /** False when the pane was taken out of the page meanwhile. */
  async #arrive(): Promise<boolean> {
    if (document.readyState === "loading")
      await new Promise((settle) => document.addEventListener("DOMContentLoaded", settle, { once: true }));
    this.#scenery ??= await Scenery.open(this, {
      dispatch: (event) => this.#dispatch(event),
      answer: (line) => void this.answer(line),
      drawn: () => this.dispatchEvent(new CustomEvent("tracepane:change", { bubbles: true })),
    });
    if (!this.isConnected) return false;
    this.#memory = new Memory(this);
    this.#begin(this.#memory.recall());
    this.#conductor.join();
    this.#intent.await();
    this.#scenery.draw(this.#state, this.#conductor);
    return true;
  }

  #begin(kept: ReturnType<Memory["recall"]>): void {
    const scenario = kept?.scenario ?? this.getAttribute("scenario") ?? this.#scenery!.choices[0]?.id ?? "";
    this.#state = { ...this.#fresh(readSetup(this), scenario), breakpoints: kept?.breakpoints ?? [] };
    this.setAttribute("scenario", scenario);
  }

  /** Runs keep counting, so that a late word of one before is not taken for one of the next. */
  #fresh(setup: SessionState["setup"], scenario: string): SessionState {
    return { ...initialState(setup, scenario), lastRun: this.#state.lastRun };
  }

  #host(): ConstructorParameters<typeof Conductor>[0] {
    const pane = this;
    return {
      get state() {
        return pane.#state;
      },
      get url() {
        return new URL(pane.getAttribute("job") ?? "", pane.baseURI).href;
      },
      dispatch: (event) => this.#dispatch(event),
      equip: (setup) => {
        this.#state = { ...this.#state, setup };
      },
    };
  }

  #dispatch(event: SessionEvent): void {
    const before = this.#state;
    this.#state = update(before, event);
    if (this.#state === before) return;
    if (this.#state.scenario !== before.scenario) this.setAttribute("scenario", this.#state.scenario);
    if (this.#state.breakpoints !== before.breakpoints)
      this.#memory?.keep(this.#state.scenario, this.#state.breakpoints);
    this.#conductor.follow(before, this.#state);
    this.#scenery?.draw(this.#state, this.#conductor, event);
    this.#wake();
  }

  #wake(): void {
    const done = this.#waiters.filter((waiter) => !this.isConnected || waiter.done(this.#state));
    this.#waiters = this.#waiters.filter((waiter) => !done.includes(waiter));
    for (const { settle } of done) settle();
  }

  async #press(record: boolean, done: Waiter["done"]): Promise<void> {
    if (!(await this.#isHere())) return;
    this.#dispatch({ type: "press", record });
    let run = this.#state.run;
    await this.#until((state) => {
      // A browser without Python goes on with the recorded run by itself: what was asked for is still to come.
      const instead = run?.from === "browser" && state.run?.from === "native" && state.run.id === run.id + 1;
      if (instead) run = state.run;
      return state.run?.id !== run?.id || done(state);
    });
  }

  #move(way: Way): Promise<void> {
    return this.#do({ type: "move", way }, ({ wanted }) => wanted === null);
  }

  async #do(event: SessionEvent, done: Waiter["done"] = () => true): Promise<void> {
    if (!(await this.#isHere())) return;
    this.#dispatch(event);
    await this.#until(done);
  }

  /** Settles when the session has come there and the views show it. */
  async #until(done: Waiter["done"]): Promise<void> {
    if (this.isConnected && !done(this.#state))
      await new Promise<void>((settle) => this.#waiters.push({ done, settle }));
    await this.#scenery?.drawn();
  }

  #atCursor<Answer>(ask: (trace: Trace, cursor: number) => Answer, otherwise: Answer): Answer {
    const { trace, cursor, steps } = this.#state;
    return trace && cursor >= 0 && cursor < steps ? ask(trace, cursor) : otherwise;
  }
}
