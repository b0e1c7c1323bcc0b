import { expect, test } from "vitest";
import { readDiff } from "./diffText";
import { type Part, splice } from "./splice";

function hunksOf(text: string) {
  const output = Buffer.from(`diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n${text}`);
  return readDiff(output, { lines: 1_000, bytes: 100_000 })?.diff.hunks ?? [];
}

function take(text: string, diff: string, lines: number[] | null, direction: "forward" | "backward") {
  const parts: Part[] = [{ hunk: 0, lines }];
  const spliced = splice(Buffer.from(text), hunksOf(diff), parts, direction);
  return spliced.outcome === "done" ? spliced.text.toString() : spliced.outcome;
}

const pair = "@@ -1,3 +1,3 @@\n-a\n-b\n+A\n+B\n c\n";

test.each([
  ["all", null, "A\nB\nc\n", "a\nb\nc\n"],
  ["the first of two changed lines, where it stands", [0, 2], "A\nb\nc\n", "a\nB\nc\n"],
  ["the second one", [1, 3], "a\nB\nc\n", "A\nb\nc\n"],
  ["only what goes", [0, 1], "c\n", "a\nb\nA\nB\nc\n"],
  ["only what comes", [2, 3], "a\nb\nA\nB\nc\n", "c\n"],
])("of two changed lines: %s", (_name, lines, forward, backward) => {
  expect(take("a\nb\nc\n", pair, lines, "forward")).toBe(forward);
  expect(take("A\nB\nc\n", pair, lines, "backward")).toBe(backward);
});

test("the end of a file without a newline stays one, and gets one when more follows", () => {
  const diff = "@@ -1,1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n";
  expect(take("a", diff, null, "forward")).toBe("a\nb");
  expect(take("a", diff, [2], "forward")).toBe("a\nb");
  expect(take("a\nb", diff, null, "backward")).toBe("a");
  expect(take("a\nb", diff, [2], "backward")).toBe("a\n");
});

test("of a text that is another one by now, nothing is taken", () => {
  expect(take("a\nx\nc\n", pair, null, "forward")).toBe("misfit");
  expect(take("a\nb\n", pair, null, "forward")).toBe("misfit");
  expect(take("", pair, null, "forward")).toBe("misfit");
  expect(take("a\nb\nc", pair, null, "forward")).toBe("misfit");
  expect(take("a\nb\nc\n", pair, [4], "forward")).toBe("nothing");
  expect(splice(Buffer.from("a\n"), hunksOf(pair), [{ hunk: 3, lines: null }], "forward").outcome).toBe(
    "misfit",
  );
});

test("where git has converted line ends, they are as around", () => {
  expect(take("A\r\nB\r\nc\r\n", pair, [0, 2], "backward")).toBe("a\r\nB\r\nc\r\n");
});
