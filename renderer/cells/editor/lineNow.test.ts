import { expect, test } from "vitest";
import { lineNow } from "./lineNow";

const earlier = "a\nb\nc\nb";

test.each([
  ["the same text", earlier, 2, 2],
  ["lines before it are new", `x\ny\n${earlier}`, 3, 5],
  ["the nearer of two alike", `x\n${earlier}`, 2, 3],
  ["it is gone", "a\nc", 2, 2],
  ["it is gone and the text is shorter", "a", 4, 1],
])("%s", (_, source, line, now) => {
  expect(lineNow(source, earlier, line)).toBe(now);
});
