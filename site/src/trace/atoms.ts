import { TraceError } from "./error.ts";

/** An atom taken apart. `length` is there when it was cut: what it had in characters, bytes or hexadecimal digits. */
export interface AtomForm {
  readonly letter: string;
  readonly type: string;
  /** What follows the letter in the trace: of `S` still escaped, of bytes hexadecimal. */
  readonly rest: string;
  readonly length?: number;
  readonly digest?: string;
}

const TYPES: Readonly<Record<string, string>> = {
  n: "NoneType",
  t: "bool",
  f: "bool",
  e: "ellipsis",
  N: "NotImplementedType",
  i: "int",
  d: "float",
  c: "complex",
  s: "str",
  S: "str",
  y: "bytes",
};

const FORMS: Readonly<Record<string, RegExp>> = {
  n: /^$/,
  t: /^$/,
  f: /^$/,
  e: /^$/,
  N: /^$/,
  i: /^(?:0|-?[1-9][0-9]*|-?x[1-9a-f][0-9a-f]*)$/,
  d: /^(?:nan|-?inf|-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)$/,
  c: /^\(?[-+.0-9a-z]+j\)?$/,
  S: /^(?:[\x20-\x5b\x5d-\x7e]|\\(?:[\\tnr]|x[0-9a-f]{2}|u[0-9a-f]{4}|U00(?:0[0-9a-f]|10)[0-9a-f]{4}))*$/,
  y: /^(?:[0-9a-f]{2})*$/,
};

const CUT = /^([0-9]{1,15}):([0-9a-f]{16}):/;

/** Takes an atom's text apart; a text that is none is a TraceError. */
export function atomForm(text: string): AtomForm {
  if (text[0] !== ">") return wholeForm(text);
  const head = CUT.exec(text.slice(1, 40));
  if (!head) throw new TraceError(`a cut value is malformed: ${sample(text)}`);
  const kept = wholeForm(text.slice(1 + head[0].length));
  return { ...kept, length: Number(head[1]), digest: head[2] as string };
}

function wholeForm(text: string): AtomForm {
  const letter = text[0] ?? "";
  const rest = text.slice(1);
  const type = TYPES[letter];
  if (type === undefined || FORMS[letter]?.test(rest) === false) {
    throw new TraceError(`a value is malformed: ${sample(text)}`);
  }
  return { letter, type, rest };
}

function sample(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}

const ESCAPE = /\\(?:([\\tnr])|x(..)|u(....)|U(........))|[^\\]/g;
const SHORT: Readonly<Record<string, number>> = { "\\": 92, t: 9, n: 10, r: 13 };

/**
 * A str's characters as code points. Lone surrogates stay apart, where in a JavaScript string a high and a low one
 * that follow each other would melt into one character.
 */
export function codePoints(form: AtomForm): number[] {
  if (form.letter !== "S") return Array.from(form.rest, (character) => character.codePointAt(0) as number);
  return Array.from(form.rest.matchAll(ESCAPE), ([whole, short, ...codes]) => {
    if (short !== undefined) return SHORT[short] as number;
    const code = codes.find((part) => part !== undefined);
    return code === undefined ? whole.charCodeAt(0) : Number.parseInt(code, 16);
  });
}

/** The text of a str as JavaScript holds it. */
export function strText(form: AtomForm): string {
  if (form.letter !== "S") return form.rest;
  return codePoints(form)
    .map((code) => String.fromCodePoint(code))
    .join("");
}

export function byteValues(form: AtomForm): Uint8Array {
  return Uint8Array.from(form.rest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

const CONSTANTS: Readonly<Record<string, string>> = {
  n: "None",
  t: "True",
  f: "False",
  e: "Ellipsis",
  N: "NotImplemented",
};

/** The exact text of an atom: Python's for numbers and constants, the characters of a str, hexadecimal pairs of bytes. */
export function atomText(form: AtomForm): string {
  const constant = CONSTANTS[form.letter];
  if (constant !== undefined) return constant;
  if (form.letter === "S") return strText(form);
  if (form.letter === "i") return form.rest.replace("x", "0x");
  return form.rest;
}

/** How many units an atom has: characters, bytes or digits. */
export function atomLength(form: AtomForm): number {
  if (form.length !== undefined) return form.length;
  if (form.letter === "s" && !/[\ud800-\udbff]/.test(form.rest)) return form.rest.length;
  if (form.letter === "s" || form.letter === "S") return codePoints(form).length;
  return form.letter === "y" ? form.rest.length / 2 : form.rest.length;
}

/** An atom as Python's `repr` gives it, in one line; beyond `budget` characters cut, and followed by how many were left out. */
export function atomRepr(form: AtomForm, budget = Number.POSITIVE_INFINITY): string {
  if (form.letter === "s" || form.letter === "S") return strRepr(form, budget);
  if (form.letter === "y") return bytesRepr(form, budget);
  const text = atomText(form);
  const digits = text.slice(0, Math.max(budget, 8));
  const left = (form.length === undefined ? text.length : form.length + text.length - hexDigits(text)) - digits.length;
  return left > 0 ? `${digits}…+${left}` : text;
}

function hexDigits(text: string): number {
  return text.replace(/^-?0x/, "").length;
}

function strRepr(form: AtomForm, budget: number): string {
  // No character takes more than two code units, so this much holds all that can be shown.
  const whole = form.letter === "S" || form.rest.length <= budget * 2;
  const codes = codePoints(whole ? form : { ...form, rest: form.rest.slice(0, budget * 2) });
  return quote(codes, atomLength(form), budget, escapeCode);
}

/** As many characters as their escapes leave room for, at least one of a text that has any, then the count of the rest. */
function quote(
  codes: ArrayLike<number>,
  length: number,
  budget: number,
  write: (code: number, mark: string) => string,
): string {
  const kept = Array.from({ length: Math.min(codes.length, Math.max(budget, 1)) }, (_, at) => codes[at] as number);
  const mark = kept.includes(0x27) && !kept.includes(0x22) ? '"' : "'";
  let text = "";
  let shown = 0;
  for (; shown < kept.length; shown++) {
    const next = write(kept[shown] as number, mark);
    if (shown > 0 && text.length + next.length > budget) break;
    text += next;
  }
  return `${mark}${text}${mark}${length > shown ? `…+${length - shown}` : ""}`;
}

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const NAMED: Readonly<Record<number, string>> = { 9: "\\t", 10: "\\n", 13: "\\r", 92: "\\\\" };

function escapeCode(code: number, quote: string): string {
  const named = NAMED[code];
  if (named !== undefined) return named;
  if (code === quote.charCodeAt(0)) return `\\${quote}`;
  const character = String.fromCodePoint(code);
  if (!UNPRINTABLE.test(character)) return character;
  if (code < 0x100) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function bytesRepr(form: AtomForm, budget: number): string {
  const bytes = byteValues({ ...form, rest: form.rest.slice(0, Math.max(budget, 1) * 2) });
  return `b${quote(bytes, atomLength(form), budget, escapeByte)}`;
}

function escapeByte(code: number, mark: string): string {
  return code < 0x7f ? escapeCode(code, mark) : `\\x${hex(code, 2)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
