import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FileDiff } from "../../../preload/contract/changes";
import { TestRepository } from "./testRepository";

let repository: TestRepository;

beforeEach(() => {
  repository = new TestRepository();
});

afterEach(() => repository.remove());

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

type Scope = "staged" | "unstaged" | "head";

async function lines(seen: FileDiff, scope: Scope, firstLine: number, lastLine: number): Promise<string[]> {
  const { path, oldPath, fingerprint } = seen;
  const asked = { path, oldPath, fingerprint, comparison: { with: scope }, firstLine, lastLine };
  const found = await repository.changes.context("w", asked);
  return found.map(({ kind, oldLine, newLine, text }) => `${kind[0]} ${oldLine} ${newLine} ${text}`);
}

async function following(scope: Scope, oldPath: string | null = null): Promise<number | null> {
  const { content } = await repository.diff("file", scope, oldPath);
  if (content.kind !== "text") throw new Error(content.kind);
  return content.after;
}

describe("what is around the hunks of a difference", () => {
  test("the lines of the scope that is shown, with both their numbers, and how many follow the last hunk", async () => {
    const text = numbered(60);
    repository.write("file", `${text.join("\n")}\n`);
    repository.commit();
    text.splice(9, 1, "new 10", "new 11");
    repository.write("file", `${text.join("\n")}\n`);
    repository.git("add", "file");
    text[49] = "not staged";
    repository.write("file", `${text.join("\n")}\n`);
    const staged = await repository.diff("file", "staged");
    expect(await lines(staged, "staged", 49, 51)).toEqual([
      "c 48 49 line 48",
      "c 49 50 line 49",
      "c 50 51 line 50",
    ]);
    const unstaged = await repository.diff("file", "unstaged");
    expect(await lines(unstaged, "unstaged", 9, 12)).toEqual([
      "c 9 9 line 9",
      "c 10 10 new 10",
      "c 11 11 new 11",
      "c 12 12 line 11",
    ]);
    expect(await lines(unstaged, "unstaged", 49, 51)).toEqual(["c 49 49 line 48", "c 51 51 line 50"]);
    const both = await repository.diff("file", "head");
    expect(await lines(both, "head", 11, 12)).toEqual(["c 11 12 line 11"]);
    expect([await following("staged"), await following("unstaged"), await following("head")]).toEqual([
      47, 8, 8,
    ]);
  });

  test("nothing follows in a file that is new or gone, or whose end is shown; a renamed one goes on", async () => {
    repository.write("file", numbered(20).join("\n"));
    expect(await following("unstaged")).toBe(0);
    repository.commit();
    repository.write("file", [...numbered(17), "x", "line 19", "line 20"].join("\n"));
    expect(await following("unstaged")).toBe(0);
    repository.write("file", [...numbered(16), "x", "line 18", "line 19", "line 20"].join("\n"));
    expect(await following("unstaged")).toBe(0);
    repository.git("checkout", "--", "file");
    repository.git("mv", "file", "other");
    repository.git("mv", "other", "old");
    repository.commit();
    repository.git("mv", "old", "file");
    repository.write("file", ["x", ...numbered(20).slice(1)].join("\n"));
    repository.git("add", "file");
    expect(await following("staged", "old")).toBe(16);
    const renamed = await repository.diff("file", "staged", "old");
    expect(await lines(renamed, "staged", 20, 30)).toEqual(["c 20 20 line 20"]);
  });

  test("refused once the file is another one, and never more than a bounded number of lines", async () => {
    const text = numbered(9_000);
    repository.write("file", `${text.join("\n")}\n`);
    repository.commit();
    text[0] = "first";
    repository.write("file", `${text.join("\n")}\n`);
    const seen = await repository.diff("file", "unstaged");
    expect(await lines(seen, "unstaged", 5, 9_000)).toHaveLength(2_000);
    text[7_000] = "another";
    repository.write("file", `${text.join("\n")}\n`);
    await expect(lines(seen, "unstaged", 5, 9)).rejects.toMatchObject({ code: "changed_meanwhile" });
  });
});
