import { LitElement, type PropertyValues } from "lit";
import type { Say } from "../text/text.ts";

/** What the views ask of the pane that holds them. */
export interface Actions {
  run(): Promise<void>;
  debug(): Promise<void>;
  stop(): Promise<void>;
  reset(): Promise<void>;
  continue(): Promise<void>;
  reverseContinue(): Promise<void>;
  stepOver(): Promise<void>;
  stepInto(): Promise<void>;
  stepOut(): Promise<void>;
  stepBack(): Promise<void>;
  stepBackInto(): Promise<void>;
  stepBackOut(): Promise<void>;
  goto(step: number): Promise<void>;
}

/**
 * A part of the pane that shows what it is given and holds no state of the session. Drawn in the light DOM: the
 * theme's style sheet, its check for a focused text field, and the reader's find-in-page all reach it.
 */
export abstract class View extends LitElement {
  static override properties = { say: { attribute: false }, actions: { attribute: false } };
  declare say: Say;
  declare actions: Actions;

  /** A view that has not been given all it shows draws nothing yet. */
  protected override shouldUpdate(): boolean {
    const { elementProperties } = this.constructor as typeof LitElement;
    return [...elementProperties].every(([name, { state }]) => state || this[name as keyof this] !== undefined);
  }

  /** A part that held the focus may be gone now: the pane takes it, and the reader's keys go on working. */
  protected override update(changed: PropertyValues): void {
    const held = this.contains(document.activeElement);
    super.update(changed);
    if (held && !this.contains(document.activeElement))
      this.closest<HTMLElement>("trace-pane")?.focus({ preventScroll: true });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
