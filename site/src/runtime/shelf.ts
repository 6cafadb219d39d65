/**
 * Where a device keeps the memory of an interpreter that has just started, from one visit to the next: Cache Storage, where
 * there is one. Whatever goes wrong there is as if nothing was kept.
 */
export interface ShelfOptions {
  /** Rejects where there is no Cache Storage: on an origin that is not secure, in some private windows. */
  readonly openCache: (name: string) => Promise<Cache>;
  /** SHA-256; rejects where there is none. */
  readonly digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>;
  /** Absolute URL of the assets' folder, with its slash. */
  readonly base: string;
  readonly build: string;
}

const CACHE = "tracepane-snapshots";

export class Shelf {
  #key: string | null = null;

  constructor(private readonly options: ShelfOptions) {}

  /** What is kept for this build and this recorder, null when there is nothing. */
  async read(recorder: ArrayBuffer): Promise<ArrayBuffer | null> {
    try {
      this.#key ??= await this.#name(recorder);
      const found = await (await this.options.openCache(CACHE)).match(this.#key);
      return found ? await found.arrayBuffer() : null;
    } catch {
      return null;
    }
  }

  /** Keeps it, and lets go of those of other builds. To be called after `read`, which says under what name. */
  async write(snapshot: ArrayBuffer): Promise<void> {
    try {
      if (this.#key === null) return;
      await this.#forget((url) => url !== this.#key);
      await (await this.options.openCache(CACHE)).put(this.#key, new Response(snapshot));
    } catch {
      // Private browsing, a full disk: the next visit starts plainly.
    }
  }

  async remove(): Promise<void> {
    try {
      await this.#forget((url) => url === this.#key);
    } catch {
      // What cannot be removed is refused again.
    }
  }

  /** The release covers the core and its library; a recorder may be newer than the build that it was put into. */
  async #name(recorder: ArrayBuffer): Promise<string> {
    const bytes = new Uint8Array(await this.options.digest(recorder));
    const recorded = Array.from(bytes.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return `${this.options.base}snapshot-${this.options.build}-${recorded}`;
  }

  /** Several sites may share an origin: only what lies beside this build's folder is this site's to remove. */
  async #forget(which: (url: string) => boolean): Promise<void> {
    const cache = await this.options.openCache(CACHE);
    const own = new URL("..", this.options.base).href;
    for (const { url } of await cache.keys()) if (url.startsWith(own) && which(url)) await cache.delete(url);
  }
}
