import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { interpret, speak } from "../../site/src/text/text.ts";

const folder = join(import.meta.dirname, "../../site/src/text");
const elements = join(import.meta.dirname, "../../site/src/elements");
const plural = /_(zero|one|two|few|many|other)$/;

type Texts = Record<string, string>;

function read(code: string): Texts {
  return flatten(JSON.parse(readFileSync(join(folder, `${code}.json`), "utf8")) as object);
}

function flatten(node: object, path = ""): Texts {
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) =>
      typeof value === "string" ? [[path + key, value]] : Object.entries(flatten(value as object, `${path}${key}.`)),
    ),
  );
}

const codes = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, -".json".length));
const english = read("en");
const stems = (texts: Texts) => [...new Set(Object.keys(texts).map((key) => key.replace(plural, "")))].sort();
const names = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name!);

describe("the pane's words", () => {
  it("are there in English and Chinese, and whatever else has a file", () => {
    assert.ok(codes.includes("en") && codes.includes("zh"));
  });

  for (const code of codes) {
    const texts = read(code);

    it(`say in ${code} everything that English says, and nothing else`, () => {
      assert.deepEqual(stems(texts), stems(english));
    });

    it(`have in ${code} a form for each number that the language tells apart`, () => {
      const categories = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
      const counted = Object.keys(texts)
        .filter((key) => plural.test(key))
        .map((key) => key.replace(plural, ""));
      for (const stem of new Set(counted))
        for (const category of categories) assert.ok(`${stem}_${category}` in texts, `${stem}_${category}`);
    });

    it(`use in ${code} only values that English is given, and are never empty`, () => {
      const given = (stem: string) =>
        Object.keys(english)
          .filter((key) => key.replace(plural, "") === stem)
          .flatMap((key) => names(english[key]!));
      for (const [key, text] of Object.entries(texts)) {
        assert.ok(text.trim(), `${key} is empty`);
        for (const name of names(text)) assert.ok(given(key.replace(plural, "")).includes(name), `${key}: {{${name}}}`);
      }
    });
  }

  it("are all used, so that none goes stale", () => {
    const source = readdirSync(elements)
      .map((name) => readFileSync(join(elements, name), "utf8"))
      .join("\n");
    const patterns = [...source.matchAll(/[`"]([\w]+(?:\.[\w]+)*\.?(?:\$\{[^}]*\})?)[`"]/g)].map(([, text]) => text!);
    const exact = new Set(patterns.filter((text) => !text.includes("$")));
    const begun = patterns
      .filter((text) => text.includes("$"))
      .map((text) => text.slice(0, text.indexOf("$")))
      .filter(Boolean);
    const used = (stem: string) => exact.has(stem) || begun.some((start) => stem.startsWith(start));
    assert.deepEqual(
      stems(english).filter((stem) => !used(stem)),
      [],
    );
  });
});

describe("speak", () => {
  it("serves a region by its language's file", async () => {
    const say = await speak("zh-CN");
    assert.equal(say("do.debug"), "调试");
  });

  it("falls back on English where a language has no file", async () => {
    const say = await speak("xx");
    assert.equal(say("do.debug"), "Debug");
  });

  it("writes numbers as the language does and picks the plural", async () => {
    const say = await speak("en");
    assert.equal(say("status.recording", { count: 1234567 }), "Recording: 1,234,567 steps so far");
    assert.equal(say("status.recording", { count: 1 }), "Recording: 1 step so far");
  });

  it("leaves texts from a program as they are", async () => {
    const say = await interpret("en", { a: "{{value}}" });
    assert.equal(say("a" as never, { value: "<b>&</b>" }), "<b>&</b>");
  });
});
