import { expect, test } from "vitest";
import { mentionAt, writtenPath } from "./mention";

test("an @ at the start of a word asks for a file, up to the caret", () => {
  expect(mentionAt("@", 1)).toEqual({ start: 0, query: "" });
  expect(mentionAt("see @src/li", 11)).toEqual({ start: 4, query: "src/li" });
  expect(mentionAt("see @src/li", 8)).toEqual({ start: 4, query: "src" });
  expect(mentionAt("(@a", 3)).toEqual({ start: 1, query: "a" });
  expect(mentionAt("line\n@b", 7)).toEqual({ start: 5, query: "b" });
});

test("an address, a word that has ended and a second @ ask for none", () => {
  expect(mentionAt("me@example.com", 14)).toBe(null);
  expect(mentionAt("@a done", 7)).toBe(null);
  expect(mentionAt("@a@b", 4)).toBe(null);
  expect(mentionAt("", 0)).toBe(null);
});

test("only so much is looked through, and its edge is no start of a word", () => {
  const far = `x@${"y".repeat(199)}`;
  expect(mentionAt(far, far.length)).toBe(null);
  const edge = `x${"@".padEnd(200, "y")}`;
  expect(mentionAt(edge, edge.length)).toBe(null);
});

test("a path that would fall apart is written in quotation marks", () => {
  expect(writtenPath("src/a.ts")).toBe("src/a.ts ");
  expect(writtenPath("my files/a.ts")).toBe('"my files/a.ts" ');
});
