import type { Columns } from "./columns.ts";
import { insist } from "./error.ts";
import { LAST_CODE_KIND } from "./layout.ts";
import type { Strings } from "./strings.ts";

/** What is known of each code: asked for at every event, and there are few. */
export class Codes {
  readonly files: string[] = [];
  readonly names: string[] = [];
  /** Whether it is a generator expression: no function that anyone wrote, but a part of a statement. */
  readonly expressions: boolean[] = [];

  constructor(
    private readonly columns: Columns,
    private readonly strings: Strings,
  ) {}

  get length(): number {
    return this.names.length;
  }

  /** Takes in the codes that the columns have and this has not. */
  grow(): void {
    const { codeFile, codeName, codeFirst, codeKind } = this.columns;
    for (let code = this.length; code < codeFile.length; code++) {
      this.strings.checkId(codeFile.at(code), `code ${code}`);
      this.strings.checkId(codeName.at(code), `code ${code}`);
      insist(codeFirst.at(code) >= 0, () => `code ${code} starts at line ${codeFirst.at(code)}`);
      insist(codeKind.at(code) <= LAST_CODE_KIND, () => `code ${code} is of kind ${codeKind.at(code)}`);
      const name = this.strings.text(codeName.at(code));
      this.files.push(this.strings.text(codeFile.at(code)));
      this.expressions.push(name.endsWith("<genexpr>"));
      this.names.push(name);
    }
  }
}
