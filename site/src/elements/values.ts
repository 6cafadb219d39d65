import type { Trace, ValueView } from "../trace/trace.ts";

/** A part of a value. `key` is the same for the same place at other steps. */
export interface Child {
  readonly key: string;
  readonly name: string;
  readonly ref: number;
}

/** A text that does not fit on a line has something to unfold, too. */
const longText = 60;

/** Whether a value has parts that are worth a line each. */
export function isDeep({ shape, text = "", items, entries, attributes }: ValueView): boolean {
  if (shape === "atom") return text.length > longText || text.includes("\n");
  if (shape === "range" || shape === "slice" || shape === "method") return false;
  return [items, entries, attributes].some((parts) => (parts?.length ?? 0) > 0);
}

/** Whether a value is a piece of the program rather than of its data. */
export function isOwn({ shape }: ValueView): boolean {
  return shape === "function" || shape === "class" || shape === "module";
}

/** The parts of a value at a step, in their order. */
export function childrenOf(trace: Trace, ref: number, step: number): Child[] {
  const { shape, items = [], entries = [], attributes = [] } = trace.view(ref, step);
  const bare = shape === "set" || shape === "frozenset";
  return [
    ...items.flatMap((item, index) =>
      item === 0 ? [] : { key: bare ? `{${item}` : `[${index}`, name: bare ? "·" : `[${index}]`, ref: item },
    ),
    ...entries.map(([key, value]) => ({ key: `:${key}`, name: trace.view(key, step).preview, ref: value })),
    ...attributes.flatMap(([name, value]) => (value === 0 ? [] : { key: `.${name}`, name: `.${name}`, ref: value })),
  ];
}
