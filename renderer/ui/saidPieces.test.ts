import { describe, expect, it } from "vitest";
import { plainSaid, saidPieces } from "./saidPieces";

describe("what is said", () => {
  it("has commands as code", () => {
    expect(saidPieces("Run `git init` in it, or `git clone`.")).toEqual([
      { text: "Run ", code: false },
      { text: "git init", code: true },
      { text: " in it, or ", code: false },
      { text: "git clone", code: true },
      { text: ".", code: false },
    ]);
    expect(plainSaid("`gh` is not signed in.")).toBe("gh is not signed in.");
  });

  it("keeps a backtick that stands alone, and nothing of nothing", () => {
    expect(saidPieces("5` and\n6 `` too")).toEqual([{ text: "5` and\n6 `` too", code: false }]);
    expect(saidPieces("")).toEqual([]);
  });
});
