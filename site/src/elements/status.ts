import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { icon } from "./icons.ts";
import { View } from "./view.ts";

export interface StatusText {
  readonly tone: "calm" | "busy" | "good" | "warn" | "error";
  readonly text: string;
  /** Between 0 and 1 while something of known size is loading. */
  readonly progress?: number;
}

export interface VerdictText {
  readonly tone: "equal" | "different" | "unknown";
  readonly text: string;
  readonly detail: string;
  readonly step: number | null;
}

/** What a reader can do about the state, beside the buttons of the bar. */
export interface Remedy {
  readonly text: string;
  readonly act: () => void;
}

/** Milliseconds between two announcements while something goes on: a counter read aloud must not drown the reader. */
const quiet = 3000;

/** The state in words. It is seen at once; a screen reader is told of it when it has settled. */
export class StatusView extends View {
  static override properties = {
    ...View.properties,
    status: { attribute: false },
    verdict: { attribute: false },
    remedies: { attribute: false },
    spoken: { state: true },
  };
  declare status: StatusText;
  declare verdict: VerdictText | null;
  declare remedies: readonly Remedy[];
  declare spoken: string;

  #timer: ReturnType<typeof setTimeout> | undefined;
  #told = 0;

  constructor() {
    super();
    this.spoken = "";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("status") || this.#timer !== undefined) return;
    const wait = this.status.tone === "busy" ? Math.max(quiet - (Date.now() - this.#told), 100) : 100;
    this.#timer = setTimeout(() => this.#tell(), wait);
  }

  #tell(): void {
    this.#timer = undefined;
    this.#told = Date.now();
    this.spoken = this.status.text;
  }

  protected override render(): TemplateResult {
    const { tone, text, progress } = this.status;
    return html`
      <p class="tp-status-text" data-tone=${tone} title=${text}>${text}</p>
      <span class="tp-live" role="status" aria-live="polite">${this.spoken}</span>
      ${progress === undefined ? nothing : html`<progress class="tp-progress" max="1" .value=${progress} aria-label=${text}></progress>`}
      ${this.remedies.map(({ text: name, act }) => html`<button type="button" class="tp-button tp-remedy" @click=${act}>${name}</button>`)}
      ${this.verdict ? this.#badge(this.verdict) : nothing}`;
  }

  #badge({ tone, text, detail, step }: VerdictText): TemplateResult {
    const content = html`${icon(tone)}<span>${text}</span>`;
    return step === null
      ? html`<span class="tp-verdict" data-tone=${tone} title=${detail}>${content}</span>`
      : html`<button type="button" class="tp-verdict" data-tone=${tone} title=${detail} @click=${() => void this.actions.goto(step)}>${content}</button>`;
  }
}
