import { hitsOf } from "./hits.ts";
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
  const rule = breakpoint.hitCondition === undefined ? EVERY : hitRule(breakpoint.hitCondition);
  if (!rule) return NEVER;
  return {
    next: (step) => hits.at(after(rule, hits.count(step + 1)) - 1),
    previous: (step) => hits.at(before(rule, hits.count(step)) - 1),
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

/** Of the hits, counted from 1, those from `first` to `last` whose number `every` divides. */
interface HitRule {
  readonly first: number;
  readonly last: number;
  readonly every: number;
}

const EVERY: HitRule = { first: 1, last: Number.POSITIVE_INFINITY, every: 1 };

/** The number of the first hit after the `count`th that stops, 0 if there is none. */
function after({ first, last, every }: HitRule, count: number): number {
  const number = Math.ceil(Math.max(count + 1, first) / every) * every;
  return number <= last ? number : 0;
}

/** The number of the last hit up to the `count`th that stops, 0 if there is none. */
function before({ first, last, every }: HitRule, count: number): number {
  const number = Math.floor(Math.min(count, last) / every) * every;
  return number >= first ? number : 0;
}

/** What a hit condition says; undefined when it is none. */
function hitRule(condition: string): HitRule | undefined {
  const parts = /^\s*(==|>=|<=|>|<|%)?\s*([0-9]{1,9})\s*$/.exec(condition);
  if (!parts) return undefined;
  const number = Number(parts[2]);
  switch (parts[1]) {
    case ">=":
      return { ...EVERY, first: number };
    case ">":
      return { ...EVERY, first: number + 1 };
    case "<=":
      return { ...EVERY, last: number };
    case "<":
      return { ...EVERY, last: number - 1 };
    case "%":
      return number === 0 ? undefined : { ...EVERY, every: number };
    default:
      return { ...EVERY, first: number, last: number };
  }
}
