import { describe, expect, it } from "vitest";
import type { SessionView } from "../../preload/contract/app";
import type { ThreadState } from "../../preload/contract/thread";
import { workspace } from "./testThread";
import { branchOf, lookOf, sessionLook, shortPath } from "./words";

const fault = (code: string) => ({ code, message: "It did not work.", retryable: true });

describe("the look of a thread's state", () => {
  const look = (state: ThreadState, unread = false, cutOff?: string) => lookOf({ state, unread, cutOff });

  it("is green for what has ended unseen, and only for that", () => {
    expect(look("idle", true).tone).toBe("ok");
    expect(look("not loaded", true).tone).toBe("ok");
    expect(look("idle").tone).toBe("idle");
    expect(look("failed", true).tone).toBe("bad");
    expect(look("running", true).tone).toBe("busy");
  });

  it("has a word where the state matters more than the age", () => {
    expect(look("waiting for approval").brief).toBe("approve");
    expect(look("idle").brief).toBeNull();
    expect(look("interrupted", false, "codex was killed.").brief).toBe("interrupted");
  });

  it("is the same for what the person has stopped while it is loaded and when it is not any more", () => {
    for (const unread of [false, true])
      expect(look("interrupted", unread)).toEqual(look("not loaded", unread));
  });
});

it("says when a session ends with the app", () => {
  const session = { state: "connected", codexVersion: "0.171.0", pid: 1 } as const;
  expect(sessionLook({ ...session, endsWithApp: false }).word).toBe("connected · codex 0.171.0");
  expect(sessionLook({ ...session, endsWithApp: true }).word).toContain("ends with the app");
});

it.each<[SessionView, string, string]>([
  [{ state: "stopped" }, "hollow", "not running; starts when needed"],
  [{ state: "starting" }, "busy", "starting codex"],
  [{ state: "reconnecting", attempt: 3, fault: fault("lost") }, "warn", "reconnecting · attempt 3"],
  [{ state: "disconnected", fault: fault("config_invalid") }, "bad", "disconnected"],
  [
    { state: "disconnected", fault: fault("process_cleanup_pending") },
    "bad",
    "disconnected · cleanup pending",
  ],
  [{ state: "closing" }, "busy", "closing codex"],
])("says how a session is: %o", (session, tone, word) => {
  expect(sessionLook(session)).toEqual({ tone, word });
});

it("tells a folder without git from a detached head", () => {
  expect(branchOf(workspace("w"))).toBeNull();
  expect(branchOf(workspace("w", { git: { branch: "main", isWorktree: false } }))).toBe("main");
  expect(branchOf(workspace("w", { git: { branch: null, isWorktree: false } }))).toBe("detached");
});

it.each([
  ["/home/ada/src", "/home/ada", "~/src"],
  ["/home/ada", "/home/ada", "~"],
  ["/home/adam/src", "/home/ada", "/home/adam/src"],
  ["C:\\Users\\Ada\\src", "C:\\Users\\Ada", "~\\src"],
  ["/srv", "", "/srv"],
])("shortens %s in %s to %s", (path, home, short) => {
  expect(shortPath(path, home)).toBe(short);
});
