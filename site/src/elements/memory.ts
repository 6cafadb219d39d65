import type { FileBreakpoint } from "../session/state.ts";

interface Kept {
  readonly scenario: string;
  readonly breakpoints: readonly FileBreakpoint[];
}

/** Breakpoints of panes that were left by instant navigation: they are as long as the visit, each its pane's own. */
const kept = new Map<string, Kept>();

function nameOf(pane: HTMLElement): string {
  return `${location.pathname}#${pane.id} ${pane.getAttribute("job")}`;
}

/** To be called while the pane is still in its page: the name is taken when it comes. */
export class Memory {
  readonly #name: string;

  constructor(pane: HTMLElement) {
    this.#name = nameOf(pane);
  }

  keep(scenario: string, breakpoints: readonly FileBreakpoint[]): void {
    if (breakpoints.length > 0) kept.set(this.#name, { scenario, breakpoints });
    else kept.delete(this.#name);
  }

  recall(): Kept | null {
    return kept.get(this.#name) ?? null;
  }
}
