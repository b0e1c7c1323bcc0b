import { describe, expect, it } from "vitest";
import { otherBranches, type TargetChoice, type Targets, targetOf, whyNot, withUsual } from "./targetChoice";

const targets: Targets = {
  branches: ["topic", "main", "older", "origin/main"],
  currentBranch: "topic",
  commits: [
    { sha: "aaaa1111", subject: "second", atMs: 2 },
    { sha: "bbbb2222", subject: "", atMs: 1 },
  ],
};
const nothing: Targets = { branches: [], currentBranch: null, commits: [] };
const choice = (more: Partial<TargetChoice>): TargetChoice => ({
  kind: "uncommittedChanges",
  branch: null,
  sha: null,
  instructions: "",
  ...more,
});

describe("what can be reviewed", () => {
  it("needs a repository, but for own instructions", () => {
    expect(whyNot("uncommittedChanges", nothing)).toMatch(/no git repository/);
    expect(whyNot("custom", nothing)).toBeNull();
    expect(targetOf(choice({}), nothing)).toBeNull();
    expect(withUsual(choice({}), nothing).kind).toBe("custom");
  });

  it("is any other branch than the current one", () => {
    expect(otherBranches(targets)).toEqual(["main", "older", "origin/main"]);
    expect(whyNot("baseBranch", { ...targets, branches: ["topic"] })).toMatch(/no other branch/);
  });

  it("is no commit where there is none", () => {
    expect(whyNot("commit", { ...nothing, currentBranch: "main" })).toMatch(/no commit/);
    expect(whyNot("uncommittedChanges", { ...nothing, currentBranch: "main" })).toBeNull();
  });
});

describe("what is usually meant", () => {
  it("is the branch that work is merged into, and the newest commit", () => {
    expect(withUsual(choice({}), targets)).toMatchObject({ branch: "main", sha: "aaaa1111" });
    expect(withUsual(choice({}), { ...targets, branches: ["topic", "x"] }).branch).toBe("x");
  });

  it("is what was chosen, as long as it is there", () => {
    expect(withUsual(choice({ branch: "older", sha: "bbbb2222" }), targets)).toMatchObject({
      branch: "older",
      sha: "bbbb2222",
    });
    expect(withUsual(choice({ branch: "gone", sha: "cccc" }), targets)).toMatchObject({
      branch: "main",
      sha: "aaaa1111",
    });
  });
});

describe("the target", () => {
  it("is what stands there", () => {
    expect(targetOf(choice({ kind: "baseBranch", branch: "main" }), targets)).toEqual({
      type: "baseBranch",
      branch: "main",
    });
    expect(targetOf(choice({ kind: "commit", sha: "aaaa1111" }), targets)).toEqual({
      type: "commit",
      sha: "aaaa1111",
      title: "second",
    });
    expect(targetOf(choice({ kind: "commit", sha: "bbbb2222" }), targets)).toMatchObject({ title: null });
    expect(targetOf(choice({ kind: "custom", instructions: "  Look. " }), targets)).toEqual({
      type: "custom",
      instructions: "Look.",
    });
  });

  it("is none until something is chosen or written", () => {
    expect(targetOf(choice({ kind: "baseBranch" }), targets)).toBeNull();
    expect(targetOf(choice({ kind: "commit", sha: "cccc" }), targets)).toBeNull();
    expect(targetOf(choice({ kind: "custom", instructions: " \n" }), targets)).toBeNull();
  });
});
