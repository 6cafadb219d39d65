/** Numbers of rows, ascending. */
export interface Rows {
  readonly length: number;
  at(index: number): number;
}

export const NO_ROWS: Rows = { length: 0, at: () => -1 };

/** What was written, oldest first; nothing is made for what nobody asks about. */
export class Writes<What> {
  constructor(
    private readonly rows: Rows,
    private readonly read: (row: number) => What,
  ) {}

  get length(): number {
    return this.rows.length;
  }

  /** The `index`th, from 0 to before `length`. */
  at(index: number): What {
    return this.read(this.rows.at(index));
  }

  all(): What[] {
    return Array.from({ length: this.length }, (_, index) => this.at(index));
  }
}
