import { expect, it } from "vitest";
import type { ServerAnswer } from "../../preload/contract/codexPage";
import { loginWords, offerWords, serverLook } from "./serverLook";

const on = { enabled: true };

it("what codex tells by itself outweighs what it answered, and nothing is said before either", () => {
  expect(serverLook(on, null, undefined, true)).toMatchObject({ words: "asking", tone: "busy" });
  expect(serverLook(on, null, undefined, false).words).toBe("not known");
  const answer = { state: "ready", error: null } as const;
  expect(serverLook(on, answer, undefined, true)).toMatchObject({ words: "ready", tone: "ok" });
  const told = { name: "a", state: "failed", error: "it ended" } as const;
  expect(serverLook(on, answer, told, false)).toMatchObject({ words: "failed", error: "it ended" });
  expect(serverLook({ enabled: false }, answer, told, false)).toMatchObject({
    words: "disabled",
    error: null,
  });
});

it("a sign-in that is missing or was lost is said", () => {
  expect(loginWords("signed out")).toContain("lost");
  expect(loginWords("none")).toBeNull();
});

it("what a server offers is counted once it is known", () => {
  const answer = { state: "ready", tools: [{}], resources: [{}, {}] } as ServerAnswer;
  expect(offerWords(answer)).toBe("1 tool · 2 resources");
  expect(offerWords({ ...answer, state: "failed", tools: [] })).toBeNull();
  expect(offerWords(null)).toBeNull();
});
