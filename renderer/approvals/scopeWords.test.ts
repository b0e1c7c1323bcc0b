import { expect, test } from "vitest";
import { scopeWords } from "./scopeWords";

const said = (label: string, scope: string) => {
  const { before, after } = scopeWords(label, scope);
  return `${before} ${scope}${after}`;
};

test("what is always allowed says how long that is, whether or not the button names it", () => {
  expect(said("Always allow commands that begin with “npm test”", "npm test")).toBe(
    "Always allowing npm test lasts: in all threads, without asking again.",
  );
  expect(said("Always allow commands that begin with…", "npm run build --workspace app")).toBe(
    "“Always allow commands that begin with…” covers npm run build --workspace app, and lasts: in all threads, without asking again.",
  );
  expect(said("Always block this host", "example.org")).toMatch(/in all threads, without asking again\.$/);
});

test("what is for the session says no more than that", () => {
  expect(said("Approve for this session", "npm test")).toBe("“Approve for this session” covers npm test");
});
