/**
 * Which lines belong to one statement. A statement over several lines has line events on many of them, in any order; for
 * stepping and breakpoints it is one thing. The publisher says it with `data-breakpoint`: the line on which a breakpoint
 * stops is the same for all lines of a statement (docs/reference/page.md). Comments that slide to it do no harm: they
 * never have an event.
 */
export interface Statements {
  /** The line that stands for the statement of a line. */
  keyOf(file: string, line: number): number;
  /** All lines of the statement that `key` stands for. */
  linesOf(file: string, key: number): readonly number[];
}

/** Without any knowledge every line is a statement. */
export const EACH_LINE: Statements = {
  keyOf: (_file, line) => line,
  linesOf: (_file, key) => [key],
};

/** Statements of one file from pairs of a line and the line on which a breakpoint set there stops. */
export function statementsOf(file: string, stops: Iterable<readonly [line: number, stop: number]>): Statements {
  const keys = new Map(stops);
  const lines = new Map<number, number[]>();
  for (const [line, key] of keys) lines.set(key, [...(lines.get(key) ?? []), line]);
  return {
    keyOf: (name, line) => (name === file ? (keys.get(line) ?? line) : line),
    linesOf: (name, key) => (name === file ? (lines.get(key) ?? [key]) : [key]),
  };
}
