import { atomLength, atomRepr, atomText } from "./atoms.ts";
import { SHAPE } from "./layout.ts";
import { Preview } from "./preview.ts";
import type { Tables } from "./tables.ts";

export type ShapeName = keyof typeof SHAPE;
const SHAPE_NAMES = Object.keys(SHAPE) as ShapeName[];

/** One level of a value. What it holds is given as refs, to be viewed in their turn at the same step. */
export interface ValueView {
  /** The qualified name of the Python type. */
  readonly type: string;
  readonly shape: ShapeName | "atom";
  /** Of objects: the number by which two names for the same object are told. */
  readonly id?: number;
  /** Of atoms the exact text (of bytes hexadecimal), of functions, classes, modules, generators and methods the name. */
  readonly text?: string;
  /** Items of a sequence or set, `args` of an exception, the base value of a subclass of an atom type. */
  readonly items?: readonly number[];
  readonly entries?: readonly (readonly [key: number, value: number])[];
  readonly attributes?: readonly (readonly [name: string, value: number])[];
  /** How many items, entries, characters, bytes there really were. */
  readonly length: number;
  /** How many of them were left out of the trace. */
  readonly left: number;
  /** One short line in Python's notation; what it leaves out is counted, as in `[0, 1, …+98]`. */
  readonly preview: string;
}

export function viewOf(tables: Tables, ref: number, limit: number): ValueView {
  return ref > 0 ? atomView(tables, ref) : objectView(tables, -ref, limit);
}

const PREVIEW = 72;

function atomView(tables: Tables, ref: number): ValueView {
  const form = tables.strings.atom(ref);
  const length = atomLength(form);
  const kept =
    form.length === undefined ? length : atomLength({ letter: form.letter, type: form.type, rest: form.rest });
  const preview = atomRepr(form, PREVIEW);
  return { type: form.type, shape: "atom", text: atomText(form), length, left: Math.max(0, length - kept), preview };
}

function objectView(tables: Tables, object: number, limit: number): ValueView {
  const { objects } = tables;
  const version = objects.version(object, limit);
  const contents = contentsOf(tables, version);
  const length = objects.length(version);
  // An instance's length counts its attributes, but one that is also a list, an exception, … counts its items.
  const held = (contents.entries ?? contents.items ?? contents.attributes ?? []).length;
  return {
    type: objects.typeName(version),
    shape: SHAPE_NAMES[objects.shape(version) & 127] as ShapeName,
    id: object,
    ...contents,
    length,
    left: Math.max(0, length - held),
    preview: new Preview(tables, limit, PREVIEW).text(-object),
  };
}

export interface Contents {
  readonly text?: string;
  readonly items?: readonly number[];
  readonly entries?: readonly (readonly [key: number, value: number])[];
  readonly attributes?: readonly (readonly [name: string, value: number])[];
}

/** What a version holds, by the meaning of its shape. */
export function contentsOf(tables: Tables, version: number): Contents {
  const { objects, strings } = tables;
  const slots = objects.slots(version);
  const { start, end, attributes } = objects.parts(version);
  const own = listOf(slots, start, end);
  const pairs: [string, number][] = [];
  if (attributes) {
    for (let at = end; at < slots.length; at += 2)
      pairs.push([strings.text((slots[at] as number) - 1), slots[at + 1] as number]);
  }
  return { ...ownContents(tables, objects.shape(version) & 127, own), ...(attributes ? { attributes: pairs } : {}) };
}

/** What `Array.from` gives, which takes ten times as long: lists of thousands are looked at with every step. */
function listOf(slots: Int32Array, start: number, end: number): number[] {
  const list = new Array<number>(end - start);
  for (let at = start; at < end; at++) list[at - start] = slots[at] as number;
  return list;
}

function ownContents(tables: Tables, shape: number, own: readonly number[]): Contents {
  const name = (at: number) => tables.strings.text((own[at] as number) - 1);
  switch (shape) {
    case SHAPE.opaque:
      return {};
    case SHAPE.dict:
      return { entries: pairUp(own) };
    case SHAPE.function:
    case SHAPE.class:
    case SHAPE.module:
      return { text: name(0) };
    case SHAPE.generator:
    case SHAPE.coroutine:
    case SHAPE.asyncGenerator:
      return { text: name(0), items: [own[1] as number] };
    case SHAPE.method:
      return { text: name(1), items: [own[0] as number] };
    case SHAPE.cell:
      return { items: own.filter((ref) => ref !== 0) };
    case SHAPE.instance:
      return own.length > 0 ? { items: own } : {};
    default:
      return { items: own };
  }
}

function pairUp(flat: readonly number[]): [number, number][] {
  const pairs: [number, number][] = [];
  for (let at = 0; at < flat.length; at += 2) pairs.push([flat[at] as number, flat[at + 1] as number]);
  return pairs;
}
