import { expect, it } from "vitest";
import type { Listing } from "../changes/state/follower";
import { countedInFolder, countedInThread } from "./changesCount";

it("codex's edits are called so, and the loaded turns where older ones are not", () => {
  expect(countedInThread(1, "all")).toEqual({ count: 1, words: "1 file edited by codex in this thread" });
  expect(countedInThread(2, "part").words).toBe("2 files edited by codex in the turns that are loaded");
});

it("of the working tree each changed file counts once, with those that are too many to be listed", () => {
  const changes = { files: [{ path: "a" }, { path: "b" }], more: 40 };
  const listing = { state: "repository", revision: 1, changes } as unknown as Listing;
  expect(countedInFolder(listing)).toEqual({ count: 42, words: "42 files changed in the working tree" });
  expect(countedInFolder(null).count).toBe(0);
});
