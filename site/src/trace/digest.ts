/** The digest of a trace, as docs/reference/trace-format.md defines it. */
import type { TraceEnd } from "../protocol.ts";
import { insist } from "./error.ts";
import { COLUMNS } from "./layout.ts";
import type { Trace } from "./trace.ts";

const NOT_IN_DIGEST = new Set(["digest", "wall", "steps"]);

/**
 * The trace, unless it is not what its end says. An end without a digest (of a run that was ended from outside) passes, and
 * so does every trace where the browser lends no SHA-256: a page that was not fetched over a safe connection.
 */
export async function checkDigest(trace: Trace, end: TraceEnd): Promise<Trace> {
  const { digest } = end;
  if (!digest || !globalThis.crypto?.subtle) return trace;
  const lines: string[] = [];
  for (const [name] of COLUMNS) {
    const column = trace.tables.columns[name];
    const view = column.view(0, column.length);
    lines.push(`${await sha256(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))}\n`);
  }
  const kept = Object.entries(end).filter(([key]) => !NOT_IN_DIGEST.has(key));
  const whole = lines.join("") + canonical(Object.fromEntries(kept));
  const found = await sha256(new TextEncoder().encode(whole));
  insist(found === digest, "the trace was altered: its digest is not that of what it holds");
  return trace;
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** JSON with sorted keys, without spaces, in ASCII. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return ascii(JSON.stringify(value));
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${ascii(JSON.stringify(key))}:${canonical(inner)}`).join(",")}}`;
}

const ascii = (json: string): string =>
  json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
