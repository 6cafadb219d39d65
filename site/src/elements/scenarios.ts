import { html, type TemplateResult } from "lit";
import { View } from "./view.ts";

export interface ScenarioChoice {
  readonly id: string;
  readonly label: string;
}

/** The choice of the input: a row of radio buttons, on a narrow pane a list that unfolds. */
export class ScenariosView extends View {
  static override properties = {
    ...View.properties,
    choices: { attribute: false },
    chosen: {},
    choose: { attribute: false },
  };
  declare choices: readonly ScenarioChoice[];
  declare chosen: string;
  declare choose: (scenario: string) => void;

  static #count = 0;
  readonly #group = `tp-scenario-${ScenariosView.#count++}`;

  protected override render(): TemplateResult | string {
    if (this.choices.length < 2) return "";
    return html`
      <div class="tp-segments" role="radiogroup" aria-label=${this.say("scenario")}>${this.choices.map((choice) => this.#radio(choice))}</div>
      <select class="tp-select" aria-label=${this.say("scenario")} @change=${this.#select}>
        ${this.choices.map(({ id, label }) => html`<option value=${id} ?selected=${id === this.chosen}>${label}</option>`)}
      </select>`;
  }

  override updated(): void {
    // The `selected` attribute is only the default once the reader has touched the list.
    const select = this.querySelector("select");
    if (select) select.value = this.chosen;
  }

  #radio({ id, label }: ScenarioChoice): TemplateResult {
    return html`<label class="tp-segment"><input type="radio" name=${this.#group} value=${id}
      .checked=${id === this.chosen} @change=${() => this.choose(id)}><span>${label}</span></label>`;
  }

  #select(event: Event): void {
    this.choose((event.target as HTMLSelectElement).value);
  }
}
