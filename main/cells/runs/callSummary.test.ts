// A call in a line.

import { expect, test } from "vitest";
import { callSummary, threadIdIn } from "./callSummary";

test.each([
  [{ threadId: "t", text: " Look\n\tat this " }, "Look at this"],
  [{ command: ["git", "diff", "--", "a b"] }, "git diff -- a b"],
  [{ question: "Well?", options: ["yes"] }, "Well?"],
  [{ name: "try", base: "main" }, "try"],
  [{ threadId: "t", turns: 3 }, "t"],
  [{ limit: 50 }, ""],
  [null, ""],
  ["text", ""],
  [{ text: "😀".repeat(300) }, `${"😀".repeat(199)}…`],
  [{ text: "x".repeat(200) }, "x".repeat(200)],
])("%j", (args, summary) => {
  expect(callSummary(args)).toBe(summary);
});

test("the thread of a call is named by its arguments or by its result", () => {
  expect(threadIdIn({ threadId: "t" })).toBe("t");
  for (const value of [{ threadId: 5 }, {}, [], null, "t"]) expect(threadIdIn(value)).toBeNull();
});
