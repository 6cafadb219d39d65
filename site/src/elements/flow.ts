import { html, render, svg } from "lit";
import type { Box, Drawing, layout } from "../flow.ts";
import type { Say } from "../text/text.ts";
import type { FlowNode } from "../trace/flow.ts";

/** The flow at a step. */
export interface FlowState {
  readonly active: string | null;
  /** Visits so far, by node. */
  readonly counts: ReadonlyMap<string, number>;
  /** `from to` of the edges travelled so far. */
  readonly travelled: ReadonlySet<string>;
}

export const untravelled: FlowState = { active: null, counts: new Map(), travelled: new Set() };

interface Node extends FlowNode {
  readonly to: readonly string[];
  readonly item: HTMLElement;
  readonly button: HTMLButtonElement;
  readonly count: HTMLElement;
  readonly aside: HTMLElement;
}

/**
 * The flow. The list of the page becomes the diagram: its items are placed as nodes over the drawn edges, so that what
 * is read aloud and what is seen are one thing.
 */
export class FlowView extends HTMLElement {
  visit: (node: string) => void = () => {};
  #say: Say = (key) => key;
  #nodes: Node[] = [];
  #list: HTMLElement | null = null;
  #drawing: Drawing | null = null;
  #state = untravelled;
  #layout: typeof layout | null = null;
  #width = 0;
  #near = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.#load(), {
    rootMargin: "600px",
  });
  #size = new ResizeObserver(() => this.#fit());

  adopt(list: HTMLElement, say: Say): void {
    this.#say = say;
    this.#list = list;
    list.querySelector(".tp-edges")?.remove();
    this.append(list);
    this.#nodes = [...list.querySelectorAll<HTMLElement>("li[data-node]")].map((item) => this.#equip(item));
    this.#near.observe(this);
    this.#draw();
  }

  connectedCallback(): void {
    if (this.#list) this.#near.observe(this);
    if (this.#layout) this.#size.observe(this);
  }

  disconnectedCallback(): void {
    this.#near.disconnect();
    this.#size.disconnect();
  }

  get nodes(): readonly FlowNode[] {
    return this.#nodes;
  }

  show(state: FlowState): void {
    const moved = state.active !== this.#state.active;
    this.#state = state;
    this.#draw();
    if (moved) this.#reveal();
  }

  #equip(item: HTMLElement): Node {
    const known = item.querySelector("button");
    const button = known ?? document.createElement("button");
    if (!known) {
      button.type = "button";
      button.className = "tp-node";
      const text = document.createElement("span");
      text.className = "tp-node-text";
      text.append(...item.childNodes);
      const count = document.createElement("span");
      count.className = "tp-node-count";
      count.setAttribute("aria-hidden", "true");
      const aside = document.createElement("span");
      aside.className = "tp-unseen";
      button.append(text, count, aside);
      item.append(button);
      button.addEventListener("click", () => this.visit(item.dataset["node"] ?? ""));
    }
    return {
      id: item.dataset["node"] ?? "",
      lines: parseLines(item.dataset["lines"] ?? ""),
      to: (item.dataset["to"] ?? "").split(/\s+/).filter(Boolean),
      item,
      button,
      count: button.querySelector<HTMLElement>(".tp-node-count")!,
      aside: button.querySelector<HTMLElement>(".tp-unseen")!,
    };
  }

  async #load(): Promise<void> {
    this.#near.disconnect();
    if (this.#layout || this.#nodes.length === 0) return;
    try {
      this.#layout = (await import("../flow.ts")).layout;
      if (this.isConnected) this.#size.observe(this);
    } catch {
      // Without the library the list stays a list, which says the same.
    }
  }

  #fit(): void {
    const width = Math.floor(this.clientWidth);
    if (!this.#layout || !this.#list || width === 0 || Math.abs(width - this.#width) < 2) return;
    this.#width = width;
    this.#list.classList.add("tp-laid");
    this.#drawing = this.#arrange(width - 2);
    this.#place(this.#drawing);
    this.#draw();
    this.#reveal();
  }

  /** Across where there is room for it, since a page has more height to lose than width; else down, in the widest boxes that fit. */
  #arrange(width: number): Drawing {
    const across = width >= 520 ? this.#widest([156, 144, 132, 120, 110], width, false) : null;
    if (across && across.width <= width) return across;
    return this.#widest([Math.min(width - 20, 210), 170, 150, 138, 126, 114, 104, 94], width, true);
  }

  /** The first of the widths whose drawing fits, or the last. */
  #widest(boxes: readonly number[], width: number, down: boolean): Drawing {
    let drawing = this.#try(boxes[0]!, down);
    for (let index = 1; drawing.width > width && index < boxes.length; index++)
      drawing = this.#try(boxes[index]!, down);
    return drawing;
  }

  #try(width: number, down: boolean): Drawing {
    this.#list!.style.setProperty("--tp-node-width", `${width}px`);
    const boxes: Box[] = this.#nodes.map(({ id, button }) => ({
      id,
      width: button.offsetWidth,
      height: button.offsetHeight,
    }));
    return this.#layout!(
      boxes,
      this.#nodes.flatMap(({ id, to }) => to.map((each) => [id, each] as const)),
      down,
    );
  }

  #place(drawing: Drawing): void {
    this.#list!.style.width = `${drawing.width}px`;
    this.#list!.style.height = `${drawing.height}px`;
    for (const { id, item } of this.#nodes) {
      const { x, y } = drawing.nodes.get(id)!;
      item.style.left = `${x}px`;
      item.style.top = `${y}px`;
    }
  }

  #draw(): void {
    for (const node of this.#nodes) this.#drawNode(node);
    if (this.#drawing) this.#drawEdges(this.#drawing);
  }

  #drawNode({ id, button, count, aside }: Node): void {
    const visits = this.#state.counts.get(id) ?? 0;
    const active = id === this.#state.active;
    button.toggleAttribute("data-visited", visits > 0);
    if (active) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
    count.textContent = visits ? this.#say("flow.count", { count: visits }) : "";
    aside.textContent = `, ${this.#say("flow.visits", { count: visits })}${active ? `, ${this.#say("flow.now")}` : ""}`;
    button.title = this.#say("flow.next");
  }

  #drawEdges({ width, height, edges }: Drawing): void {
    let holder = this.querySelector<HTMLElement>(".tp-edges");
    if (!holder) {
      holder = document.createElement("div");
      holder.className = "tp-edges";
      holder.setAttribute("aria-hidden", "true");
      this.prepend(holder);
    }
    const ordered = edges.map((edge) => ({ ...edge, done: this.#state.travelled.has(`${edge.from} ${edge.to}`) }));
    render(
      html`<svg .style=${`width:${width}px;height:${height}px`} viewBox="0 0 ${width} ${height}">${ordered
        .sort((a, b) => Number(a.done) - Number(b.done))
        .map(
          ({ line, head, done }) =>
            svg`<g class="tp-edge" ?data-travelled=${done}><path class="tp-edge-line" d=${line}/><path class="tp-edge-head" d=${head}/></g>`,
        )}</svg>`,
      holder,
    );
  }

  /** Keeps the active node in sight, by scrolling the diagram and never the page. */
  #reveal(): void {
    const node = this.#nodes.find(({ id }) => id === this.#state.active);
    if (!node || !this.#drawing) return;
    const { offsetTop: top, offsetLeft: left, offsetHeight, offsetWidth } = node.item;
    if (top < this.scrollTop || top + offsetHeight > this.scrollTop + this.clientHeight)
      this.scrollTop = top - (this.clientHeight - offsetHeight) / 2;
    if (left < this.scrollLeft || left + offsetWidth > this.scrollLeft + this.clientWidth)
      this.scrollLeft = left - (this.clientWidth - offsetWidth) / 2;
  }
}

/** `14 16-18` as ranges. */
export function parseLines(text: string): [number, number][] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => {
      const [first = 0, last = first] = part.split("-").map(Number);
      return [first, last];
    });
}
