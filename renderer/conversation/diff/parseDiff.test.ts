import { describe, expect, test } from "vitest";
import { parseDiff, shownNumber } from "./parseDiff";

function shown(diff: ReturnType<typeof parseDiff>) {
  const mark = { context: " ", added: "+", removed: "-" };
  return diff.hunks.map((hunk) =>
    hunk.lines.map((line) => `${shownNumber(line)}${mark[line.kind]}${line.text}`),
  );
}

describe("unified hunks", () => {
  test("lines, numbers and counts of both sides", () => {
    const diff = parseDiff(
      ["--- a/x.ts", "+++ b/x.ts", "@@ -41,3 +41,4 @@ function f() {", " a", "-b", "+B", "+c", " d", ""].join(
        "\n",
      ),
      "update",
    );
    expect(shown(diff)).toEqual([["41 a", "42-b", "42+B", "43+c", "44 d"]]);
    expect(diff.hunks[0]?.heading).toBe("function f() {");
    expect([diff.added, diff.removed, diff.lineCount]).toEqual([2, 1, 5]);
  });

  test("several hunks, and a header without counts", () => {
    const diff = parseDiff("@@ -1 +1 @@\n-a\n+b\n@@ -10,2 +10,1 @@\n x\n-y\n", "update");
    expect(shown(diff)).toEqual([
      ["1-a", "1+b"],
      ["10 x", "11-y"],
    ]);
  });

  test("removed and added lines that look like headers stay lines of their hunk", () => {
    const diff = parseDiff("@@ -1,2 +1,2 @@\n--- old title\n+++ new title\n @@ -5 +5 @@\n", "update");
    expect(shown(diff)).toEqual([["1--- old title", "1+++ new title", "2 @@ -5 +5 @@"]]);
  });

  test("what follows the last hunk is no line of it", () => {
    const diff = parseDiff("@@ -1 +1 @@\n-a\n+b\n\n\nMoved to: lib/y.ts", "update");
    expect(shown(diff)).toEqual([["1-a", "1+b"]]);
  });

  test("a missing line end is said, and an empty context line needs no blank", () => {
    const diff = parseDiff("@@ -1,2 +1,2 @@\n\n-a\n\\ No newline at end of file\n+a\n", "update");
    expect(shown(diff)).toEqual([["1 ", "2-a", "2+a"]]);
    expect(diff.hunks[0]?.lines.map((line) => line.noLineEnd)).toEqual([false, true, false]);
  });

  test("CRLF files show no carriage returns", () => {
    expect(shown(parseDiff("@@ -1 +1 @@\r\n-a\r\n+b\r\n", "update"))).toEqual([["1-a", "1+b"]]);
  });
});

describe("bare content", () => {
  test("an added file is all added, a deleted one all removed", () => {
    expect(shown(parseDiff("one\ntwo\n", "add"))).toEqual([["1+one", "2+two"]]);
    const deleted = parseDiff("one\ntwo", "delete");
    expect(shown(deleted)).toEqual([["1-one", "2-two"]]);
    expect(deleted.hunks[0]?.lines.at(-1)?.noLineEnd).toBe(true);
  });

  test("content that looks like a diff further down is still content", () => {
    const content = `${"text\n".repeat(8)}@@ -1 +1 @@\n`;
    expect(parseDiff(content, "add").added).toBe(9);
  });

  test("front matter is no diff header", () => {
    expect(shown(parseDiff("---\ntitle: x\n---\n", "add"))).toEqual([["1+---", "2+title: x", "3+---"]]);
  });

  test("an added file may come as a hunk", () => {
    expect(shown(parseDiff("--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n", "add"))).toEqual([
      ["1+a", "2+b"],
    ]);
  });

  test("an empty file has no lines", () => {
    expect(parseDiff("", "add")).toEqual({ hunks: [], added: 0, removed: 0, lineCount: 0 });
  });
});

test("a diff that has lost its beginning has no numbers until the next header", () => {
  const diff = parseDiff("alf a line\n+b\n c\n@@ -7 +8 @@\n-x\n+y\n", "update", true);
  expect(shown(diff)).toEqual([
    ["null+b", "null c"],
    ["7-x", "8+y"],
  ]);
});
