import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decisionKeys, type KeyContext, keyIsForCard } from "./shortcuts";

const decision = (label: string, tone: "accept" | "neutral" | "decline" = "neutral") => ({ label, tone });

describe("keys", () => {
  test("A, S and D for what codex usually offers", () => {
    expect(
      decisionKeys([
        decision("Approve", "accept"),
        decision("Approve for this session"),
        decision("Decline", "decline"),
      ]),
    ).toEqual(["a", "s", "d"]);
  });

  test("a letter with a meaning has no other one in another card", () => {
    const keysOf = (...labels: string[]) => decisionKeys(labels.map((label) => decision(label, "decline")));
    expect(keysOf("Decline", "Stop the turn")).toEqual(["d", "t"]);
    expect(keysOf("Stop the turn")).toEqual(["t"]);
    expect(keysOf("Skip")).toEqual(["k"]);
    expect(decisionKeys([decision("Approve for this session"), decision("Do it twice")])).toEqual(["s", "i"]);
  });

  test("the usual letters stay with the usual decisions", () => {
    expect(
      decisionKeys([
        decision("Decline and wait", "decline"),
        decision("Always allow git push"),
        decision("Accept", "accept"),
        decision("Decline", "decline"),
      ]),
    ).toEqual(["w", "g", "a", "d"]);
  });

  test("a label without Latin letters has no key", () => {
    expect(decisionKeys([decision("許可")])).toEqual([null]);
  });

  test("no key is given twice", () => {
    const tone = fc.constantFrom("accept", "neutral", "decline");
    fc.assert(
      fc.property(fc.array(fc.record({ label: fc.string(), tone }), { maxLength: 8 }), (decisions) => {
        const keys = decisionKeys(decisions as ReturnType<typeof decision>[]).filter((key) => key !== null);
        expect(new Set(keys).size).toBe(keys.length);
        for (const key of keys) expect(key).toMatch(/^[a-z]$/);
      }),
    );
  });
});

describe("whose key it is", () => {
  const context = (change: Partial<KeyContext> = {}): KeyContext => ({
    key: "a",
    modified: false,
    repeat: false,
    composing: false,
    inField: false,
    inCard: true,
    composerEmpty: false,
    covered: false,
    ...change,
  });

  test("the card's, when the focus is in it, or nowhere while nothing is written", () => {
    expect(keyIsForCard(context())).toBe(true);
    expect(keyIsForCard(context({ inCard: false, composerEmpty: true }))).toBe(true);
    expect(keyIsForCard(context({ inCard: false }))).toBe(false);
  });

  test.each<keyof KeyContext>(["modified", "repeat", "composing", "inField", "covered"])(
    "never while %s",
    (what) => {
      expect(keyIsForCard(context({ [what]: true, composerEmpty: true }))).toBe(false);
    },
  );
});
