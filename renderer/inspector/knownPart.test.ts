import { expect, test } from "vitest";
import type { ThreadHead } from "../../preload/contract/thread";
import { knownPartOf } from "./knownPart";

const loaded: Pick<ThreadHead, "threadId" | "residency" | "hasOlder"> = {
  threadId: "t",
  residency: "loaded",
  hasOlder: false,
};

test("an empty list is only final when all turns of the thread are there", () => {
  expect(knownPartOf(loaded, 0)).toBe("all");
  expect(knownPartOf(loaded, 3)).toBe("all");
  expect(knownPartOf({ ...loaded, hasOlder: true }, 30)).toBe("part");
  expect(knownPartOf({ ...loaded, residency: "loading" }, 0)).toBe("loading");
  expect(knownPartOf({ ...loaded, residency: "stored" }, 0)).toBe("unknown");
});

test("a thread that codex has not made yet has no turns", () => {
  expect(knownPartOf({ threadId: null, residency: "stored", hasOlder: false }, 0)).toBe("all");
});

test("what was loaded is still known after the connection has gone", () => {
  expect(knownPartOf({ ...loaded, residency: "stored" }, 3)).toBe("all");
  expect(knownPartOf({ ...loaded, residency: "stored", hasOlder: true }, 3)).toBe("part");
});

test("older turns that are not loaded are said also while more is on its way", () => {
  expect(knownPartOf({ ...loaded, residency: "loading", hasOlder: true }, 8)).toBe("part");
});
