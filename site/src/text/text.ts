/**
 * The pane's words, in the page's language. A language is one JSON file in this folder; English is
 * what is said where a language has no file.
 */
import { createInstance, type TFunction } from "i18next";
import type words from "./en.json";

type Leaves<Node, Path extends string = ""> = {
  [Key in keyof Node & string]: Node[Key] extends string ? `${Path}${Plain<Key>}` : Leaves<Node[Key], `${Path}${Key}.`>;
}[keyof Node & string];

/** Plural forms are asked for by the key without its suffix. */
type Plain<Key extends string> = Key extends `${infer Stem}_${"zero" | "one" | "two" | "few" | "many" | "other"}`
  ? Stem
  : Key;

/** A text that exists: a key that does not is a type error. */
export type TextKey = Leaves<typeof words>;

/** Says a text of the pane; numbers are written as the language writes them. */
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

const spoken = new Map<string, Promise<Say>>();

/** The texts of a language such as `en` or `zh-CN`; regional forms share the file of their language. */
export function speak(language: string): Promise<Say> {
  const code = language.toLowerCase().split(/[-_]/, 1)[0] || "en";
  const known = spoken.get(code);
  if (known) return known;
  const loading = load(code);
  spoken.set(code, loading);
  return loading;
}

async function load(code: string): Promise<Say> {
  const texts = await read(code);
  if (!texts) return speak("en");
  return interpret(code, texts);
}

/** Null when the language has no file. A failed request for English is an error: there is nothing to say it with. */
async function read(code: string): Promise<object | null> {
  try {
    return ((await import(`./${code}.json`)) as { default: object }).default;
  } catch (error) {
    if (code === "en") throw error;
    return null;
  }
}

/** Binds the texts of one language; exported for the tests, which read the files themselves. */
export async function interpret(code: string, texts: object): Promise<Say> {
  const instance = createInstance();
  await instance.init({
    lng: code,
    resources: { [code]: { translation: texts } },
    interpolation: { escapeValue: false },
    showSupportNotice: false,
  } as Parameters<typeof instance.init>[0]);
  // The library's own makes a formatter for every number, which takes longer than all the rest of drawing a step.
  const numbers = new Intl.NumberFormat(code);
  instance.services.formatter?.add("number", (value: number) => numbers.format(value));
  const say = instance.t as TFunction;
  return (key, values = {}) => say(key, values) as string;
}
