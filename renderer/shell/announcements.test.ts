import { describe, expect, it } from "vitest";
import type { RunState } from "../../preload/contract/cells";
import type { EnvironmentView } from "../../preload/contract/environments";
import type { ThreadState } from "../../preload/contract/thread";
import {
  connected,
  environmentView,
  localServer,
  replaced,
  unreachable,
} from "../environments/testEnvironments";
import { appCopyOf, applyAppChanges } from "../state/appCopy";
import { cellQuestion, runRow } from "../state/testRuns";
import { appState, cleanup, commandRequest, threadRow, workspace } from "../state/testThread";
import { announcementsOf, waitingCount, windowTitle } from "./announcements";

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

describe("of scripts", () => {
  const of = (state: RunState) =>
    appCopyOf({ state: appState({ runs: [runRow("run", { state })] }), threads: [] });

  it.each<[RunState, RunState, string[]]>([
    ["running", "completed", ["Script Review a branch has completed."]],
    ["ending", "failed", ["Script Review a branch failed."]],
    ["running", "stopped", ["Script Review a branch was stopped."]],
    ["running", "waiting for answer", []],
    ["waiting for answer", "running", []],
  ])("from %s to %s", (from, to, said) => {
    expect(announcementsOf(of(from), of(to))).toEqual(said);
  });

  it("their questions are said once, and a run that is only listed now is not", () => {
    const asking = (...ids: string[]) =>
      appCopyOf({ state: appState({ cellQuestions: ids.map((id) => cellQuestion(id)) }), threads: [] });
    expect(announcementsOf(asking("a"), asking("a", "b"))).toEqual([
      "Script Review a branch asks: Which one?",
    ]);
    expect(announcementsOf(asking("a"), asking())).toEqual([]);
    expect(announcementsOf(asking(), of("failed"))).toEqual([]);
  });
});

describe("of the environment that is in front of the person", () => {
  const of = (part: Partial<EnvironmentView>) =>
    appCopyOf({ state: appState({ environments: [environmentView(part)] }), threads: [] });
  const said = (from: Partial<EnvironmentView>, to: Partial<EnvironmentView>, shown: string | null = "box") =>
    announcementsOf(of(from), of(to), shown);
  const connecting = { connection: { state: "connecting" } } as const;
  const reconnecting = {
    connection: { state: "reconnecting", attempt: 1, fault: unreachable },
  } as const;

  it("is how it stands, without the way there", () => {
    expect(said({}, connecting)).toEqual([]);
    expect(said(connecting, { connection: connected })).toEqual(["build-box is connected."]);
    expect(said({ connection: connected }, reconnecting)).toEqual(["build-box is reconnecting."]);
    expect(
      said(reconnecting, { connection: { state: "reconnecting", attempt: 2, fault: unreachable } }),
    ).toEqual([]);
    expect(said(reconnecting, { connection: { state: "not connected", fault: unreachable } })).toEqual([
      "build-box is disconnected.",
    ]);
    expect(said(reconnecting, { connection: replaced })).toEqual([
      "build-box was restarted or replaced; the next use connects.",
    ]);
  });

  it("is what was found when it was asked, each time", () => {
    const check = { atMs: 1, latencyMs: 3, fault: null };
    const answered = ["build-box answered in 3 ms."];
    expect(said({ connection: connected }, { connection: connected, check })).toEqual(answered);
    const again = { connection: connected, check: { ...check, atMs: 2 } };
    expect(said({ connection: connected, check }, again)).toEqual(answered);
    expect(said(again, again)).toEqual([]);
    const silent = { connection: connected, check: { atMs: 3, latencyMs: null, fault: unreachable } };
    expect(said(again, silent)).toEqual([`build-box does not answer: ${unreachable.message}`]);
  });

  it("is whether the exec-server of one on this machine runs", () => {
    const running = { server: localServer({ state: "running" }) };
    expect(said({ ...running, connection: connected }, { server: localServer() })).toEqual([
      "build-box is stopped.",
    ]);
    const starting = { server: localServer({ state: "starting" }) };
    expect(said({ server: localServer() }, starting)).toEqual([]);
    expect(said(starting, running)).toEqual(["build-box is running."]);
    expect(said(running, { server: localServer({ fault: unreachable }) })).toEqual(["build-box has failed."]);
  });

  it("is nothing for any other one", () => {
    expect(said({ connection: connected }, reconnecting, "another")).toEqual([]);
    expect(said({ connection: connected }, reconnecting, null)).toEqual([]);
  });
});

it("counts what waits for an answer, of threads and of scripts", () => {
  const waiting = [commandRequest("a"), { ...commandRequest("b"), answering: true }];
  expect(waitingCount({ waiting, cellQuestions: [cellQuestion("q")] })).toBe(2);
});

it("puts what waits where a task bar shows it", () => {
  expect(windowTitle("Fix login", 2)).toBe("(2) Fix login - Holdfast");
  expect(windowTitle(null, 0)).toBe("Holdfast");
});
