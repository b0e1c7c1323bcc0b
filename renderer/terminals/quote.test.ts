import { expect, it } from "vitest";
import { withQuote } from "./quote";

it("a quote follows what is written already, and leaves room for the question", () => {
  expect(withQuote("", "npm ERR!   \r\nexit 1\n\n")).toBe(
    "From the terminal:\n\n```\nnpm ERR!\nexit 1\n```\n\n",
  );
  expect(withQuote("Why?\n", "no")).toMatch(/^Why\?\n\nFrom the terminal:\n\n```\nno\n```\n\n$/);
  expect(withQuote("Why?", " \n ")).toBe("Why?");
});

it("what is quoted does not end its own block, and has a bound", () => {
  expect(withQuote("", "```\ncode\n```")).toContain("\n````\n```\ncode\n```\n````\n");
  expect(withQuote("", "x".repeat(100_000)).length).toBeLessThan(21_000);
});
