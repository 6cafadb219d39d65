import { Ints } from "./columns.ts";
import { Histories } from "./histories.ts";
import { LINE } from "./layout.ts";
import type { Statements } from "./statements.ts";
import { startsStatement } from "./stops.ts";
import type { Trace } from "./trace.ts";

/** A node of a pane's diagram: ranges of lines of the shown file, first and last included. */
export interface FlowNode {
  readonly id: string;
  readonly lines: readonly (readonly [first: number, last: number])[];
}

export interface Travelled {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/**
 * The way of a run through a pane's diagram. A *visit* is a stay in one node: it begins with a statement of the node's lines
 * that follows one outside of them, or one of another frame. Visits are found once as the events come; all else is search.
 */
export class Flow {
  private readonly nodeOfLine = new Map<number, number>();
  private readonly visitStep = new Ints();
  private readonly visitNode = new Ints();
  /** For each node the numbers of its visits. */
  private readonly visits = new Histories();
  /** For each pair of nodes that follow each other, the numbers of the visits that ended such a move. */
  private readonly moves = new Histories();
  private readonly moveLists = new Map<number, number>();
  private seen = 0;
  private node = -1;
  private frame = -1;
  private depth = 0;

  constructor(
    private readonly trace: Trace,
    private readonly file: string,
    private readonly nodes: readonly FlowNode[],
    private readonly statements: Statements,
  ) {
    nodes.forEach(() => {
      this.visits.create();
    });
    // Where ranges overlap the narrower says more.
    const ranges = nodes.flatMap((node, index) => node.lines.map(([first, last]) => ({ index, first, last })));
    for (const { index, first, last } of ranges.sort((a, b) => b.last - b.first - (a.last - a.first))) {
      for (let line = first; line <= last; line++) this.nodeOfLine.set(line, index);
    }
  }

  /** The node in which the run was last at a step; null before the first and at the end. */
  active(step: number): string | null {
    const visit = this.visitAt(step);
    return visit < 0 || this.trace.kind(step) === "end" ? null : this.id(this.visitNode.at(visit));
  }

  /** How often a node was entered up to and including `step`. */
  visitCount(id: string, step: number): number {
    const visit = this.visitAt(step);
    const node = this.index(id);
    return node < 0 ? 0 : this.visits.count(node, visit + 1);
  }

  /** The moves made from node to node up to and including `step`, each with how often. */
  travelled(step: number): Travelled[] {
    const limit = this.visitAt(step) + 1;
    return [...this.moveLists]
      .map(([move, list]) => ({
        from: this.id(Math.floor(move / this.nodes.length)),
        to: this.id(move % this.nodes.length),
        count: this.moves.count(list, limit),
      }))
      .filter(({ count }) => count > 0);
  }

  /** The step that begins the next visit of a node after `step`; −1 if there is none so far. */
  next(id: string, step: number): number {
    const node = this.index(id);
    const limit = this.visitAt(step) + 1;
    return node < 0 ? -1 : this.stepOf(this.visits.from(node, limit));
  }

  /** The step that began the last visit of a node before `step`; −1 if there is none. */
  previous(id: string, step: number): number {
    const node = this.index(id);
    const limit = this.visitAt(step - 1) + 1;
    return node < 0 ? -1 : this.stepOf(this.visits.before(node, limit));
  }

  private visitAt(step: number): number {
    this.grow();
    return this.visitStep.above(step) - 1;
  }

  private stepOf(visit: number): number {
    return visit < 0 ? -1 : this.visitStep.at(visit);
  }

  private grow(): void {
    for (; this.seen < this.trace.steps; this.seen++) {
      if (this.trace.code(this.seen) === LINE && this.inFile(this.seen)) this.take(this.seen);
    }
  }

  private take(step: number): void {
    const node = this.nodeOfLine.get(this.trace.line(step)) ?? -1;
    const frame = this.trace.frame(step);
    if (node === this.node && (frame === this.frame || this.isNameless(frame))) return;
    // Calls out of a node, to lines that no node is bound to, are part of the stay in it.
    if (node < 0 && this.node >= 0 && this.trace.depth(step) > this.depth) return;
    if (!startsStatement(this.trace, step, this.statements)) return;
    this.node = node;
    this.frame = frame;
    this.depth = this.trace.depth(step);
    if (node >= 0) this.enter(step, node);
  }

  private enter(step: number, node: number): void {
    const visit = this.visitNode.push(node);
    this.visitStep.push(step);
    this.visits.add(node, visit);
    if (visit > 0) this.moves.add(this.moveList(this.visitNode.at(visit - 1), node), visit);
  }

  private moveList(from: number, to: number): number {
    const move = from * this.nodes.length + to;
    const list = this.moveLists.get(move) ?? this.moves.create();
    this.moveLists.set(move, list);
    return list;
  }

  private inFile(step: number): boolean {
    return this.trace.frameFile(this.trace.frame(step)) === this.file;
  }

  /** A callback or a generator expression in the node's own lines does not leave the node. */
  private isNameless(frame: number): boolean {
    return this.trace.isExpression(frame) || this.trace.frameFunction(frame).endsWith("<lambda>");
  }

  private id(node: number): string {
    return this.nodes[node]?.id ?? "";
  }

  private index(id: string): number {
    return this.nodes.findIndex((node) => node.id === id);
  }
}
