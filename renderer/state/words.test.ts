import { describe, expect, it } from "vitest";
import type { SessionView } from "../../preload/contract/app";
import { workspace } from "./testThread";
import { branchOf, lookOf, sessionLook, shortPath } from "./words";

const fault = (code: string) => ({ code, message: "It did not work.", retryable: true });

describe("the look of a thread's state", () => {
  it("is green for what has ended unseen, and only for that", () => {
    expect(lookOf("idle", true).tone).toBe("ok");
    expect(lookOf("not loaded", true).tone).toBe("ok");
    expect(lookOf("idle", false).tone).toBe("idle");
    expect(lookOf("failed", true).tone).toBe("bad");
    expect(lookOf("running", true).tone).toBe("busy");
  });

  it("has a word where the state matters more than the age", () => {
    expect(lookOf("waiting for approval", false).brief).toBe("approve");
    expect(lookOf("idle", false).brief).toBeNull();
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
