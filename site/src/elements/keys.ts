import { html, type TemplateResult } from "lit";
import type { TextKey } from "../text/text.ts";
import { icon } from "./icons.ts";
import { View } from "./view.ts";

const keys: readonly { readonly caps: readonly string[]; readonly text: TextKey }[] = [
  { caps: ["N", "Shift N"], text: "keys.over" },
  { caps: ["S", "Shift S"], text: "keys.into" },
  { caps: ["R", "Shift R"], text: "keys.out" },
  { caps: ["C", "Shift C"], text: "keys.continue" },
  { caps: ["B"], text: "keys.breakpoint" },
  { caps: ["→", "←"], text: "keys.step" },
  { caps: ["Home", "End"], text: "keys.ends" },
  { caps: ["↑", "↓"], text: "keys.lines" },
  { caps: ["G"], text: "keys.goto" },
  { caps: ["W"], text: "keys.origin" },
  { caps: ["?"], text: "keys.help" },
];

/** The help sheet, which also turns the keys off, and the question for a step. */
export class KeysView extends View {
  static override properties = {
    ...View.properties,
    on: { type: Boolean },
    turn: { attribute: false },
    steps: { type: Number },
    cursor: { type: Number },
  };
  declare on: boolean;
  declare turn: (on: boolean) => void;
  declare steps: number;
  declare cursor: number;

  show(): void {
    this.#open(".tp-keys-sheet");
  }

  ask(): void {
    if (this.steps === 0) return;
    this.#open(".tp-goto");
    this.querySelector<HTMLInputElement>(".tp-goto input")?.select();
  }

  #open(which: string): void {
    const dialog = this.querySelector<HTMLDialogElement>(which);
    if (dialog && !dialog.open) dialog.showModal();
  }

  protected override render(): TemplateResult {
    return html`
      <dialog class="tp-dialog tp-keys-sheet" aria-label=${this.say("keys.title")} @keydown=${hold}>
        <div class="tp-dialog-head"><strong>${this.say("keys.title")}</strong>${this.#close()}</div>
        <dl class="tp-keys">${keys.map(({ caps, text }) => html`<div><dt>${caps.map((cap) => html`<kbd>${cap}</kbd> `)}</dt><dd>${this.say(text)}</dd></div>`)}</dl>
        <label class="tp-check"><input type="checkbox" .checked=${this.on} @change=${(event: Event) => this.turn((event.target as HTMLInputElement).checked)}>
          <span>${this.say("keys.on")}</span></label>
        <p class="tp-dim">${this.say("keys.scope")}</p>
      </dialog>
      <dialog class="tp-dialog tp-goto" aria-label=${this.say("goto.title")} @keydown=${hold}>
        <div class="tp-dialog-head"><strong>${this.say("goto.title")}</strong>${this.#close()}</div>
        <form method="dialog" class="tp-form" @submit=${this.#go}>
          <label>${this.say("goto.step", { last: Math.max(this.steps - 1, 0) })}
            <input name="step" type="number" inputmode="numeric" min="0" max=${Math.max(this.steps - 1, 0)} required .value=${String(this.cursor)}></label>
          <button type="submit" class="tp-button tp-main">${this.say("goto.go")}</button>
        </form>
      </dialog>`;
  }

  #close(): TemplateResult {
    return html`<button type="button" class="tp-button tp-close" aria-label=${this.say("close")} @click=${(
      event: Event,
    ) => (event.currentTarget as Element).closest("dialog")?.close()}>${icon("close")}</button>`;
  }

  #go(event: SubmitEvent): void {
    const step = Number(new FormData(event.target as HTMLFormElement).get("step"));
    void this.actions.goto(Math.min(Math.max(Math.round(step), 0), this.steps - 1));
  }
}

/** What is typed in a dialog is neither a key of the pane nor of the theme. */
function hold(event: KeyboardEvent): void {
  event.stopPropagation();
}
