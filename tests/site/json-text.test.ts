import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { unfoldJson } from "../../site/src/elements/json-text.ts";

describe("unfoldJson", () => {
  it("gives each part a line, and empty ones none", () => {
    const row = '{"a": [1, {"b": []}, {}], "c": "x"}';
    assert.equal(unfoldJson(row), JSON.stringify(JSON.parse(row), null, 2));
  });

  it("keeps every literal as it was written", () => {
    const row = '{"id":12345678901234567890,"x":1.0,"y":1e3,"z":"\\u00e9"}';
    const shown = '{\n  "id": 12345678901234567890,\n  "x": 1.0,\n  "y": 1e3,\n  "z": "\\u00e9"\n}';
    assert.equal(unfoldJson(row), shown);
  });

  it("keeps names that are given twice, and the order of names that are numbers", () => {
    assert.equal(unfoldJson('{"2":1,"1":2,"2":3}'), '{\n  "2": 1,\n  "1": 2,\n  "2": 3\n}');
  });

  it("leaves marks in strings alone", () => {
    const row = '["a,b", "{", "\\"]", ""]';
    assert.equal(unfoldJson(row), '[\n  "a,b",\n  "{",\n  "\\"]",\n  ""\n]');
  });

  it("leaves what is no JSON as it is", () => {
    for (const row of ["not json", '{"a":', "{'a': 1}", "NaN"]) assert.equal(unfoldJson(row), row);
  });
});
