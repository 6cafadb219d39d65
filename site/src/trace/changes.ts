import type { Objects } from "./objects.ts";

/** Tells which values changed deeply between two moments, given as row limits. One instance answers for many values. */
export class Changes {
  private readonly dirty = new Set<number>();
  private readonly clean = new Set<number>();
  private readonly quiet: boolean;

  constructor(
    private readonly objects: Objects,
    private readonly before: number,
    private readonly now: number,
  ) {
    this.quiet = !objects.anyBetween(before, now);
  }

  /** Whether what `ref` holds now, or anything reached from it, differs from what it held before. */
  reaches(ref: number): boolean {
    if (this.quiet || ref >= 0) return false;
    const seen = new Set<number>([-ref]);
    for (const object of seen) {
      if (this.clean.has(object)) continue;
      if (this.differs(object)) {
        this.dirty.add(-ref);
        return true;
      }
      const version = this.objects.version(object, this.now);
      for (const held of this.objects.refs(version)) if (held < 0) seen.add(-held);
    }
    for (const object of seen) this.clean.add(object);
    return false;
  }

  private differs(object: number): boolean {
    if (this.dirty.has(object)) return true;
    const before = this.objects.version(object, this.before);
    return before < 0 || !this.objects.same(before, this.objects.version(object, this.now));
  }
}
