import { expect, test } from "vitest";
import { blockedBy } from "./blocked";

const head = { archived: false, fault: null, demo: false, environment: null };
const app = { codex: "found", signedOut: false } as const;
const here = { gone: false };

test("nothing stands in the way of an ordinary thread", () => {
  expect(blockedBy(head, here, app, false)).toBe(null);
});

test("each obstacle is named with what helps", () => {
  expect(blockedBy({ ...head, archived: true }, here, app, false)?.remedy).toBe("unarchive");
  expect(blockedBy(head, { gone: true }, app, false)?.remedy).toBe("locate");
  const archived = { code: "thread_archived", message: "It is archived.", retryable: true };
  expect(blockedBy({ ...head, archived: true, fault: archived }, here, app, false)).toEqual({
    reason: "This thread is archived. Unarchive it to write.",
    remedy: "unarchive",
    saidAbove: false,
  });
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

test("an agent that codex takes no messages for; one of which that is not known can be tried", () => {
  expect(blockedBy(head, here, app, false, { acceptsMessages: false })?.reason).toMatch(/takes no messages/);
  expect(blockedBy(head, here, app, false, { acceptsMessages: null })).toBe(null);
  expect(blockedBy(head, here, app, false, { acceptsMessages: true })).toBe(null);
});

test("nothing is sent to an environment that was removed; one that is only disconnected takes the next message", () => {
  const place = {
    environmentId: "e",
    name: "build-box",
    cwd: "/srv",
    state: "disconnected",
    executorGone: false,
    fault: null,
  } as const;
  expect(blockedBy({ ...head, environment: place }, here, app, false)).toBe(null);
  expect(blockedBy({ ...head, environment: { ...place, name: null } }, here, app, false)).toMatchObject({
    saidAbove: true,
  });
});
