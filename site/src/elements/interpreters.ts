/** The page's interpreters, shared by its panes and gone with the last of them. */
import type { BootProgress } from "../protocol.ts";
import type { Runtime } from "../runtime.ts";

/** Hands one runtime to every pane of a page. With instant navigation a page is left without being unloaded. */
export class Interpreters {
  #runtime: Runtime | null = null;
  readonly #panes = new Map<object, (progress: BootProgress) => void>();

  /** Counts a pane in; costs nothing until it runs something. */
  join(pane: object, progress: (progress: BootProgress) => void): void {
    this.#panes.set(pane, progress);
  }

  /** Counts a pane out. The last one ends every worker. */
  leave(pane: object): void {
    this.#panes.delete(pane);
    if (this.#panes.size > 0) return;
    this.#runtime?.dispose();
    this.#runtime = null;
  }

  /** The page's runtime, opened when it is first asked for. */
  get(open: () => Runtime): Runtime {
    if (!this.#runtime) {
      this.#runtime = open();
      this.#runtime.onprogress = (progress) => {
        for (const tell of this.#panes.values()) tell(progress);
      };
    }
    return this.#runtime;
  }
}
