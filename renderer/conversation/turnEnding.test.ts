import { expect, test } from "vitest";
import { endingOf } from "./turnEnding";

const elsewhere = { code: "open_elsewhere" };
const cutOff = { status: "interrupted", completedAtMs: null } as const;

test("a turn without an end may be at work where the thread is open", () => {
  expect(endingOf(cutOff, true, elsewhere)).toBe("unknown");
});

test("one that another turn follows is not, nor one whose end is on record, nor one in a thread of ours", () => {
  expect(endingOf(cutOff, false, elsewhere)).toBe("interrupted");
  expect(endingOf({ status: "interrupted", completedAtMs: 5 }, true, elsewhere)).toBe("interrupted");
  expect(endingOf(cutOff, true, { code: "thread_archived" })).toBe("interrupted");
  expect(endingOf(cutOff, true, null)).toBe("interrupted");
  expect(endingOf({ status: "completed", completedAtMs: null }, true, elsewhere)).toBe("completed");
});

test("a turn that runs has no ending", () => {
  expect(endingOf({ status: "running", completedAtMs: null }, true, elsewhere)).toBeNull();
});
