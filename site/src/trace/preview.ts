import { atomRepr, strText } from "./atoms.ts";
import { SHAPE } from "./layout.ts";
import type { Tables } from "./tables.ts";
import { type Contents, contentsOf } from "./view.ts";

/** How deep a preview looks into a value, and how many things of one level it ever shows. */
const DEEPEST = 4;
const MOST = 24;

/** Brackets of the shapes that Python writes with their items alone. */
const BRACKETS: Readonly<Record<number, readonly [string, string]>> = {
  [SHAPE.list]: ["[", "]"],
  [SHAPE.tuple]: ["(", ")"],
  [SHAPE.set]: ["{", "}"],
  [SHAPE.frozenset]: ["frozenset({", "})"],
  [SHAPE.deque]: ["deque([", "])"],
  [SHAPE.dict]: ["{", "}"],
  [SHAPE.range]: ["range(", ")"],
  [SHAPE.slice]: ["slice(", ")"],
  [SHAPE.bytearray]: ["bytearray(", ")"],
  [SHAPE.template]: ["Template(", ")"],
  [SHAPE.cell]: ["<cell ", ">"],
};

const EMPTY: Readonly<Record<number, string>> = {
  [SHAPE.set]: "set()",
  [SHAPE.frozenset]: "frozenset()",
  [SHAPE.cell]: "<cell>",
};

/** Types for which the brackets stand alone; a subclass is named before them. */
const PLAIN = new Set(
  "list tuple set frozenset collections.deque deque dict range slice bytearray string.templatelib.Template Template cell".split(
    " ",
  ),
);

/**
 * A value as one line in Python's notation, within a budget of characters that everything inside shares. What does not
 * fit is counted (`…+98`); an object inside itself is `[...]`, as in Python.
 */
export class Preview {
  private readonly open: number[] = [];

  constructor(
    private readonly tables: Tables,
    private readonly limit: number,
    private room: number,
  ) {}

  text(ref: number): string {
    if (ref > 0) return this.spend(atomRepr(this.tables.strings.atom(ref), Math.max(this.room, 8)));
    const object = -ref;
    const { objects } = this.tables;
    const version = objects.version(object, this.limit);
    const shape = objects.shape(version) & 127;
    const type = objects.typeName(version);
    if (this.open.includes(object)) return this.spend(closing(shape, type));
    this.open.push(object);
    const text = this.objectText(shape, type, objects.length(version), contentsOf(this.tables, version));
    this.open.pop();
    return text;
  }

  private objectText(shape: number, type: string, length: number, contents: Contents): string {
    const state = contents.items?.[0];
    switch (shape) {
      case SHAPE.opaque:
        return this.spend(`<${type}>`);
      case SHAPE.function:
      case SHAPE.class:
      case SHAPE.module:
        return this.spend(`<${shape === SHAPE.class ? "class" : type} ${contents.text}>`);
      case SHAPE.generator:
      case SHAPE.coroutine:
      case SHAPE.asyncGenerator:
        return this.spend(`<${type} ${contents.text}, ${strText(this.tables.strings.atom(state as number))}>`);
      case SHAPE.method:
        return this.spend(`<bound method ${contents.text}>`);
      case SHAPE.instance:
      case SHAPE.exception:
        return this.call(type, contents, length);
      default:
        return this.container(shape, type, length, contents);
    }
  }

  /** `Type(item, name=value)`. */
  private call(type: string, contents: Contents, length: number): string {
    const head = this.spend(`${lastName(type)}(`);
    const items = contents.items ?? [];
    const attributes = contents.attributes ?? [];
    const total = Math.max(length, items.length) + attributes.length;
    const real = items.length > 0 ? total : attributes.length;
    const each = [
      ...items.slice(0, MOST).map((ref) => () => this.text(ref)),
      ...attributes.slice(0, MOST).map(
        ([name, ref]) =>
          () =>
            this.spend(`${name}=`) + this.text(ref),
      ),
    ];
    return `${head}${this.join(each, real)})`;
  }

  private container(shape: number, type: string, length: number, contents: Contents): string {
    const held = contents.entries ?? contents.items ?? [];
    const total = Math.max(length, held.length);
    const named = PLAIN.has(type) ? "" : lastName(type);
    if (total === 0 && named === "" && EMPTY[shape] !== undefined) return this.spend(EMPTY[shape] as string);
    const [open, close] = BRACKETS[shape] as readonly [string, string];
    const head = this.spend(named === "" ? open : `${named}(${open}`);
    const each = contents.entries
      ? contents.entries.slice(0, MOST).map(
          ([key, value]) =>
            () =>
              `${this.text(key)}: ${this.text(value)}`,
        )
      : (contents.items ?? []).slice(0, MOST).map((ref) => () => this.text(ref));
    const comma = shape === SHAPE.tuple && total === 1 ? "," : "";
    return `${head}${this.join(each, total)}${comma}${close}${named === "" ? "" : ")"}`;
  }

  /** As many parts as there is room for, then the count of those left out of `total`. */
  private join(parts: readonly (() => string)[], total: number): string {
    const shown: string[] = [];
    const deep = this.open.length > DEEPEST;
    for (const part of parts) {
      if (this.room <= 0 || deep) break;
      this.room -= 2;
      shown.push(part());
    }
    if (total > shown.length) shown.push(`…+${total - shown.length}`);
    return shown.join(", ");
  }

  private spend(text: string): string {
    this.room -= text.length;
    return text;
  }
}

function closing(shape: number, type: string): string {
  const [open, close] = BRACKETS[shape] ?? [`${lastName(type)}(`, ")"];
  return `${open}...${close}`;
}

/** `Outer.Inner` of a qualified name, without the function that it was made in. */
function lastName(type: string): string {
  return type.slice(type.lastIndexOf(">.") + 1).replace(/^\./, "");
}
