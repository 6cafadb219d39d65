/** The digest of a trace, as docs/reference/trace-format.md defines it. */
import type { TraceEnd } from "../protocol.ts";
import type { Page } from "./columns.ts";
import { insist } from "./error.ts";
import { COLUMNS } from "./layout.ts";
import type { Trace } from "./trace.ts";

const NOT_IN_DIGEST = new Set(["digest", "wall", "steps"]);

/**
 * The digest of a trace of which all has come, and which ends so. Null where the browser lends no SHA-256: a page that was
 * not fetched over a safe connection. One column at a time: each is hashed whole, and all of them at once are no quicker.
 */
export async function digestOf(trace: Trace, end: TraceEnd): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null;
  const lines: string[] = [];
  for (const [name] of COLUMNS) lines.push(`${await sha256(trace.tables.columns[name].copy())}\n`);
  const kept = Object.entries(end).filter(([key]) => !NOT_IN_DIGEST.has(key));
  const whole = lines.join("") + canonical(Object.fromEntries(kept));
  return await sha256(new TextEncoder().encode(whole));
}

/** The trace, unless it is not what its end says. An end without a digest passes, and every trace whose digest cannot be had. */
export async function checkDigest(trace: Trace, end: TraceEnd): Promise<Trace> {
  if (!end.digest) return trace;
  const found = await digestOf(trace, end);
  insist(found === null || found === end.digest, "the trace was altered: its digest is not that of what it holds");
  return trace;
}

async function sha256(elements: Page): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", elements as Page & ArrayBufferView<ArrayBuffer>);
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
