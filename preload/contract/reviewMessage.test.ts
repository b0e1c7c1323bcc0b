import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReviewComment } from "./comments";
import { readReviewMessage, reviewMessage } from "./reviewMessage";

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

const words = fc.stringMatching(/^[a-z`]([a-z`\n .:0-9]{0,30}[a-z`])?$/);
const anyComment = fc
  .record({
    path: fc.stringMatching(/^[a-z`/]([a-z`/. -]{0,20}[a-z`])?$/),
    side: fc.constantFrom("new" as const, "old" as const),
    firstLine: fc.integer({ min: 1, max: 9_999 }),
    more: fc.nat(30),
    quote: fc.stringMatching(/^[a-z` \n]{0,40}$/),
    text: words,
  })
  .map(({ more, ...rest }) => ({ ...rest, lastLine: rest.firstLine + more }));

test("a message of comments is read again as what it was made of", () => {
  fc.assert(
    fc.property(fc.array(anyComment, { minLength: 1, maxLength: 5 }), (comments) => {
      expect(readReviewMessage(reviewMessage(comments))).toEqual(comments);
    }),
  );
});

test("what is read says the same to the letter, also where a comment quotes such a message", () => {
  const inner = reviewMessage([comment(), comment({ firstLine: 1, lastLine: 3 })]);
  const message = reviewMessage([
    comment({ text: inner }),
    comment({ quote: inner, text: "2. `a`, line 3:" }),
  ]);
  const read = readReviewMessage(message);
  expect(read === null ? null : reviewMessage(read)).toBe(message);
});

test("anything else is read as no comments", () => {
  const message = reviewMessage([comment(), comment({ firstLine: 50, lastLine: 51 })]);
  for (const other of [
    "",
    "I have a comment on the changes.",
    "I have a comment on the changes.\n\nThey are good.",
    `${message}\n`,
    ` ${message}`,
    message.replace("I have 2", "I have 3"),
    message.replace("line 42:", "line 42"),
    message.replace("2. `src", "3. `src"),
    message.replace("```", "````"),
  ]) {
    expect(readReviewMessage(other)).toBe(null);
  }
});
