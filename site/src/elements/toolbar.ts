import { html, type TemplateResult } from "lit";
import type { TextKey } from "../text/text.ts";
import { icon } from "./icons.ts";
import { type Actions, View } from "./view.ts";

type Command = Exclude<keyof Actions, "goto">;

interface Button {
  readonly command: Command;
  readonly icon: string;
  readonly name: TextKey;
  readonly key?: string;
}

const starts: readonly Button[] = [
  { command: "debug", icon: "debug", name: "do.debug" },
  { command: "run", icon: "run", name: "do.run" },
  { command: "stop", icon: "stop", name: "do.stop" },
  { command: "reset", icon: "reset", name: "do.reset" },
];

const steps: readonly Button[] = [
  { command: "reverseContinue", icon: "reverse", name: "do.reverseContinue", key: "Shift+C" },
  { command: "stepBack", icon: "back", name: "do.stepBack", key: "Shift+N" },
  { command: "stepOver", icon: "over", name: "do.stepOver", key: "N" },
  { command: "stepInto", icon: "into", name: "do.stepInto", key: "S" },
  { command: "stepOut", icon: "out", name: "do.stepOut", key: "R" },
  { command: "continue", icon: "continue", name: "do.continue", key: "C" },
];

/** Which of the commands would do something now. */
export type Enabled = ReadonlySet<Command>;

/** The buttons. One that would do nothing stays where it is and keeps the focus: it is `aria-disabled`, never `disabled`. */
export class ToolbarView extends View {
  static override properties = { ...View.properties, enabled: { attribute: false }, keys: { type: Boolean } };
  declare enabled: Enabled;
  declare keys: boolean;

  protected override render(): TemplateResult {
    return html`
      <div class="tp-starts" role="group" aria-label=${this.say("group.start")}>${starts.map((button) => this.#button(button, true))}</div>
      <div class="tp-steps" role="group" aria-label=${this.say("group.step")}>${steps.map((button) => this.#button(button, false))}</div>`;
  }

  #button({ command, icon: shape, name, key }: Button, words: boolean): TemplateResult {
    const text = this.say(name);
    const off = !this.enabled.has(command);
    return html`<button type="button" class="tp-button" data-command=${command} aria-label=${text} aria-disabled=${off}
      title=${key && this.keys ? `${text} (${key})` : text} @click=${() => off || void this.actions[command]()}>
      ${icon(shape)}${words ? html`<span class="tp-word">${text}</span>` : ""}</button>`;
  }
}
