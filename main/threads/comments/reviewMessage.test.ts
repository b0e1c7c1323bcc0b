import { expect, test } from "vitest";
import type { ReviewComment } from "../../../preload/contract/comments";
import { reviewMessage } from "./reviewMessage";

function comment(part: Partial<ReviewComment> = {}): ReviewComment {
  return {
    commentId: "a",
    path: "src/limiter.ts",
    side: "new",
    firstLine: 42,
    lastLine: 42,
    quote: "const bucket = new Bucket();",
    text: "Use the policy's burst.",
    revision: 1,
    ...part,
  };
}

test("one comment says where it is, what stands there, and what is said of it", () => {
  expect(reviewMessage([comment()])).toBe(
    [
      "I have a comment on the changes.",
      "",
      "`src/limiter.ts`, line 42:",
      "",
      "```",
      "const bucket = new Bucket();",
      "```",
      "",
      "Use the policy's burst.",
    ].join("\n"),
  );
});

test("several are numbered; a range and the earlier version are said", () => {
  const text = reviewMessage([
    comment(),
    comment({ side: "old", firstLine: 3, lastLine: 5, text: " Why? " }),
  ]);
  expect(text).toContain("I have 2 comments on the changes.");
  expect(text).toContain("1. `src/limiter.ts`, line 42:");
  expect(text).toContain("2. `src/limiter.ts`, lines 3-5 of the version before the change:");
  expect(text.endsWith("\nWhy?")).toBe(true);
});

test("what is quoted cannot end its own fence, nor a path its own marks", () => {
  const text = reviewMessage([comment({ path: "a`b.md", quote: "````\ncode\n````" })]);
  expect(text).toContain("`` a`b.md ``, line 42:");
  expect(text).toContain("`````\n````\ncode\n````\n`````");
});

test("a long quote is cut in the middle", () => {
  const quote = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`).join("\n");
  const text = reviewMessage([comment({ quote, firstLine: 1, lastLine: 100 })]);
  expect(text).toContain("line 10\n[80 more lines]\nline 91");
  expect(text).not.toContain("line 50");
});
