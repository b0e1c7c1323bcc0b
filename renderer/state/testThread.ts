// Small threads, rows and apps for tests.

import type { AppState, CleanupView, ThreadRow, WorkspaceView } from "../../preload/contract/app";
import type { Item } from "../../preload/contract/items";
import type { Request } from "../../preload/contract/requests";
import { defaultSettings } from "../../preload/contract/settings";
import type { ThreadHead, ThreadSnapshot, TurnView } from "../../preload/contract/thread";

const base = { turnId: "turn", status: "running", startedAtMs: null, completedAtMs: null } as const;

export function agentItem(id: string, text = ""): Extract<Item, { kind: "agent" }> {
  return { ...base, id, kind: "agent", text, phase: null, gaps: [] };
}

export function userItem(id: string, text = ""): Extract<Item, { kind: "user" }> {
  return { ...base, id, kind: "user", clientId: null, text, attachments: [] };
}

export function reasoningItem(id: string): Extract<Item, { kind: "reasoning" }> {
  return { ...base, id, kind: "reasoning", summary: "", summaryGaps: [], content: "", contentGaps: [] };
}

export function commandItem(id: string, output = ""): Extract<Item, { kind: "command" }> {
  return {
    ...base,
    id,
    kind: "command",
    command: "ls",
    cwd: "/",
    purpose: null,
    output: { text: output, droppedUnits: 0 },
    gaps: [],
    exitCode: null,
    durationMs: null,
    byAgent: true,
  };
}

export function turn(id: string, status: TurnView["status"] = "completed"): TurnView {
  return { id, status, startedAtMs: null, completedAtMs: null, durationMs: null, fault: null };
}

export function threadHead(part: Partial<ThreadHead> = {}): ThreadHead {
  return {
    key: "thread",
    threadId: "thread",
    workspaceId: "workspace",
    title: "Fix login",
    state: "idle",
    residency: "loaded",
    archived: false,
    demo: false,
    fault: null,
    run: null,
    cutOff: null,
    plan: null,
    usage: null,
    changed: null,
    requests: [],
    submissions: [],
    followUps: { entries: [], held: null, keeper: "codex" },
    comments: [],
    mcpServers: [],
    leftRunning: [],
    settings: { model: null, effort: null, sandbox: null, approvalPolicy: null },
    environment: null,
    hasOlder: false,
    loadingOlder: false,
    ...part,
  };
}

export function threadSnapshot(items: Item[] = [], turns: TurnView[] = []): ThreadSnapshot {
  return { head: threadHead(), turns, items };
}

export function threadRow(threadId: string, part: Partial<ThreadRow> = {}): ThreadRow {
  return {
    threadId,
    workspaceId: "workspace",
    title: threadId,
    state: "idle",
    archived: false,
    unread: false,
    updatedAtMs: 0,
    parentThreadId: null,
    agent: null,
    source: "app",
    hasDraft: false,
    ...part,
  };
}

export function workspace(id: string, part: Partial<WorkspaceView> = {}): WorkspaceView {
  return {
    id,
    path: `/home/ada/${id}`,
    name: id,
    demo: false,
    gone: false,
    git: null,
    parentWorkspaceId: null,
    session: { state: "stopped" },
    hasMore: false,
    listing: false,
    listFault: null,
    ...part,
  };
}

export function commandRequest(threadId: string, askedAtMs = 0): Extract<Request, { kind: "command" }> {
  return {
    kind: "command",
    key: `request ${threadId} ${askedAtMs}`,
    threadId,
    turnId: null,
    itemId: null,
    agentName: null,
    askedAtMs,
    answering: false,
    command: "ls",
    cwd: null,
    reason: null,
    network: null,
    decisions: [],
  };
}

export function cleanup(id: string, part: Partial<CleanupView> = {}): CleanupView {
  return {
    id,
    title: `End ${id}`,
    reason: "It was replaced.",
    workspaceId: "workspace",
    sinceMs: 0,
    attempts: 1,
    lastAttemptAtMs: 0,
    fault: { code: "still_alive", message: "It did not end.", retryable: true },
    nextAttemptAtMs: 0,
    trying: false,
    hasLog: true,
    ...part,
  };
}

export function appState(part: Partial<AppState> = {}): AppState {
  return {
    version: "0.0.0",
    platform: "linux",
    home: "/home/ada",
    codex: { state: "searching" },
    account: { state: "unknown", fault: null },
    login: { state: "none" },
    limits: null,
    codexNews: {},
    workspaces: [],
    waiting: [],
    cleanups: [],
    scripts: [],
    runs: [],
    cellQuestions: [],
    environments: [],
    terminals: [],
    worktreeStarts: [],
    notices: [],
    settings: defaultSettings,
    ...part,
  };
}
