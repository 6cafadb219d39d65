import { html, type TemplateResult } from "lit";
import { View } from "./view.ts";

export interface Panel {
  readonly id: string;
  readonly name: string;
  readonly content: TemplateResult;
}

/** Panels that share one place; their tabs are one stop of the Tab key, moved through with the arrows. */
export class PanelsView extends View {
  static override properties = { ...View.properties, panels: { attribute: false }, shown: { state: true } };
  declare panels: readonly Panel[];
  declare shown: string | null;

  static #count = 0;
  readonly #prefix = `tp-panel-${PanelsView.#count++}`;

  constructor() {
    super();
    this.shown = null;
  }

  protected override render(): TemplateResult {
    const shown = this.#current();
    return html`
      <div class="tp-tabs" role="tablist" aria-label=${this.say("panels")} @keydown=${this.#key}>${this.panels.map((panel) => this.#tab(panel, panel === shown))}</div>
      ${this.panels.map((panel) => this.#panel(panel, panel === shown))}`;
  }

  #current(): Panel | undefined {
    return this.panels.find(({ id }) => id === this.shown) ?? this.panels[0];
  }

  #tab({ id, name }: Panel, selected: boolean): TemplateResult {
    return html`<button type="button" role="tab" class="tp-tab" id=${`${this.#prefix}-${id}-tab`} aria-controls=${`${this.#prefix}-${id}`}
      aria-selected=${selected} tabindex=${selected ? 0 : -1} @click=${() => {
        this.shown = id;
      }}>${name}</button>`;
  }

  #panel({ id, content }: Panel, selected: boolean): TemplateResult {
    return html`<div role="tabpanel" class="tp-panel tp-scroll" id=${`${this.#prefix}-${id}`} aria-labelledby=${`${this.#prefix}-${id}-tab`}
      tabindex="0" ?hidden=${!selected}>${content}</div>`;
  }

  #key(event: KeyboardEvent): void {
    const at = this.panels.findIndex((panel) => panel === this.#current());
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: this.panels.length - 1 }[event.key];
    if (to === undefined) return;
    this.shown = this.panels.at(to % this.panels.length)!.id;
    event.preventDefault();
    event.stopPropagation();
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus());
  }
}
