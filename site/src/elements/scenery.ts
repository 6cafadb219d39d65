import type { SessionEvent, SessionState } from "../session.ts";
import { type Say, speak } from "../text/text.ts";
import { type Conductor, isAsking } from "./conductor.ts";
import { type Furniture, furnish } from "./furniture.ts";
import { isOurs, keysAreOn, turnKeys, type Wish, wishOf } from "./keyboard.ts";
import type { ScenarioChoice } from "./scenarios.ts";
import { type Aside, sceneOf, verdictText } from "./scene.ts";
import { Stage } from "./stage.ts";
import type { Remedy } from "./status.ts";
import type { TracePane } from "./trace-pane.ts";

/** What the scenery tells the pane. */
export interface Audience {
  dispatch(event: SessionEvent): void;
  answer(line: string | null): void;
  /** The views show the state that was drawn last. */
  drawn(): void;
}

/** The pane's outside: its views and keys. States come in, the reader's wishes go out. */
export class Scenery {
  readonly #pane: TracePane;
  readonly #audience: Audience;
  readonly #say: Say;
  readonly #furniture: Furniture;
  readonly #stage: Stage;
  #aside: Aside = { frame: null, notice: null, values: false, keys: keysAreOn() };
  #state: SessionState | null = null;
  #conductor: Conductor | null = null;
  #drawing: Promise<void> | null = null;

  /** Waits for the words of the pane's language. */
  static async open(pane: TracePane, audience: Audience): Promise<Scenery> {
    return new Scenery(pane, audience, await speak(pane.closest<HTMLElement>("[lang]")?.lang ?? "en"));
  }

  private constructor(pane: TracePane, audience: Audience, say: Say) {
    this.#pane = pane;
    this.#audience = audience;
    this.#say = say;
    this.#furniture = furnish(pane, say, pane);
    this.#stage = new Stage(this.#furniture, pane, {
      choose: (scenario) => audience.dispatch({ type: "choose", scenario }),
      toggle: (line) => audience.dispatch({ type: "toggle", line }),
      visit: (node) => this.#visit(node),
      selectFrame: (frame) => this.#set({ frame }),
      showValues: (values) => this.#set({ values }),
      turnKeys: (keys) => this.#turn(keys),
      answer: (line) => audience.answer(line),
    });
    pane.classList.add("tp-ready");
    // A group, no landmark: a page may hold fifty of them.
    pane.setAttribute("role", "group");
    // Of several panes that show one file, each needs a name of its own among the page's landmarks.
    const named = pane.querySelector(".tp-name") ?? pane.querySelector(".tp-show") ?? pane.querySelector(".tp-file");
    pane.setAttribute("aria-label", say("pane", { name: named?.textContent ?? "" }));
    // A click anywhere in the pane brings the focus here, and with it the keys.
    pane.tabIndex = -1;
    pane.addEventListener("keydown", (event) => this.#key(event));
  }

  get choices(): readonly ScenarioChoice[] {
    return this.#furniture.choices;
  }

  leave(): void {
    this.#aside = { ...this.#aside, frame: null, notice: null };
    this.#state = null;
  }

  /** Shows a state with the next frame; of several states in one frame the last. */
  draw(state: SessionState, conductor: Conductor, event?: SessionEvent): void {
    this.#note(state, event);
    this.#state = state;
    this.#conductor = conductor;
    this.#schedule();
  }

  /** Settles when the views show what was drawn last. */
  async drawn(): Promise<void> {
    while (this.#drawing) await this.#drawing;
  }

  #schedule(): void {
    this.#drawing ??= nextFrame().then(() => this.#show());
  }

  async #show(): Promise<void> {
    this.#drawing = null;
    const [state, conductor] = [this.#state, this.#conductor];
    if (!state || !conductor) return;
    const scene = sceneOf(this.#say, state, this.#aside, conductor);
    this.#stage.draw(scene, {
      scenario: state.scenario,
      verdict: verdictText(this.#say, state.verdict, conductor.scenario?.reference ?? null),
      remedies: this.#remedies(state, conductor),
      asking: isAsking(state),
      keys: this.#aside.keys,
    });
    this.#showScenario(state.scenario);
    await this.#stage.settled();
    this.#audience.drawn();
  }

  /** Of the generated sources the chosen scenario's is shown. */
  #showScenario(scenario: string): void {
    for (const section of this.#pane.querySelectorAll<HTMLElement>(".tp-support [data-scenario]"))
      section.hidden = section.dataset["scenario"] !== scenario;
  }

  /** Answers to what the reader did last; the next deed takes them away. */
  #note(state: SessionState, event: SessionEvent | undefined): void {
    const moved = state.cursor !== this.#state?.cursor;
    if (event?.type === "toggle") this.#aside = { ...this.#aside, notice: this.#placed(state, event.line) };
    else if (moved || event?.type === "press" || event?.type === "choose" || event?.type === "reset")
      this.#aside = { ...this.#aside, frame: null, notice: null };
  }

  #placed(state: SessionState, asked: number): string {
    const line = state.placed?.line ?? null;
    if (line === null) return this.#say("breakpoint.none", { line: asked });
    if (!state.breakpoints.some((breakpoint) => breakpoint.line === line))
      return this.#say("breakpoint.removed", { line });
    return line === asked ? this.#say("breakpoint.set", { line }) : this.#say("breakpoint.slid", { from: asked, line });
  }

  #remedies(state: SessionState, conductor: Conductor): Remedy[] {
    if (!state.failure) return [];
    const retry = { text: this.#say("do.retry"), act: () => this.#audience.dispatch({ type: "retry" }) };
    const replay = {
      text: this.#say("do.replay"),
      act: () => this.#audience.dispatch({ type: "press", record: true, from: "native" }),
    };
    return conductor.scenario?.reference && conductor.failedFile === null ? [retry, replay] : [retry];
  }

  #visit(node: string): void {
    const scene = this.#state && sceneOf(this.#say, this.#state, this.#aside, this.#conductor!);
    const step = scene && this.#stage.nextVisit(node, scene);
    if (step !== null) return void this.#pane.goto(step);
    const name = this.#pane.querySelector(`[data-node="${CSS.escape(node)}"] .tp-node-text`)?.textContent ?? node;
    this.#set({ notice: this.#say(this.#state?.trace ? "flow.never" : "flow.first", { name }) });
  }

  #set(part: Partial<Aside>): void {
    this.#aside = { ...this.#aside, ...part };
    this.#schedule();
  }

  #turn(keys: boolean): void {
    turnKeys(keys);
    this.#set({ keys });
  }

  #key(event: KeyboardEvent): void {
    if (isOurs(event)) event.stopPropagation();
    const wish = event.defaultPrevented ? null : wishOf(event);
    if (!wish || (!this.#aside.keys && wish !== "help")) return;
    event.preventDefault();
    this.#grant(wish);
  }

  #grant(wish: Wish): void {
    const pane = this.#pane;
    if (wish === "help") this.#furniture.keys.show();
    else if (wish === "ask") this.#furniture.keys.ask();
    else if (wish === "breakpoint") this.#toggleHere();
    else if (wish === "next") void pane.goto(pane.cursor + 1);
    else if (wish === "previous") void pane.goto(pane.cursor - 1);
    else if (wish === "first") void pane.goto(0);
    else if (wish === "last") void pane.goto(pane.steps - 1);
    else if (wish !== "goto") void pane[wish]();
  }

  /** On the line that has the focus, or that of the cursor. */
  #toggleHere(): void {
    const line = this.#furniture.source.focusedLine ?? this.#pane.position?.line;
    if (line !== undefined) void this.#pane.toggleBreakpoint(line);
  }
}

/** The browser's next frame; a page in the background has none, and is not kept waiting for one. */
function nextFrame(): Promise<void> {
  return new Promise((settle) => {
    if (document.hidden) setTimeout(settle, 50);
    else requestAnimationFrame(() => settle());
  });
}
