import { describe, expect, test } from "vitest";
import { type Card, type GuardedClick, judgeClick, mayTakeKey, restForKeysMs, restMs } from "./clickGuard";

const card = (change: Partial<Card> = {}): Card => ({
  requestKey: "a",
  movedAtMs: 1_000,
  aimedAtMs: 0,
  answering: false,
  ...change,
});
const click = (change: Partial<GuardedClick> = {}): GuardedClick => ({
  pressedAtMs: 5_000,
  series: 1,
  pressedKey: "a",
  ...change,
});

describe("a click", () => {
  test("on a card that has been there answers it", () => {
    expect(judgeClick(card(), click())).toBe("answer");
    expect(judgeClick(card({ movedAtMs: 5_000 - restMs }), click())).toBe("answer");
  });

  test("of a pointer that was brought to the card since it appeared answers it at once", () => {
    expect(judgeClick(card({ movedAtMs: 4_990, aimedAtMs: 4_995 }), click())).toBe("answer");
  });

  test("of a pointer that rested there when the card appeared is too soon", () => {
    expect(judgeClick(card({ movedAtMs: 4_990, aimedAtMs: 4_980 }), click())).toBe("too soon");
  });

  test("exactly while another card takes its place answers neither", () => {
    expect(judgeClick(card({ requestKey: "b", movedAtMs: 5_010 }), click())).toBe("other card");
    expect(judgeClick(card({ requestKey: "b", movedAtMs: 5_010 }), click({ pressedKey: "b" }))).toBe(
      "too soon",
    );
  });

  test("right after the card moved under the pointer answers nothing", () => {
    expect(judgeClick(card({ movedAtMs: 4_900 }), click())).toBe("too soon");
  });

  test("the second of a double click answers nothing, whatever card is there by then", () => {
    expect(judgeClick(card(), click({ series: 2 }))).toBe("same gesture");
    expect(judgeClick(card({ requestKey: "b", movedAtMs: 0 }), click({ series: 2, pressedKey: "b" }))).toBe(
      "same gesture",
    );
  });

  test("on a card whose answer is on its way does nothing", () => {
    expect(judgeClick(card({ answering: true }), click())).toBe("inert");
  });

  test("from the keyboard is meant for the button that has the focus", () => {
    expect(
      judgeClick(card({ movedAtMs: 4_999 }), click({ pressedAtMs: null, pressedKey: null, series: 0 })),
    ).toBe("answer");
  });
});

test("a single key counts only once the card could be read", () => {
  expect(mayTakeKey(card(), 1_000 + restForKeysMs)).toBe(true);
  expect(mayTakeKey(card(), 1_000 + restForKeysMs - 1)).toBe(false);
  expect(mayTakeKey(card({ answering: true }), 9_000)).toBe(false);
});
