import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Workspace } from "../../site/src/elements/workspace.ts";
import { Recording } from "./recording.ts";

const JOB = {
  files: [
    { name: "data/in.txt", text: "café\n" },
    { name: "raw.bin", base64: "AAH/" },
    { name: "empty", text: "" },
  ],
};
const given = (path: string, size: number) => ({ path, size, change: "given", step: -1, deleted: false });
const read = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);

/** Writes a file of its own, then one that was given, and deletes it. */
function touching() {
  const recording = new Recording();
  recording.call("<module>", 1);
  recording.write("new.txt", "x");
  recording.write("data/in.txt", "tea\n");
  recording.write("data/in.txt", null);
  return recording.trace();
}

describe("the workspace", () => {
  it("holds what the job gave before anything has run", () => {
    const workspace = new Workspace(JOB);
    assert.deepEqual(workspace.at(null, -1), [given("data/in.txt", 6), given("raw.bin", 3), given("empty", 0)]);
    assert.deepEqual(workspace.content(null, -1, "raw.bin"), Uint8Array.of(0, 1, 255));
    assert.equal(workspace.content(null, -1, "nothing"), null);
    assert.deepEqual(new Workspace(null).at(null, -1), []);
  });

  it("shows a given file as the program made it from its first change on, in its place", () => {
    const [workspace, trace] = [new Workspace(JOB), touching()];
    const seen = [0, 1, 2, 3].map((step) =>
      workspace.at(trace, step).map(({ path, change, deleted }) => `${path} ${deleted ? "gone" : change}`),
    );
    const rest = ["raw.bin given", "empty given"];
    assert.deepEqual(seen, [
      ["data/in.txt given", ...rest],
      ["data/in.txt given", ...rest, "new.txt created"],
      ["data/in.txt created", ...rest, "new.txt created"],
      ["data/in.txt gone", ...rest, "new.txt created"],
    ]);
    const contents = [0, 1, 2, 3].map((step) => read(workspace.content(trace, step, "data/in.txt")));
    assert.deepEqual(contents, ["café\n", "café\n", "tea\n", null]);
  });
});
