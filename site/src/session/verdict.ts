import { compare } from "../trace/compare.ts";
import { isWhole } from "../trace/ending.ts";
import type { Trace } from "../trace/trace.ts";
import type { SessionState, Verdict } from "./state.ts";

type Judged = Pick<SessionState, "verdict" | "wantsReference">;

/** What the end of a run says of the verdict. A difference, a run cut short, or one without a digest needs the shipped trace to say more. */
export function judge(state: SessionState): Judged {
  const { trace, run, end } = state;
  if (!trace || !run?.record || !end) return { verdict: { status: "none" }, wantsReference: false };
  if (run.from === "native") return unavailable("native");
  const reference = state.setup.references[state.scenario];
  if (!reference) return unavailable("none");
  if (trace.header.job !== reference.job) return unavailable("input");
  if (!isWhole(end)) return { verdict: { status: "none" }, wantsReference: true };
  // Where the browser lends no SHA-256, only the events themselves can tell.
  if (!end.digest) return { verdict: { status: "none" }, wantsReference: true };
  if (end.digest === reference.digest) return { verdict: { status: "equal" }, wantsReference: false };
  return { verdict: { status: "different" }, wantsReference: true };
}

/** The verdict with the shipped trace at hand; null: it could not be had. */
export function judgeWith(state: SessionState, reference: Trace | null): Judged {
  const { trace, end, verdict } = state;
  if (!state.wantsReference || !trace || !end) return state;
  if (reference === null)
    return verdict.status === "different" ? { verdict, wantsReference: false } : unavailable("fetch");
  const found = compare(reference, trace, state.setup.sources[state.scenario] ?? []);
  if (found.divergence) return { verdict: differs(found.divergence), wantsReference: false };
  if (end.status === "crashed") return unavailable("crashed");
  // Equal event by event, though the digests are not: an end that was told otherwise, or a reference of another build.
  if (isWhole(end) && end.digest)
    return { verdict: { status: "different", step: trace.steps - 1 }, wantsReference: false };
  const part = found.compared < trace.steps ? { compared: found.compared } : {};
  return { verdict: { status: "equal", ...part }, wantsReference: false };
}

function differs(divergence: NonNullable<Verdict["divergence"]>): Verdict {
  const { step, reason } = divergence;
  return { status: "different", step, ...(reason ? { reason } : {}), divergence };
}

function unavailable(reason: string): Judged {
  return { verdict: { status: "unavailable", reason }, wantsReference: false };
}
