import { type Hits, hitsOf } from "./hits.ts";
import type { Statements } from "./statements.ts";
import type { Trace } from "./trace.ts";

/** A breakpoint in the words of the Debug Adapter Protocol. */
export interface Breakpoint {
  readonly file: string;
  /** Any line of the statement. */
  readonly line: number;
  readonly enabled: boolean;
  /** A Python expression; stops only where it is true. */
  readonly condition?: string;
  /** Which hits stop: `3` or `== 3` the third, `>= 3`, `> 3`, `<= 3`, `< 3`, `% 3` every third. */
  readonly hitCondition?: string;
  /** Does not stop, but logs this text. */
  readonly logMessage?: string;
}

/**
 * The first part of a breakpoint that cannot be honoured, or null. Conditions and log messages need the program's own objects;
 * they will be answered by probes, and are refused until then rather than taken for something else.
 */
export function unsupported(breakpoint: Breakpoint): "condition" | "hitCondition" | "logMessage" | null {
  if (breakpoint.condition !== undefined) return "condition";
  if (breakpoint.logMessage !== undefined) return "logMessage";
  const hits = breakpoint.hitCondition;
  return hits !== undefined && !hitRule(hits) ? "hitCondition" : null;
}

/** Hits that stop. */
interface Stopping {
  /** The first one after `step`, −1 if there is none so far. */
  next(step: number): number;
  /** The last one before `step`, −1 if there is none. */
  previous(step: number): number;
}

const NEVER: Stopping = { next: () => -1, previous: () => -1 };

/** The stopping hits of a breakpoint; none of one that is off or cannot be honoured. */
export function breakpointHits(trace: Trace, breakpoint: Breakpoint, statements: Statements): Stopping {
  if (!breakpoint.enabled || unsupported(breakpoint) !== null) return NEVER;
  const hits = hitsOf(trace, breakpoint.file, breakpoint.line, statements);
  const rule = breakpoint.hitCondition === undefined ? () => true : (hitRule(breakpoint.hitCondition) ?? (() => false));
  return {
    next: (step) => search(hits, rule, hits.count(step + 1), 1),
    previous: (step) => search(hits, rule, hits.count(step) - 1, -1),
  };
}

/** How often a breakpoint's statement started before `step`, whether or not that stops. */
export function countHits(trace: Trace, breakpoint: Breakpoint, statements: Statements, step = trace.steps): number {
  return hitsOf(trace, breakpoint.file, breakpoint.line, statements).count(step);
}

/** The next start of the statement of a line after `cursor`, −1 if there is none so far. */
export function nextHit(trace: Trace, file: string, line: number, cursor: number, statements: Statements): number {
  const hits = hitsOf(trace, file, line, statements);
  return hits.at(hits.count(cursor + 1));
}

/** The last start of the statement of a line before `cursor`, −1 if there is none. */
export function previousHit(trace: Trace, file: string, line: number, cursor: number, statements: Statements): number {
  const hits = hitsOf(trace, file, line, statements);
  return hits.at(hits.count(cursor) - 1);
}

function search(hits: Hits, rule: (count: number) => boolean, from: number, direction: 1 | -1): number {
  let index = from;
  while (hits.at(index) >= 0 && !rule(index + 1)) index += direction;
  return hits.at(index);
}

/** What a hit condition says of the n-th hit; undefined when it is none. */
function hitRule(condition: string): ((count: number) => boolean) | undefined {
  const parts = /^\s*(==|>=|<=|>|<|%)?\s*([0-9]{1,9})\s*$/.exec(condition);
  if (!parts) return undefined;
  const number = Number(parts[2]);
  switch (parts[1]) {
    case ">=":
      return (count) => count >= number;
    case "<=":
      return (count) => count <= number;
    case ">":
      return (count) => count > number;
    case "<":
      return (count) => count < number;
    case "%":
      return number === 0 ? undefined : (count) => count % number === 0;
    default:
      return (count) => count === number;
  }
}
