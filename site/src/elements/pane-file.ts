import type { Failure, Job } from "../protocol.ts";

/** The native run of a scenario, recorded when the site was built. */
export interface Reference {
  readonly trace: string;
  readonly digest: string;
  readonly events: number;
  readonly python: string;
}

export interface Scenario {
  readonly id: string;
  readonly label: Readonly<Record<string, string>>;
  readonly job: Job;
  readonly digest: string;
  readonly reference: Reference | null;
}

/** What docs/reference/page.md says of a pane's jobs. */
export interface PaneFile {
  readonly format: string;
  readonly pane: string;
  readonly build: string;
  readonly scenarios: readonly Scenario[];
}

/** A file of the site that could not be had. `what` says which of the pane's texts names it. */
export class FileError extends Error {
  constructor(
    readonly what: "job" | "reference",
    readonly failure: Failure,
  ) {
    super(failure.detail);
  }
}

const format = "tracepane-pane/1";

/** The jobs of a pane. Throws FileError when they cannot be had or are of another release's form. */
export async function fetchPane(url: string, signal: AbortSignal): Promise<PaneFile> {
  const response = await fetchFile("job", url, signal);
  const file = (await response.json().catch(() => null)) as PaneFile | null;
  if (file?.format !== format)
    throw new FileError("job", { kind: "build", url, detail: `it is not in the form ${format}` });
  return file;
}

/** Throws FileError. */
export async function fetchFile(what: "job" | "reference", url: string, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    throw new FileError(what, { kind: location.protocol === "file:" ? "file" : "offline", url, detail: String(error) });
  }
  if (!response.ok)
    throw new FileError(what, { kind: "missing", url, detail: `${response.status} ${response.statusText}`.trim() });
  return response;
}

/** The pane's jobs, asked for once; after a failure they are asked for again. */
export class PaneFiles {
  #loading: Promise<PaneFile> | null = null;

  load(url: string): Promise<PaneFile> {
    const loading = this.#loading ?? fetchPane(url, new AbortController().signal);
    this.#loading = loading;
    loading.catch(() => {
      if (this.#loading === loading) this.#loading = null;
    });
    return loading;
  }
}
