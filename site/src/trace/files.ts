import { type Columns, Ints, type Pager } from "./columns.ts";
import { insist } from "./error.ts";
import { Histories } from "./histories.ts";
import type { Strings } from "./strings.ts";

export type FileChange = "created" | "changed" | "deleted";
const CHANGES: readonly FileChange[] = ["created", "changed", "deleted"];
const DELETED = 2;

export interface FileState {
  readonly path: string;
  readonly change: FileChange;
  readonly size: number;
  /** The step of the event that brought the file into this state. */
  readonly step: number;
  readonly deleted: boolean;
}

/** The workspace's files, version by version. */
export class Files {
  private readonly lists: Histories;
  private readonly paths = new Map<number, number>();
  private readonly starts: Ints;
  private readonly steps: Ints;
  private kept: { change: number; bytes: Uint8Array } | undefined;

  constructor(
    private readonly columns: Columns,
    private readonly strings: Strings,
    pager?: Pager,
  ) {
    this.lists = new Histories(pager);
    this.starts = new Ints(pager);
    this.steps = new Ints(pager);
    this.starts.push(0);
  }

  /** Checks that the new file changes fit each other and the bytes. */
  grow(): void {
    const { fileCount, fileBytes } = this.columns;
    for (let change = this.starts.length - 1; change < fileCount.length; change++) this.check(change);
    insist(this.starts.at(fileCount.length) === fileBytes.length, "bytes follow the last file change");
  }

  /** Event `step` is file change `change`. */
  add(step: number, change: number): void {
    insist(change === this.steps.length, () => `event ${step} names file change ${change}, not the next one`);
    insist(change < this.columns.filePath.length, () => `event ${step} names file change ${change}, which is missing`);
    const path = this.columns.filePath.at(change);
    const list = this.paths.get(path) ?? this.lists.create();
    this.paths.set(path, list);
    this.checkSize(change, this.lists.before(list, change));
    this.lists.add(list, change);
    this.steps.push(step);
  }

  /** Every path that was touched up to and including `step`, in the order of first touch. */
  states(step: number): FileState[] {
    const limit = this.steps.above(step);
    const changes = Array.from(this.paths.values(), (list) => this.lists.before(list, limit));
    return changes.filter((change) => change >= 0).map((change) => this.state(change));
  }

  /** What `change`, the argument of a file event, did. */
  state(change: number): FileState {
    const { filePath, fileChange, fileSize } = this.columns;
    const kind = fileChange.at(change);
    return {
      path: this.strings.text(filePath.at(change)),
      change: CHANGES[kind] as FileChange,
      size: fileSize.at(change),
      step: this.steps.at(change),
      deleted: kind === DELETED,
    };
  }

  /** The content of a file as it was at `step`; null when it did not exist. */
  content(path: string, step: number): Uint8Array | null {
    const limit = this.steps.above(step);
    for (const [id, list] of this.paths) {
      if (this.strings.text(id) !== path) continue;
      const change = this.lists.before(list, limit);
      if (change < 0 || this.columns.fileChange.at(change) === DELETED) return null;
      return this.build(list, change).slice();
    }
    return null;
  }

  /** The steps at which a file changed, up to and including `step`. */
  history(path: string, step: number): FileState[] {
    const limit = this.steps.above(step);
    for (const [id, list] of this.paths) {
      if (this.strings.text(id) !== path) continue;
      return Array.from(this.lists.values(list, limit), (change) => this.state(change));
    }
    return [];
  }

  /** The bytes that a change put in. */
  written(change: number): Uint8Array {
    return this.columns.fileBytes.view(this.starts.at(change), this.starts.at(change + 1));
  }

  private check(change: number): void {
    const { filePath, fileChange, fileSize, filePrefix, fileSuffix, fileCount, fileBytes } = this.columns;
    const start = this.starts.at(change);
    const count = fileCount.at(change);
    this.strings.checkId(filePath.at(change), `file change ${change}`);
    insist(fileChange.at(change) <= DELETED, () => `file change ${change} is of kind ${fileChange.at(change)}`);
    insist(
      count >= 0 && count <= fileBytes.length - start,
      () => `file change ${change} has no room for its ${count} bytes`,
    );
    const [prefix, suffix] = [filePrefix.at(change), fileSuffix.at(change)];
    insist(prefix >= 0 && suffix >= 0, () => `file change ${change} keeps a negative number of bytes`);
    insist(prefix + count + suffix === fileSize.at(change), () => `file change ${change} does not add up to its size`);
    this.starts.push(start + count);
  }

  private checkSize(change: number, before: number): void {
    const gone = before < 0 || this.columns.fileChange.at(before) === DELETED;
    const size = gone ? 0 : this.columns.fileSize.at(before);
    const kept = this.columns.filePrefix.at(change) + this.columns.fileSuffix.at(change);
    insist(kept <= size, () => `file change ${change} keeps ${kept} of ${size} bytes`);
  }

  /** Walks back to a version that keeps nothing of the one before, then forward again. */
  private build(list: number, change: number): Uint8Array {
    const chain: number[] = [];
    let size = 0;
    let at = change;
    for (; at >= 0 && this.kept?.change !== at; at = this.lists.before(list, at)) {
      chain.push(at);
      size = Math.max(size, this.columns.fileSize.at(at));
      if (this.columns.filePrefix.at(at) + this.columns.fileSuffix.at(at) === 0) break;
    }
    const base = this.kept?.change === at ? this.kept.bytes : new Uint8Array();
    const buffer = new Uint8Array(Math.max(size, base.length));
    buffer.set(base);
    let length = base.length;
    for (const next of chain.reverse()) length = this.apply(buffer, length, next);
    this.kept = { change, bytes: buffer.slice(0, length) };
    return this.kept.bytes;
  }

  private apply(buffer: Uint8Array, length: number, change: number): number {
    const [prefix, suffix] = [this.columns.filePrefix.at(change), this.columns.fileSuffix.at(change)];
    const added = this.written(change);
    buffer.copyWithin(prefix + added.length, length - suffix, length);
    buffer.set(added, prefix);
    return prefix + added.length + suffix;
  }
}
