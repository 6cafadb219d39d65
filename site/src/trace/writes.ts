/** What was written, oldest first; nothing is made for what nobody asks about. Valid until the next append. */
export class Writes<What> {
  constructor(
    private readonly rows: Int32Array,
    private readonly read: (row: number) => What,
  ) {}

  get length(): number {
    return this.rows.length;
  }

  /** The `index`th, from 0 to before `length`. */
  at(index: number): What {
    return this.read(this.rows[index] as number);
  }

  all(): What[] {
    return Array.from(this.rows, this.read);
  }
}
