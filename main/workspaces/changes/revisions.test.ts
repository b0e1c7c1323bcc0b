import { expect, test } from "vitest";
import { ManualClock } from "../../clock";
import { questionLastsMs, Revisions } from "./revisions";

const setUp = () => {
  const clock = new ManualClock();
  return { clock, revisions: new Revisions(clock) };
};

/** What a promise is by now. */
function watch(promise: Promise<number | null>): { now: number | null | "open" } {
  const seen: { now: number | null | "open" } = { now: "open" };
  void promise.then((value) => {
    seen.now = value;
  });
  return seen;
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("each page that asks hears of the next change, and one that asks late at once", async () => {
  const { revisions, clock } = setUp();
  const asked = ["one", "two"].map((page) => watch(revisions.next("w", revisions.of("w"), page)));
  const other = watch(revisions.next("other", 0, "three"));
  const before = revisions.of("w");
  revisions.changed("w");
  await settled();
  expect(asked.map(({ now }) => now)).toEqual([revisions.of("w"), revisions.of("w")]);
  expect(await revisions.next("w", before, "one")).toBe(revisions.of("w"));
  expect(other.now).toBe("open");
  revisions.dispose();
  await settled();
  expect(other.now).toBeNull();
  expect(clock.pendingCount).toBe(0);
});

test("a question ends by its time, and by another one of the same page", async () => {
  const { revisions, clock } = setUp();
  const first = watch(revisions.next("w", 0, "page"));
  const second = watch(revisions.next("w", 0, "page"));
  await settled();
  expect([first.now, second.now]).toEqual([null, "open"]);
  clock.advance(questionLastsMs);
  await settled();
  expect(second.now).toBeNull();
  expect(clock.pendingCount).toBe(0);
});

test("many changes in a row are told as one, but not never", async () => {
  const { revisions, clock } = setUp();
  const seen: number[] = [];
  for (let step = 0; step < 40; step++) {
    revisions.changedSoon("w");
    clock.advance(100);
    const now = revisions.of("w");
    if (now !== seen.at(-1) && now > 0) seen.push(now);
  }
  expect(seen.length).toBeGreaterThanOrEqual(1);
  expect(seen.length).toBeLessThanOrEqual(2);
  const last = revisions.of("w");
  revisions.changedSoon("w");
  clock.advance(300);
  expect(revisions.of("w")).toBe(last + 1);
  expect(clock.pendingCount).toBe(0);
});
