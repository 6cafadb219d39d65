/** A runtime for the page that this script runs in. */
import { Runtime, type WorkerLike } from "../runtime.ts";

/** Both put in by the build: the release, and the decoded sizes of the parts that take long to fetch. */
declare const __TRACEPANE_RELEASE__: string;
declare const __TRACEPANE_SIZES__: { core: number; library: number };

/** `folder` is where the assets lie: `new URL(".", import.meta.url)` in a script that lies among them. */
export function openRuntime(folder: URL): Runtime {
  const base = folder.href;
  return new Runtime({
    base,
    build: __TRACEPANE_RELEASE__,
    sizes: __TRACEPANE_SIZES__,
    spawn: () => new Worker(`${base}worker.js`, { type: "module", name: "tracepane" }) as WorkerLike,
  });
}
