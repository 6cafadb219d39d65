/** Lays a flow out. Loaded when a pane with a flow comes near, so that a page pays for the library only then. */
import { layout as arrange, graphlib } from "@dagrejs/dagre";

export interface Box {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Upper left corners, by node. */
  readonly nodes: ReadonlyMap<string, Point>;
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly line: string;
    readonly head: string;
  }[];
}

/** Positions in pixels from the upper left. `down` puts what follows below, otherwise to the right. */
export function layout(boxes: readonly Box[], edges: readonly (readonly [string, string])[], down: boolean): Drawing {
  const graph = new graphlib.Graph();
  graph.setGraph({
    rankdir: down ? "TB" : "LR",
    nodesep: 14,
    ranksep: 26,
    edgesep: 12,
    marginx: margin,
    marginy: margin,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  for (const [from, to] of edges) if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to);
  arrange(graph);
  const ends = graph
    .edges()
    .map(({ v, w }) => ({ from: v, to: w, points: (graph.edge(v, w) as { points: Point[] }).points }));
  const { left, width } = spread(
    boxes.map(({ id }) => graph.node(id) as Point & Box),
    ends.flatMap(({ points }) => points),
  );
  const moved = ({ x, y }: Point): Point => ({ x: x - left, y });
  return {
    width,
    height: (graph.graph() as { height?: number }).height ?? 0,
    nodes: new Map(boxes.map(({ id }) => [id, moved(corner(graph.node(id) as Point & Box))])),
    edges: ends.map(({ from, to, points }) => draw(from, to, points.map(moved))),
  };
}

const margin = 8;

/** Where the drawing begins, and its width. The library leaves out of account that an edge may bend out beyond all nodes. */
function spread(nodes: readonly (Point & Box)[], bends: readonly Point[]): { left: number; width: number } {
  const xs = [...nodes.flatMap(({ x, width }) => [x - width / 2, x + width / 2]), ...bends.map(({ x }) => x)];
  if (xs.length === 0) return { left: 0, width: 0 };
  const left = Math.min(...xs) - margin;
  return { left, width: Math.max(...xs) + margin - left };
}

function corner({ x, y, width, height }: Point & Box): Point {
  return { x: x - width / 2, y: y - height / 2 };
}

function draw(from: string, to: string, points: readonly Point[]) {
  return { from, to, line: smooth(points), head: arrow(points.at(-2)!, points.at(-1)!) };
}

/** Straight pieces whose corners are rounded off through their middles. */
function smooth(points: readonly Point[]): string {
  const [first, ...rest] = points;
  let path = `M${at(first!)}`;
  for (let index = 0; index < rest.length - 1; index++)
    path += `Q${at(rest[index]!)} ${at(middle(rest[index]!, rest[index + 1]!))}`;
  return `${path}L${at(rest.at(-1)!)}`;
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function arrow(before: Point, tip: Point): string {
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [x, y] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const back = { x: tip.x - 7 * x, y: tip.y - 7 * y };
  return `M${at(tip)}L${at({ x: back.x - 4 * y, y: back.y + 4 * x })}L${at({ x: back.x + 4 * y, y: back.y - 4 * x })}z`;
}

function at({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
