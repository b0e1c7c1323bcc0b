import { expect, test } from "vitest";
import { askedOf, prefixes } from "./prefixes";

test("the first character says what is looked for", () => {
  expect(askedOf("log")).toEqual({ mode: "all", query: "log" });
  expect(askedOf("> log")).toEqual({ mode: "commands", query: "log" });
  expect(askedOf("#limiter")).toEqual({ mode: "threads", query: "limiter" });
  expect(askedOf(" @src/a.ts:12")).toEqual({ mode: "files", query: "src/a.ts:12" });
  expect(askedOf("%said so")).toEqual({ mode: "text", query: "said so" });
  expect(askedOf("?")).toEqual({ mode: "help", query: "" });
});

test("each prefix is one character, and leads to another place", () => {
  expect(prefixes.every(({ prefix }) => prefix.length === 1)).toBe(true);
  expect(new Set(prefixes.map(({ prefix }) => prefix)).size).toBe(prefixes.length);
  expect(new Set(prefixes.map(({ mode }) => mode)).size).toBe(prefixes.length);
});
