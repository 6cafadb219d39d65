import { html, type TemplateResult } from "lit";
import { View } from "./view.ts";

/** Asks the reader for the input that the program waits for. */
export class AskView extends View {
  static override properties = { ...View.properties, waiting: { type: Boolean }, answer: { attribute: false } };
  declare waiting: boolean;
  /** The next line of input; null: there is no more of it. */
  declare answer: (line: string | null) => void;

  /** The reader gave a line and has not gone elsewhere: the next question gets the focus back. */
  #typing = false;

  protected override updated(): void {
    if (!this.waiting || !this.#typing) return;
    this.#typing = false;
    if (document.activeElement === this.closest("trace-pane")) this.querySelector("input")?.focus();
  }

  protected override render(): TemplateResult | string {
    if (!this.waiting) return "";
    return html`<form class="tp-ask tp-form" @submit=${this.#submit}>
      <label>${this.say("ask.line")}<input name="line" type="text" autocomplete="off" autocapitalize="off" spellcheck="false"></label>
      <button type="submit" class="tp-button tp-main">${this.say("ask.give")}</button>
      <button type="button" class="tp-button" @click=${() => this.answer(null)}>${this.say("ask.end")}</button>
      <p class="tp-dim">${this.say("ask.why")}</p></form>`;
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const line = String(new FormData(form).get("line") ?? "");
    form.reset();
    this.#typing = true;
    this.answer(line);
  }
}
