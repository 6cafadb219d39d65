/** Draws a scene into the pane's views. */
import { html } from "lit";
import { Flow } from "../trace/flow.ts";
import {
  enabled,
  endAtCursor,
  hasCursor,
  MarkReader,
  type Scene,
  shownFrame,
  sourceModel,
  statusText,
} from "./appearance.ts";
import type { AskView } from "./ask.ts";
import { type FlowState, untravelled } from "./flow.ts";
import { drawFoot, type Furniture } from "./furniture.ts";
import type { Panel } from "./panels.ts";
import type { Remedy, VerdictText } from "./status.ts";
import type { Actions, View } from "./view.ts";
import { sayEnd } from "./words.ts";

/** What the views ask for beside the pane's commands. */
export interface Wishes {
  choose(scenario: string): void;
  toggle(line: number): void;
  visit(node: string): void;
  selectFrame(frame: number): void;
  showValues(on: boolean): void;
  turnKeys(on: boolean): void;
  answer: AskView["answer"];
}

/** What a scene does not say. */
export interface Extras {
  readonly scenario: string;
  readonly verdict: VerdictText | null;
  readonly remedies: readonly Remedy[];
  readonly asking: boolean;
  readonly keys: boolean;
}

/** Brings scenes to the views of one pane, and keeps what is found once for a trace. */
export class Stage {
  readonly #furniture: Furniture;
  readonly #actions: Actions;
  readonly #wishes: Wishes;
  readonly #marks = new MarkReader();
  #flow: Flow | null = null;
  #flowing: Scene["trace"] = null;

  constructor(furniture: Furniture, actions: Actions, wishes: Wishes) {
    this.#furniture = furniture;
    this.#actions = actions;
    this.#wishes = wishes;
    furniture.source.toggle = (line) => wishes.toggle(line);
    if (furniture.flow) furniture.flow.visit = (node) => wishes.visit(node);
  }

  draw(scene: Scene, extras: Extras): void {
    const { toolbar, scenarios, status, ask, source, keys } = this.#furniture;
    Object.assign(toolbar, { enabled: enabled(scene), keys: extras.keys });
    Object.assign(scenarios, {
      choices: this.#furniture.choices,
      chosen: extras.scenario,
      choose: this.#wishes.choose,
    });
    Object.assign(status, { status: statusText(scene), verdict: extras.verdict, remedies: extras.remedies });
    Object.assign(ask, { waiting: extras.asking, answer: this.#wishes.answer });
    Object.assign(keys, {
      on: extras.keys,
      turn: this.#wishes.turnKeys,
      steps: scene.recorded ? scene.steps : 0,
      cursor: Math.max(scene.cursor, 0),
    });
    source.show(sourceModel(scene));
    this.#drawFlow(scene);
    this.#drawTime(scene);
    this.#drawState(scene);
    drawFoot(this.#furniture, scene.say, scene.values, this.#wishes.showValues);
  }

  /** Settles when every view has drawn what it was given. */
  async settled(): Promise<void> {
    const { toolbar, scenarios, status, ask, timeline, panels, output, keys } = this.#furniture;
    await Promise.all(
      [toolbar, scenarios, status, ask, timeline, panels, output, keys].map((view) => view.updateComplete),
    );
    await Promise.all(
      [...panels.querySelectorAll<View>("tp-variables, tp-calls, tp-files")].map((view) => view.updateComplete),
    );
  }

  /** The next visit of a node, from the beginning again after the last; null when the run never comes to it. */
  nextVisit(node: string, scene: Scene): number | null {
    const flow = this.#follow(scene);
    if (!flow) return null;
    const next = flow.next(node, scene.cursor);
    const found = next >= 0 ? next : flow.next(node, -1);
    return found >= 0 ? found : null;
  }

  #drawFlow(scene: Scene): void {
    const flow = hasCursor(scene) ? this.#follow(scene) : null;
    this.#furniture.flow?.show(flow ? this.#flowState(flow, scene.cursor) : untravelled);
  }

  #flowState(flow: Flow, cursor: number): FlowState {
    return {
      active: flow.active(cursor),
      counts: new Map(this.#furniture.flow!.nodes.map(({ id }) => [id, flow.visitCount(id, cursor)])),
      travelled: new Set(flow.travelled(cursor).map(({ from, to }) => `${from} ${to}`)),
    };
  }

  #follow({ trace, recorded, file, statements }: Scene): Flow | null {
    const { flow } = this.#furniture;
    if (!flow || !trace || !recorded) return null;
    if (trace !== this.#flowing) this.#flow = new Flow(trace, file, flow.nodes, statements);
    this.#flowing = trace;
    return this.#flow;
  }

  #drawTime(scene: Scene): void {
    const steps = scene.recorded ? scene.steps : 0;
    Object.assign(this.#furniture.timeline, {
      marks: this.#marks.read(scene),
      steps,
      cursor: Math.max(scene.cursor, 0),
      now: hasCursor(scene) && steps > 0 ? statusText({ ...scene, notice: null }).text : "",
    });
  }

  #drawState(scene: Scene): void {
    const { trace, cursor, recorded, say } = scene;
    const at = trace && trace.steps > 0 ? (recorded ? cursor : trace.steps - 1) : -1;
    const end = endAtCursor(scene);
    Object.assign(this.#furniture.output, {
      trace,
      at,
      cursor: recorded ? cursor : -1,
      later: recorded && at >= 0 ? this.#marks.read(scene).output.from(at + 1) : -1,
      growing: scene.going,
      end,
      ending: end ? sayEnd(say, end) : "",
    });
    this.#furniture.panels.panels = this.#panels(scene, at);
  }

  #panels(scene: Scene, at: number): Panel[] {
    const { say, trace, workspace, cursor, recorded, steps } = scene;
    const frame = recorded ? shownFrame(scene) : -1;
    const files = trace ? workspace.at(trace, at) : [];
    const stack = recorded && hasCursor(scene) ? trace!.stack(cursor) : [];
    const empty = say(!trace ? "variables.idle" : recorded ? "variables.none" : "variables.unrecorded");
    const common = { say, actions: this.#actions };
    return [
      {
        id: "variables",
        name: say("variables.title"),
        content: html`<tp-variables .say=${common.say} .actions=${common.actions} .trace=${trace} .steps=${steps} .cursor=${cursor} .frame=${frame} .empty=${empty}></tp-variables>`,
      },
      {
        id: "calls",
        name: stack.length > 1 ? say("calls.titleCount", { count: stack.length }) : say("calls.title"),
        content: html`<tp-calls .say=${common.say} .actions=${common.actions} .stack=${stack} .chosen=${frame} .choose=${this.#wishes.selectFrame}></tp-calls>`,
      },
      {
        id: "files",
        name: files.length > 0 ? say("files.titleCount", { count: files.length }) : say("files.title"),
        content: html`<tp-files .say=${common.say} .actions=${common.actions} .files=${files} .cursor=${recorded ? cursor : -1}
          .content=${(path: string) => workspace.content(trace, at, path)}></tp-files>`,
      },
    ];
  }
}
