import { expect, test } from "vitest";
import type { RepositoryChanges } from "../../../preload/contract/changes";
import { whatOf, whyNoCommit, widthHint } from "./message";

const changes: RepositoryChanges = {
  root: "/w",
  prefix: "",
  branch: "main",
  head: null,
  upstream: null,
  remotes: [],
  operation: null,
  files: [],
  more: 0,
  jobs: [],
};
const file = {
  path: "a",
  staged: null,
  unstaged: null,
  conflict: null,
  submodule: false,
  repository: false,
  exactName: true,
};
const state = { message: "Fix it", amend: false, running: false };

test("the width of lines is counted, quietly", () => {
  expect(widthHint("Fix the limiter")).toBeNull();
  expect(widthHint("x".repeat(80))).toBe("Subject: 80 of 72 characters");
  expect(widthHint(`Fix\n\n${"word ".repeat(20)}`)).toBe("Line 3: 100 of 72 characters");
  expect(widthHint(`Fix\n\nhttps://${"x".repeat(90)}`)).toBeNull();
  expect(widthHint("Fix\nmore")).toBe("An empty line belongs after the subject");
});

test("what stands in the way of a commit is said", () => {
  expect(whyNoCommit(changes, state)).toBe("Nothing has changed.");
  expect(whyNoCommit({ ...changes, operation: "merge" }, state)).toBeNull();
  const some = { ...changes, files: [file] };
  expect(whyNoCommit(some, { ...state, message: " " })).toBe("Write a message first.");
  expect(whyNoCommit(some, state)).toBeNull();
  expect(whyNoCommit(some, { ...state, amend: true })).toBe("There is no commit yet.");
  expect(whyNoCommit({ ...changes, files: [{ ...file, conflict: "both modified" }] }, state)).toContain(
    "conflicts",
  );
  expect(whyNoCommit(some, { ...state, running: true })).toBe("A commit is under way.");
});

test("what is staged is committed, or everything when nothing is", () => {
  const staged = {
    kind: "modified" as const,
    oldPath: null,
    added: 1,
    removed: 0,
    binary: false,
    modes: null,
    bytes: null,
  };
  expect(whatOf({ files: [file] })).toBe("everything");
  expect(whatOf({ files: [file, { ...file, staged }] })).toBe("staged");
});
