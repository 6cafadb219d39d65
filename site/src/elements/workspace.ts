import type { Job } from "../protocol.ts";
import type { FileChange, FileState, Trace } from "../trace/trace.ts";

/** A file of the workspace as a reader sees it; `given` ones came with the job and are untouched, and of no step. */
export interface WorkspaceFile extends Omit<FileState, "change"> {
  readonly change: FileChange | "given";
}

/** The workspace as the program sees it: what the job gave, under what the program made of it. */
export class Workspace {
  readonly #given: ReadonlyMap<string, Uint8Array>;

  constructor(job: Job | null) {
    this.#given = new Map(filesOf(job).map((file) => [file.name, bytesOf(file)]));
  }

  /** The files at a step; before the first one, −1, those that are given. Each keeps its place from step to step. */
  at(trace: Trace | null, step: number): WorkspaceFile[] {
    const touched = new Map(trace && step >= 0 ? trace.files(step).map((file) => [file.path, file]) : []);
    const given = Array.from(this.#given, ([path, { length: size }]): WorkspaceFile => {
      return touched.get(path) ?? { path, size, change: "given", step: -1, deleted: false };
    });
    return [...given, ...[...touched.values()].filter(({ path }) => !this.#given.has(path))];
  }

  /** What is in a file at a step; null where there is none. */
  content(trace: Trace | null, step: number, path: string): Uint8Array | null {
    const touched = trace !== null && step >= 0 && trace.fileHistory(path, step).length > 0;
    return touched ? trace.fileContent(path, step) : (this.#given.get(path) ?? null);
  }
}

interface GivenFile {
  readonly name: string;
  readonly text?: string;
  readonly base64?: string;
}

/** As docs/reference/job.md has them. */
function filesOf(job: Job | null): readonly GivenFile[] {
  return (job?.["files"] ?? []) as readonly GivenFile[];
}

function bytesOf({ text = "", base64 }: GivenFile): Uint8Array {
  return base64 === undefined
    ? new TextEncoder().encode(text)
    : Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
