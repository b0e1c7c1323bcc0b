import { describe, expect, it } from "vitest";
import { branchFrom, firstFree, folderFrom } from "./names";

describe("the branch of a name", () => {
  it.each([
    ["fix the limiter", "fix-the-limiter"],
    ["  fix/limiter burst  ", "fix/limiter-burst"],
    ["--upload-pack=sh", "upload-pack=sh"],
    ["../../etc", "etc"],
    ["a/../b", "a/b"],
    ["a//b/", "a/b"],
    [".hidden/.x", "hidden/x"],
    ["v1..v2", "v1.v2"],
    ["topic@{1}", "topic-1}"],
    ["a~b^c:d?e*f[g\\h", "a-b-c-d-e-f-g-h"],
    ["x.lock", "x"],
    ["x.lock.lock/y.", "x/y"],
    ["tab\tline\nnul\0end", "tab-line-nul-end"],
    ["Größe 🚀", "Größe-🚀"],
  ])("%j is %j", (name, branch) => {
    expect(branchFrom(name)).toBe(branch);
  });

  it.each(["", " ", "..", "/", "-", "@", "HEAD", "head", "~^:"])("%j is none", (name) => {
    expect(branchFrom(name)).toBe("");
  });

  it("is never too long for a file, and ends with a whole character", () => {
    const branch = branchFrom("ä🚀".repeat(100));
    expect(Buffer.byteLength(branch)).toBeLessThanOrEqual(120);
    expect(branch).toMatch(/^(?:ä🚀)+ä?$/u);
  });
});

describe("the folder of a name", () => {
  it.each([
    ["fix/limiter", "fix-limiter"],
    ["..", "worktree"],
    ["", "worktree"],
    [".git", "git"],
    ["con", "con-"],
    ["Aux.txt", "Aux.txt-"],
    ["console", "console"],
  ])("%j is %j", (name, folder) => {
    expect(folderFrom(name)).toBe(folder);
  });
});

it("the first free name has the lowest number", async () => {
  const taken = new Set(["fix", "fix-2", "fix-4"]);
  expect(await firstFree("fix", (name) => taken.has(name))).toBe("fix-3");
  expect(await firstFree("other", async (name) => taken.has(name))).toBe("other");
});
