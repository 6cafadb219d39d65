import { html, render } from "lit";
import type { Say } from "../text/text.ts";
import type { AskView } from "./ask.ts";
import type { FlowView } from "./flow.ts";
import type { KeysView } from "./keys.ts";
import type { OutputView } from "./output.ts";
import type { PanelsView } from "./panels.ts";
import type { ScenarioChoice, ScenariosView } from "./scenarios.ts";
import type { SourceView } from "./source.ts";
import type { StatusView } from "./status.ts";
import type { TimelineView } from "./timeline.ts";
import type { ToolbarView } from "./toolbar.ts";
import type { Actions, View } from "./view.ts";

/** The pane's views, put among what the page came with. */
export interface Furniture {
  readonly toolbar: ToolbarView;
  readonly scenarios: ScenariosView;
  readonly status: StatusView;
  readonly ask: AskView;
  readonly source: SourceView;
  readonly flow: FlowView | null;
  readonly timeline: TimelineView;
  readonly panels: PanelsView;
  readonly output: OutputView;
  readonly keys: KeysView;
  readonly foot: HTMLElement;
  readonly choices: readonly ScenarioChoice[];
  /** The shown source's name in the job. */
  readonly file: string;
}

/** Puts the views in, once. The reading order is that of the page without script, with each view where its subject is. */
export function furnish(pane: HTMLElement, say: Say, actions: Actions): Furniture {
  const make = <Element extends View>(name: string): Element =>
    Object.assign(document.createElement(name) as Element, { say, actions });
  const source = expect(pane, ".tp-source");
  const list = pane.querySelector<HTMLElement>("ol.tp-flow");
  const furniture: Furniture = {
    toolbar: make("tp-toolbar"),
    scenarios: make("tp-scenarios"),
    status: make("tp-status"),
    ask: make("tp-ask"),
    source: document.createElement("tp-source") as SourceView,
    flow: list && (document.createElement("tp-flow") as FlowView),
    timeline: make("tp-timeline"),
    panels: make("tp-panels"),
    output: make("tp-output"),
    keys: make("tp-keys"),
    foot: box("tp-foot"),
    choices: [...pane.querySelectorAll<HTMLElement>(".tp-scenarios > [data-scenario]")].map(readChoice),
    file: source.dataset["file"] ?? "",
  };
  place(pane, furniture, source, list);
  furniture.source.adopt(source, say);
  if (list) furniture.flow?.adopt(list, say);
  return furniture;
}

function place(pane: HTMLElement, furniture: Furniture, source: HTMLElement, list: HTMLElement | null): void {
  const { toolbar, scenarios, status, ask, timeline, panels, output, keys, foot, flow } = furniture;
  const body = box("tp-body");
  source.before(box("tp-bar", toolbar), status, ask, body);
  body.append(furniture.source, ...(flow ? [flow] : []));
  list?.remove();
  body.after(timeline, box("tp-state", panels, output));
  const note = pane.querySelector(".tp-note");
  pane.append(foot, keys);
  if (note) foot.append(note);
  const choices = pane.querySelector(".tp-scenarios");
  if (choices) choices.replaceWith(scenarios);
  else pane.querySelector(".tp-head")?.append(scenarios);
}

/** The switches at the pane's foot. */
export function drawFoot({ foot, keys }: Furniture, say: Say, values: boolean, turn: (on: boolean) => void): void {
  const holder = foot.querySelector<HTMLElement>(".tp-switches") ?? foot.appendChild(box("tp-switches"));
  render(
    html`<label class="tp-check"><input type="checkbox" .checked=${values} @change=${(event: Event) => turn((event.target as HTMLInputElement).checked)}><span>${say("values")}</span></label>
      <button type="button" class="tp-link" aria-haspopup="dialog" @click=${() => keys.show()}>${say("keys.open")} <kbd aria-hidden="true">?</kbd></button>`,
    holder,
  );
}

function readChoice(item: HTMLElement): ScenarioChoice {
  return { id: item.dataset["scenario"] ?? "", label: item.textContent?.trim() ?? "" };
}

function box(className: string, ...children: readonly Node[]): HTMLElement {
  const element = document.createElement("div");
  element.className = className;
  element.append(...children);
  return element;
}

function expect(pane: HTMLElement, selector: string): HTMLElement {
  const found = pane.querySelector<HTMLElement>(selector);
  if (!found)
    throw new Error(`<trace-pane id="${pane.id}"> has no ${selector}; docs/reference/page.md says what it needs`);
  return found;
}
