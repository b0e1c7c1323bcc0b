import { describe, expect, it } from "vitest";
import type { ThreadState } from "../../preload/contract/thread";
import { appCopyOf, applyAppChanges } from "../state/appCopy";
import { appState, cleanup, threadRow, workspace } from "../state/testThread";
import { announcementsOf, windowTitle } from "./announcements";

function saidWhen(from: ThreadState, to: ThreadState, parentThreadId: string | null = null): string[] {
  const row = threadRow("a", { title: "Fix login", state: from, parentThreadId });
  const before = appCopyOf({ state: appState(), threads: [row] });
  const now = applyAppChanges(before, [{ type: "threads", upsert: [{ ...row, state: to }], remove: [] }]);
  return announcementsOf(before, now);
}

describe("what is said aloud", () => {
  it.each<[ThreadState, ThreadState, string[]]>([
    ["running", "waiting for approval", ["Fix login waits for your approval."]],
    ["running", "waiting for answer", ["Fix login has a question for you."]],
    ["running", "idle", ["Fix login has finished."]],
    ["running", "failed", ["Fix login failed."]],
    ["running", "interrupted", ["Fix login was stopped."]],
    ["not loaded", "idle", []],
    ["idle", "running", []],
    ["idle", "idle", []],
  ])("from %s to %s", (from, to, said) => {
    expect(saidWhen(from, to)).toEqual(said);
  });

  it("leaves child agents to their parent, and threads that are only listed now", () => {
    expect(saidWhen("running", "idle", "parent")).toEqual([]);
    const before = appCopyOf({ state: appState(), threads: [] });
    const now = applyAppChanges(before, [
      { type: "threads", upsert: [threadRow("new", { state: "failed" })], remove: [] },
    ]);
    expect(announcementsOf(before, now)).toEqual([]);
  });

  it("has the connection to codex in it", () => {
    const fault = { code: "lost", message: "Lost.", retryable: true };
    const connected = { state: "connected", codexVersion: "1", pid: 1, endsWithApp: false } as const;
    const reconnecting = { state: "reconnecting", attempt: 1, fault } as const;
    const of = (session: typeof connected | typeof reconnecting) =>
      appCopyOf({ state: appState({ workspaces: [workspace("w", { session })] }), threads: [] });
    expect(announcementsOf(of(connected), of(reconnecting))).toEqual(["codex in w is reconnecting."]);
    expect(announcementsOf(of(reconnecting), of(connected))).toEqual(["codex in w is connected again."]);
    expect(announcementsOf(of(connected), of(connected))).toEqual([]);
  });

  it("has what is owed in it when it comes and when it goes, not while it is tried", () => {
    const owing = (...cleanups: ReturnType<typeof cleanup>[]) =>
      appCopyOf({ state: appState({ cleanups }), threads: [] });
    const owed = cleanup("codex");
    expect(announcementsOf(owing(), owing(owed))).toEqual(["Cleanup pending: End codex."]);
    expect(announcementsOf(owing(owed), owing({ ...owed, attempts: 2, trying: true }))).toEqual([]);
    expect(announcementsOf(owing(owed), owing())).toEqual(["Cleaned up: End codex."]);
  });
});

it("puts what waits where a task bar shows it", () => {
  expect(windowTitle("Fix login", 2)).toBe("(2) Fix login · Holdfast");
  expect(windowTitle(null, 0)).toBe("Holdfast");
});
