import { expect, test } from "vitest";
import { pushWords, upstreamWords, whyNoPush } from "./pushWords";

const head = { sha: "1", message: "m", isPushed: false };
const standing = (ahead: number, behind: number) => ({
  branch: "fix",
  head,
  remotes: ["origin"],
  upstream: { name: "origin/fix", distance: { ahead, behind } },
});

test("how far a branch is from its remote", () => {
  expect(pushWords(standing(2, 1))).toBe("2 ahead, 1 behind");
  expect(pushWords(standing(0, 0))).toBe("");
  expect(upstreamWords(standing(0, 0))).toBe("As origin/fix");
  expect(upstreamWords(standing(1, 2))).toBe(
    "1 commit that origin/fix does not have; 2 commits of origin/fix that this branch does not have",
  );
  expect(upstreamWords({ ...standing(0, 0), upstream: null })).toBe("fix was not pushed yet");
});

test("why nothing can be pushed", () => {
  expect(whyNoPush(standing(1, 0))).toBeNull();
  expect(whyNoPush(standing(0, 3))).toBe("origin/fix has everything already.");
  expect(whyNoPush({ ...standing(1, 0), upstream: null })).toBeNull();
  expect(whyNoPush({ ...standing(1, 0), remotes: [] })).toContain("no remote");
  expect(whyNoPush({ ...standing(1, 0), branch: null })).toContain("No branch");
  expect(whyNoPush({ ...standing(1, 0), head: null })).toContain("no commit");
});
