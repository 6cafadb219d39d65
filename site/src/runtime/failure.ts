/** Why something could not be loaded, found out by asking for it once more. */
import type { Failure } from "../protocol.ts";

export type Fetch = (url: string, init?: { signal?: AbortSignal }) => Promise<Response>;

/** Carries a Failure through promises. */
export class LoadError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.detail);
  }
}

const SCRIPT_TYPE = /^(text|application)\/(x-)?(java|ecma)script\b/i;

/** A browser does not tell a program why a script or a worker did not load, so ask as data and look. */
export async function diagnoseScript(fetch: Fetch, url: string, detail: string): Promise<Failure> {
  if (url.startsWith("file:")) return { kind: "file", url, detail: "a page opened from disk starts no worker" };
  try {
    const response = await fetchPart(fetch, url);
    const type = response.headers.get("content-type") ?? "";
    await response.body?.cancel();
    if (SCRIPT_TYPE.test(type)) return { kind: "crash", url, detail };
    return { kind: "type", url, detail: `served as ${type || "no type"}; a module needs text/javascript` };
  } catch (error) {
    return error instanceof LoadError ? error.failure : { kind: "crash", url, detail: String(error) };
  }
}

/** A response that is there and well. Throws LoadError: `offline`, or `missing` with the status. */
export async function fetchPart(fetch: Fetch, url: string, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, signal ? { signal } : {});
  } catch (error) {
    if (url.startsWith("file:")) throw new LoadError({ kind: "file", url, detail: String(error) });
    throw new LoadError({ kind: "offline", url, detail: String(error) });
  }
  if (!response.ok) {
    throw new LoadError({ kind: "missing", url, detail: `${response.status} ${response.statusText}`.trim() });
  }
  return response;
}

/** What this browser lacks, or null. */
export function findMissingFeature(scope: Record<string, unknown>): Failure | null {
  for (const name of ["Worker", "WebAssembly", "fetch", "ReadableStream"]) {
    if (scope[name] === undefined) return { kind: "unsupported", detail: `this browser has no ${name}` };
  }
  return null;
}
