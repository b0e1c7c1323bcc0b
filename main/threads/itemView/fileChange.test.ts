import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countLines, fileChangesOf } from "./fileChange";

describe("lines of a change", () => {
  it.each([
    ["an update", "update", "@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n", 1, 1],
    ["two hunks", "update", "@@ -1 +1,2 @@\n one\n+two\n@@ -9,2 +10 @@\n-x\n y\n", 1, 1],
    ["headers are no lines", "update", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", 1, 1],
    ["a removed line that looks like a header", "update", "@@ -1,2 +1 @@\n--- old\n keep\n", 0, 1],
    ["an added line that looks like a hunk", "update", "@@ -1 +1,2 @@\n keep\n+@@ -1 +1 @@\n", 1, 0],
    ["no newline at the end", "update", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", 1, 1],
    ["hunks without numbers", "update", "@@\n-one\n+ONE\n+TWO\n two\n", 2, 1],
    ["only moved", "update", "", 0, 0],
    ["a new file as content", "add", "hello\nmore\n", 2, 0],
    ["a new file without a last line break", "add", "hello\nmore", 2, 0],
    ["an empty new file", "add", "", 0, 0],
    ["a new file as a diff", "add", "@@ -0,0 +1,2 @@\n+hello\n+more\n", 2, 0],
    ["a new file that holds a patch", "add", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", 5, 0],
    ["a new file of a list", "add", "- one\n- two\n", 2, 0],
    ["a deleted file as content", "delete", "bye\nbye\n", 0, 2],
    ["a deleted file as a diff", "delete", "@@ -1,2 +0,0 @@\n-bye\n-bye\n", 0, 2],
  ] as const)("%s", (_name, change, diff, added, removed) => {
    expect(countLines(diff, change)).toEqual({ added, removed });
  });

  it("are never negative, whatever the text", () => {
    const line = fc.constantFrom(
      "@@ -1,2 +1,2 @@",
      "@@ -9999999999 +1 @@",
      "@@",
      "+a",
      "-a",
      " a",
      "",
      "\\ x",
      "---",
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom("add", "delete", "update"), (lines, change) => {
        const { added, removed } = countLines(lines.join("\n"), change);
        expect(Number.isInteger(added) && added >= 0 && Number.isInteger(removed) && removed >= 0).toBe(true);
        expect(added + removed).toBeLessThanOrEqual(lines.length);
      }),
    );
  });
});

describe("changes", () => {
  it("a moved file says where it went; an unknown kind is an update", () => {
    const changes = fileChangesOf([
      { path: "a", kind: { type: "update", move_path: "b" }, diff: "" },
      { path: "c", kind: { type: "symlink" }, diff: "" },
      { path: "d", kind: "delete", diff: "x" },
      7,
    ]);
    expect(changes.map(({ path, change, movedTo }) => [path, change, movedTo])).toEqual([
      ["a", "update", "b"],
      ["c", "update", null],
      ["d", "delete", null],
    ]);
  });
});
