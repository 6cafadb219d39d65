import { html, type TemplateResult } from "lit";
import type { StackFrame } from "../trace/trace.ts";
import { View } from "./view.ts";

/** Frames drawn at once; a runaway recursion has more than anyone reads. */
const shown = 200;

/** The calls that are open at the cursor, the innermost first. Choosing one shows its variables and its line. */
export class CallsView extends View {
  static override properties = {
    ...View.properties,
    stack: { attribute: false },
    chosen: { type: Number },
    choose: { attribute: false },
  };
  declare stack: readonly StackFrame[];
  declare chosen: number;
  declare choose: (frame: number) => void;

  protected override render(): TemplateResult {
    if (this.stack.length === 0) return html`<p class="tp-empty">${this.say("calls.none")}</p>`;
    const rest = this.stack.length - shown;
    return html`<ol class="tp-calls">${this.stack.slice(0, shown).map((frame, index) => this.#frame(frame, index))}</ol>
      ${rest > 0 ? html`<p class="tp-empty">${this.say("calls.more", { count: rest })}</p>` : ""}`;
  }

  #frame({ frame, function: name, file, line }: StackFrame, index: number): TemplateResult {
    return html`<li><button type="button" class="tp-call" aria-current=${frame === this.chosen ? "true" : "false"} @click=${() => this.choose(frame)}>
      <span class="tp-call-name">${name}</span><span class="tp-dim">${this.say("calls.at", { file, line })}</span>
      ${index === 0 ? html`<span class="tp-dim">${this.say("calls.here")}</span>` : ""}</button></li>`;
  }
}
