/** Milliseconds for which a pane must stay in sight, so that scrolling past it is no sign of anything. */
const LOOK = 1_000;
/** Megabits a second from which a line counts as fast. */
const FAST = 5;

interface Connection {
  readonly effectiveType?: string;
  readonly downlink?: number;
  readonly saveData?: boolean;
}

/**
 * Tells once when a reader seems about to run something: the pointer or the focus comes into the pane, or, where the
 * browser says that the line is fast, the pane stays in sight.
 */
export class Intent {
  readonly #pane: HTMLElement;
  readonly #act: () => void;
  #watch: IntersectionObserver | null = null;
  #look = 0;

  constructor(pane: HTMLElement, act: () => void) {
    this.#pane = pane;
    this.#act = act;
  }

  await(): void {
    this.#pane.addEventListener("pointerenter", this.#tell);
    this.#pane.addEventListener("focusin", this.#tell);
    if (!isFast((navigator as { connection?: Connection }).connection)) return;
    this.#watch = new IntersectionObserver((entries) => this.#see(entries.at(-1)!.isIntersecting));
    this.#watch.observe(this.#pane);
  }

  leave(): void {
    this.#pane.removeEventListener("pointerenter", this.#tell);
    this.#pane.removeEventListener("focusin", this.#tell);
    this.#watch?.disconnect();
    this.#watch = null;
    clearTimeout(this.#look);
  }

  #see(here: boolean): void {
    clearTimeout(this.#look);
    if (here) this.#look = window.setTimeout(this.#tell, LOOK);
  }

  readonly #tell = (): void => {
    this.leave();
    this.#act();
  };
}

/** Browsers that do not tell are not taken for fast: some fourteen megabytes are not for everyone who reads a page. */
function isFast(connection: Connection | undefined): boolean {
  return connection?.effectiveType === "4g" && (connection.downlink ?? 0) >= FAST && connection.saveData !== true;
}
