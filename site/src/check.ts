/** What `tracepane verify` drives in a browser: the page's own runtime, with its runs kept to be fetched by the test. */
import type { BootProgress, Failure, Job, TraceEnd, TraceHeader } from "./protocol.ts";
import { openRuntime } from "./runtime/open.ts";

interface Record {
  header: TraceHeader | null;
  chunks: Uint8Array[];
  end: TraceEnd | null;
  failure: Failure | null;
}

const runtime = openRuntime(new URL(".", import.meta.url));
const progress: BootProgress[] = [];
runtime.onprogress = (value) => progress.push(value);

/** Settles when the run has ended. The chunks are fetched after, in pieces that a debugging protocol can carry. */
function record(job: Job, recording: boolean, began?: () => void): Promise<Record> {
  const result: Record = { header: null, chunks: [], end: null, failure: null };
  const { promise, settle } = defer<Record>();
  const handle = runtime.run(job, recording, {
    started: () => began?.(),
    header: (header) => { result.header = header; },
    chunk: (bytes) => result.chunks.push(bytes),
    end: (end) => settle({ ...result, end }),
    failed: (failure) => settle({ ...result, failure }),
  });
  void handle;
  return promise;
}

function defer<T>(): { promise: Promise<T>; settle: (value: T) => void } {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => { settle = resolve; });
  return { promise, settle };
}

Object.assign(globalThis, { tracepane: { runtime, record, progress } });
