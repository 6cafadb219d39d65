/** What the runtime takes from its browser. */
import type { Fetch } from "./failure.ts";
import type { Compile } from "./parts.ts";
import type { ShelfOptions } from "./shelf.ts";

export interface Platform extends Pick<ShelfOptions, "openCache" | "digest"> {
  readonly fetch: Fetch;
  readonly compile: Compile;
  readonly scope: Record<string, unknown>;
  setTimeout(act: () => void, milliseconds: number): number;
  clearTimeout(timer: number): void;
}

export function browserPlatform(): Platform {
  return {
    fetch: (url, init) => fetch(url, init),
    compile: (bytes) => WebAssembly.compile(bytes),
    openCache: async (name) => caches.open(name),
    digest: async (bytes) => crypto.subtle.digest("SHA-256", bytes),
    scope: globalThis as unknown as Record<string, unknown>,
    setTimeout: (act, milliseconds) => setTimeout(act, milliseconds),
    clearTimeout: (timer) => clearTimeout(timer),
  };
}
