import { describe, expect, it } from "vitest";
import { byFit, fileFit, inOrder } from "./askedGroups";

describe("a file that is typed", () => {
  it.each([
    ["src/limits/bucket.ts", "bucket.ts", "exact"],
    ["src/limits/bucket.ts", "Limits/Bucket.ts", "exact"],
    ["src/limits/bucket.ts", "bucket.ts:12", "exact"],
    ["README.md", "readme.md", "exact"],
    ["src/limits/bucket.ts", "buck", "prefix"],
    ["src/limits/bucket.ts", "limits/bu", "prefix"],
    ["src/limits/bucket.ts", "limits", "other"],
    ["src/limits/bucket.ts", "bu", "other"],
    ["src/limits/bucket.ts", "ucket", "other"],
    ["src/limits/bucket.ts", "", "other"],
  ])("%s fits “%s”: %s", (path, typed, fit) => {
    expect(fileFit(path, typed)).toBe(fit);
  });

  it("stands first with its name, and before the offer to search with the beginning of it", () => {
    const group = (heading: string) => ({ heading, entries: [] });
    const [known, search, hits, files] = ["Commands", "Search", "Said", "Files"].map(group);
    if (!known || !search || !hits || !files) throw new Error("no groups");
    const order = (fit: Parameters<typeof inOrder>[2]) =>
      inOrder([known], { search, hits, files: fit === null ? null : files }, fit).map(
        ({ heading }) => heading,
      );
    expect(order("exact")).toEqual(["Files", "Commands", "Search", "Said"]);
    expect(order("prefix")).toEqual(["Commands", "Files", "Search", "Said"]);
    expect(order("other")).toEqual(["Commands", "Search", "Said", "Files"]);
    expect(order(null)).toEqual(["Commands", "Search", "Said"]);
    const found = ["a/xbucket.ts", "b/bucket.tsx", "bucket.ts"].map((path) => ({ path }));
    expect(byFit(found, "bucket.ts").map(({ path }) => path)).toEqual([
      "bucket.ts",
      "b/bucket.tsx",
      "a/xbucket.ts",
    ]);
  });
});
