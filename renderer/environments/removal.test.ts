import { describe, expect, it } from "vitest";
import { removedWords, usedWords } from "./removal";
import { localServer } from "./testEnvironments";

describe("what is said before an environment is removed", () => {
  it("names what uses it and what becomes of that", () => {
    expect(usedWords({ threads: [], terminals: 0 })).toBe("");
    expect(usedWords({ threads: ["Fix login"], terminals: 0 })).toBe(
      "“Fix login” uses it, and waits until another place is chosen.",
    );
    expect(usedWords({ threads: ["A", "B"], terminals: 1 })).toBe(
      "“A” and “B” use it, and wait until another place is chosen. 1 terminal that runs there is ended.",
    );
    expect(usedWords({ threads: ["A", "B", "C", "D", "E"], terminals: 2 })).toBe(
      "“A”, “B”, “C” and 2 other threads use it, and wait until another place is chosen. 2 terminals that run there are ended.",
    );
  });

  it("says what goes with it", () => {
    expect(removedWords({ server: localServer(), tokens: [] })).toContain(
      "its exec-server on this machine is ended",
    );
    expect(removedWords({ server: null, tokens: [{ name: "token", kept: "key store" }] })).toContain(
      "with the tokens that are saved for it",
    );
    expect(removedWords({ server: null, tokens: [] })).not.toContain("token");
  });
});
