import { expect, test } from "vitest";
import { blockedBy } from "./blocked";

const head = { archived: false, fault: null, demo: false };
const app = { codex: "found", signedOut: false } as const;
const here = { gone: false };

test("nothing stands in the way of an ordinary thread", () => {
  expect(blockedBy(head, here, app, false)).toBe(null);
});

test("each obstacle is named with what helps", () => {
  expect(blockedBy({ ...head, archived: true }, here, app, false)?.remedy).toBe("unarchive");
  expect(blockedBy(head, { gone: true }, app, false)?.remedy).toBe("locate");
  const fault = { code: "x", message: "Open elsewhere.", hint: "Close it there.", retryable: true };
  expect(blockedBy({ ...head, fault }, here, app, false)).toEqual({
    reason: "Open elsewhere.",
    remedy: null,
    saidAbove: true,
  });
  expect(blockedBy(head, here, { ...app, codex: "missing" }, false)?.reason).toMatch(/not found/);
  expect(blockedBy(head, here, app, true)?.reason).toMatch(/no connection/);
});

test("the demo needs no account", () => {
  const signedOut = { ...app, signedOut: true };
  expect(blockedBy(head, here, signedOut, false)?.reason).toMatch(/no account/);
  expect(blockedBy({ ...head, demo: true }, here, signedOut, false)).toBe(null);
});
