import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainProposal, proposeBranch } from "./proposal";

describe("the branch that is proposed for a message", () => {
  it.each([
    ["Fix the burst of the limiter, please!", "fix-the-burst-of-the"],
    ["Don't allow “main”", "dont-allow-main"],
    ["Über die Brücke\nund weiter", "uber-die-brucke-und-weiter"],
    ["修复登录", "修复登录"],
    ["  ", plainProposal],
    ["!!!", plainProposal],
    ["../../etc/passwd", "etc-passwd"],
    ["-rf --force", "rf-force"],
  ])("%j is %j", (text, branch) => {
    expect(proposeBranch(text)).toBe(branch);
  });

  it("is short, and has nothing in it that git refuses, whatever is written", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const branch = proposeBranch(text);
        expect([...branch].length).toBeLessThanOrEqual(80);
        expect(branch).toMatch(/^[\p{L}\p{N}\p{M}]+(-[\p{L}\p{N}\p{M}]+)*$/u);
      }),
    );
  });
});
