import { countHits, unsupported } from "../trace/stepping.ts";
import type { FileBreakpoint, Placed, SessionState } from "./state.ts";

/** What a reader may ask of a breakpoint, in the words of the Debug Adapter Protocol. */
export interface BreakpointOptions {
  readonly enabled?: boolean;
  readonly condition?: string;
  readonly hitCondition?: string;
  readonly logMessage?: string;
}

/** A breakpoint as `<trace-pane>` tells it. */
export interface BreakpointView extends BreakpointOptions {
  /** The line on which it stops, which may lie below the one that was asked for. */
  readonly line: number;
  readonly enabled: boolean;
  /** It stands on a line that can run, and all that it asks for can be honoured. */
  readonly verified: boolean;
  /** The part that cannot be honoured. */
  readonly unsupported?: "condition" | "hitCondition" | "logMessage";
  /** How often its statement has started in what was recorded so far. */
  readonly hits: number;
}

/** The breakpoints in the order of their lines, with their hits. */
export function breakpointViews(state: SessionState): BreakpointView[] {
  return state.breakpoints.map((breakpoint) => {
    const { file: _file, ...rest } = breakpoint;
    const refused = unsupported(breakpoint);
    const hits = state.trace ? countHits(state.trace, breakpoint, state.setup.statements, state.steps) : 0;
    return { ...rest, verified: refused === null, ...(refused ? { unsupported: refused } : {}), hits };
  });
}

/**
 * Sets a breakpoint where there is none, takes it away where there is one; with options it is set, or changed, never taken
 * away. It slides to the next line that can run; where none follows nothing changes and `refused` says so.
 */
export function toggle(state: SessionState, asked: number, options?: BreakpointOptions): SessionState {
  const line = state.setup.stopOf(asked);
  if (line === null) return { ...state, placed: { asked, line: null } };
  const placed: Placed = { asked, line };
  const others = state.breakpoints.filter((breakpoint) => breakpoint.line !== line);
  const old = state.breakpoints.find((breakpoint) => breakpoint.line === line);
  if (old && options === undefined) return { ...state, breakpoints: others, placed };
  const added: FileBreakpoint = { ...(old ?? { file: state.setup.file, line, enabled: true }), ...options };
  return { ...state, breakpoints: [...others, added].sort((a, b) => a.line - b.line), placed };
}

/** Which lines are one statement, and where a breakpoint stops, from the build's pairs (docs/reference/page.md). */
export function stopFinder(stops: ReadonlyMap<number, number>): (line: number) => number | null {
  return (line) => stops.get(line) ?? null;
}
