import type { BootProgress, Failure, TraceEnd } from "../protocol.ts";
import type { Say, TextKey } from "../text/text.ts";

/** A file of the site as it is named to a reader: without its host, and without the page's own folders above it. */
function shorten(url: string | undefined): string {
  if (!url) return "";
  try {
    return new URL(url, location.href).pathname.split("/").slice(-2).join("/");
  } catch {
    return url;
  }
}

export function sayFailure(say: Say, { kind, url, detail }: Failure, what?: "job" | "reference"): string {
  const key: TextKey = what && kind !== "file" ? `failure.${what}` : `failure.${kind}`;
  return say(key, { url: shorten(url), detail: detail ? `(${detail})` : "" }).trim();
}

const megabyte = 1_000_000;

export function sayProgress(say: Say, { phase, loaded, total }: BootProgress): string {
  const size = (bytes: number) => (bytes / megabyte).toFixed(1);
  if (phase === "recorder" || phase === "start") return say(`status.${phase}`);
  return total
    ? say(`status.${phase}`, { loaded: size(loaded), total: size(total) })
    : say("status.unsized", { loaded: size(loaded) });
}

/** Why a run is over. */
export function sayEnd(say: Say, end: TraceEnd): string {
  const { status, exception, code = 0, limit = "steps", steps, detail = "" } = end;
  // The end itself is the one event beyond the limit.
  if (status === "limit" || limit === "stack") return say(`end.${limit}`, { count: Math.max(steps - 1, 0) });
  if (status !== "exception" || !exception) return say(`end.${status}`, { code, detail });
  const at = exception.traceback.at(-1);
  const words = { type: exception.type, message: exception.message };
  return at ? say("end.exceptionAt", { ...words, line: at.line, file: at.file }) : say("end.exception", words);
}
