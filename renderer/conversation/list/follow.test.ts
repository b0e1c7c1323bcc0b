import { describe, expect, test } from "vitest";
import { decideFollow, distanceFromEnd, type ScrollMeasure, wantsOlder } from "./follow";

const at = (top: number, change: Partial<ScrollMeasure> = {}): ScrollMeasure => ({
  top,
  viewport: 500,
  content: 2_000,
  ...change,
});

const scrolled = (following: boolean, before: ScrollMeasure, now: ScrollMeasure, byHand = false) =>
  decideFollow(following, { type: "scrolled", before, now, byHand });

describe("scrolling", () => {
  test("going up stops following, even by a little", () => {
    expect(scrolled(true, at(1_500), at(1_490))).toBe(false);
  });

  test("coming back to the end starts it again, being near it is enough", () => {
    expect(scrolled(false, at(1_000), at(1_480))).toBe(true);
    expect(scrolled(false, at(1_000), at(1_400))).toBe(false);
  });

  test("going up while near the end is still going up", () => {
    expect(scrolled(true, at(1_500), at(1_485))).toBe(false);
    expect(scrolled(false, at(1_490), at(1_480))).toBe(false);
  });

  test("a scroll of our own after the content grew changes nothing", () => {
    expect(scrolled(true, at(1_500), at(1_600, { content: 2_100 }))).toBe(true);
    expect(scrolled(true, at(1_500), at(1_500, { content: 2_400 }))).toBe(true);
    expect(scrolled(false, at(700), at(800, { content: 2_100 }))).toBe(false);
  });

  test("being pushed up by the browser is no wish: content shrank, or the window grew", () => {
    expect(scrolled(true, at(1_500), at(1_300, { content: 1_800 }))).toBe(true);
    expect(scrolled(true, at(1_500), at(1_400, { viewport: 600 }))).toBe(true);
    expect(scrolled(false, at(900), at(850, { content: 1_950 }))).toBe(false);
  });

  test("content that shrank and grew again before the event came is no wish either", () => {
    const pulled = at(1_447, { content: 2_037 });
    expect(scrolled(true, at(1_500), pulled)).toBe(true);
    expect(scrolled(false, at(1_500), pulled)).toBe(false);
  });

  test("the same with a hand on it, or further than any fold reaches, is one", () => {
    expect(scrolled(true, at(1_500), at(1_447, { content: 2_037 }), true)).toBe(false);
    expect(scrolled(true, at(1_500), at(0, { content: 2_037 }))).toBe(false);
  });
});

describe("wheel and keys count before the scroll that they cause", () => {
  test("upwards stops following", () => {
    expect(decideFollow(true, { type: "wheel", deltaY: -1, now: at(1_500) })).toBe(false);
    expect(decideFollow(true, { type: "wheel", deltaY: 1, now: at(1_500) })).toBe(true);
    for (const key of ["ArrowUp", "PageUp", "Home"]) {
      expect(decideFollow(true, { type: "key", key, shift: false, now: at(1_500) })).toBe(false);
    }
    expect(decideFollow(true, { type: "key", key: " ", shift: true, now: at(1_500) })).toBe(false);
    expect(decideFollow(true, { type: "key", key: " ", shift: false, now: at(1_500) })).toBe(true);
  });

  test("where there is nothing to go up to, nothing changes", () => {
    const short = at(0, { content: 300 });
    expect(decideFollow(true, { type: "wheel", deltaY: -100, now: short })).toBe(true);
    expect(decideFollow(true, { type: "key", key: "PageUp", shift: false, now: short })).toBe(true);
  });
});

test("unfolding holds the view still; if it ends at the end, following goes on", () => {
  const held = decideFollow(true, { type: "unfolding" });
  expect(held).toBe(false);
  expect(decideFollow(held, { type: "settled", now: at(1_500) })).toBe(true);
  expect(decideFollow(held, { type: "settled", now: at(1_500, { content: 2_300 }) })).toBe(false);
});

test("jumping to the latest follows", () => {
  expect(decideFollow(false, { type: "jumped" })).toBe(true);
});

test("older turns are wanted near the top, once", () => {
  const more = { hasOlder: true, loadingOlder: false };
  expect(wantsOlder(at(100), more)).toBe(true);
  expect(wantsOlder(at(1_500), more)).toBe(false);
  expect(wantsOlder(at(100), { ...more, loadingOlder: true })).toBe(false);
  expect(wantsOlder(at(100), { ...more, hasOlder: false })).toBe(false);
});

test("a distance is never negative", () => {
  expect(distanceFromEnd(at(1_700))).toBe(0);
});
