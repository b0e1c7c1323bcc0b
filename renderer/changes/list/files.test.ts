import { describe, expect, it } from "vitest";
import type { ChangedFile, FileChange, RepositoryChanges } from "../../../preload/contract/changes";
import { entriesUnder, folderGroups, listRows, orderedEntries, shownFile } from "./files";

function change(part: Partial<FileChange> = {}): FileChange {
  return {
    kind: "modified",
    oldPath: null,
    added: 1,
    removed: 2,
    binary: false,
    modes: null,
    bytes: null,
    ...part,
  };
}

function file(path: string, part: Partial<ChangedFile> = {}): ChangedFile {
  return {
    path,
    staged: null,
    unstaged: null,
    conflict: null,
    submodule: false,
    repository: false,
    exactName: true,
    ...part,
  };
}

function changes(...files: ChangedFile[]): RepositoryChanges {
  return {
    root: "/w",
    prefix: "",
    branch: "main",
    head: null,
    upstream: null,
    remotes: [],
    operation: null,
    files,
    more: 0,
    jobs: [],
  };
}

const groups = folderGroups(
  changes(
    file("src/deep/er/a.ts", { staged: change(), unstaged: change({ kind: "deleted" }) }),
    file("src/b.ts", { unstaged: change({ modes: { old: "100644", new: "100755" } }) }),
    file("readme.md", { unstaged: change({ kind: "untracked", binary: true }) }),
    file("torn.ts", { conflict: "both modified" }),
  ),
);
const options = { filter: "", tree: true, closed: new Set<string>() };
const drawn = (given = options) =>
  listRows(groups, given).map((row) => ("depth" in row ? `${"  ".repeat(row.depth)}${row.name}` : row.label));

describe("the list of changed files", () => {
  it("has conflicts, what is staged and what is not; one file may be in two", () => {
    expect(drawn()).toEqual([
      "Conflicts",
      "torn.ts",
      "Staged",
      "src/deep/er",
      "  a.ts",
      "Not staged",
      "src",
      "  deep/er",
      "    a.ts",
      "  b.ts",
      "readme.md",
    ]);
  });

  it("says in words what became of each", () => {
    const entries = groups.flatMap((group) => group.entries);
    expect(entries.map(({ path, state, note }) => [path, state, note])).toEqual([
      ["torn.ts", "conflicted", "both modified"],
      ["src/deep/er/a.ts", "modified", null],
      ["src/deep/er/a.ts", "deleted", null],
      ["src/b.ts", "modified", "now executable"],
      ["readme.md", "untracked", "binary"],
    ]);
  });

  it("can be flat, filtered by words of path and state, and closed in parts", () => {
    expect(drawn({ ...options, tree: false, filter: "src mod" })).toEqual([
      "Staged",
      "a.ts",
      "Not staged",
      "b.ts",
    ]);
    expect(drawn({ ...options, closed: new Set(["staged", "unstaged:src/"]) })).toEqual([
      "Conflicts",
      "torn.ts",
      "Staged",
      "Not staged",
      "src",
      "readme.md",
    ]);
  });

  it("knows what is under a row, whatever is closed or filtered out", () => {
    const folder = listRows(groups, options).find((row) => row.key === "unstaged:src/");
    expect(folder && entriesUnder(folder, groups).map(({ path }) => path)).toEqual([
      "src/deep/er/a.ts",
      "src/b.ts",
    ]);
  });

  it("goes on with the same file in another group, then with the next one, then with the first", () => {
    const entries = orderedEntries(groups, options);
    const keys = entries.map(({ key }) => key);
    expect(shownFile(entries, "unstaged:src/b.ts")?.key).toBe("unstaged:src/b.ts");
    expect(shownFile(entries, "staged:src/b.ts")?.key).toBe("unstaged:src/b.ts");
    const left = entries.filter(({ path }) => path !== "src/b.ts");
    expect(shownFile(left, "unstaged:src/b.ts", keys)?.key).toBe("unstaged:readme.md");
    expect(shownFile(left, "unstaged:gone.ts")?.key).toBe("conflicts:torn.ts");
    expect(shownFile([], null)).toBeNull();
  });
});
