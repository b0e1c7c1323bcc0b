// The smallest valid things of the contract, for tests.

import type { AppSnapshot, ThreadRow } from "../../preload/contract/app";
import type { Item } from "../../preload/contract/items";
import { defaultSettings } from "../../preload/contract/settings";
import type { ThreadHead, ThreadSnapshot, TurnView } from "../../preload/contract/thread";

export function agentItem(id: string, text = ""): Extract<Item, { kind: "agent" }> {
  return {
    id,
    turnId: "turn",
    status: "running",
    startedAtMs: null,
    completedAtMs: null,
    kind: "agent",
    text,
    phase: null,
    gaps: [],
  };
}

export function commandItem(id: string, output = ""): Extract<Item, { kind: "command" }> {
  return {
    id,
    turnId: "turn",
    status: "running",
    startedAtMs: null,
    completedAtMs: null,
    kind: "command",
    command: "true",
    cwd: "/",
    purpose: null,
    output: { text: output, droppedUnits: 0 },
    gaps: [],
    exitCode: null,
    durationMs: null,
    byAgent: true,
  };
}

export function turn(id: string, durationMs: number | null = null): TurnView {
  return { id, status: "running", startedAtMs: null, completedAtMs: null, durationMs, fault: null };
}

export function threadHead(title = "Title"): ThreadHead {
  return {
    key: "thread",
    threadId: "thread",
    workspaceId: "workspace",
    title,
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
  };
}

export function threadSnapshot(items: Item[] = []): ThreadSnapshot {
  return { head: threadHead(), turns: [], items };
}

export function threadRow(threadId: string, title = "Title"): ThreadRow {
  return {
    threadId,
    workspaceId: "workspace",
    title,
    state: "idle",
    archived: false,
    unread: false,
    updatedAtMs: 0,
    parentThreadId: null,
    agent: null,
    source: "app",
    hasDraft: false,
  };
}

export function appSnapshot(threads: ThreadRow[] = []): AppSnapshot {
  return {
    state: {
      version: "0.0.0",
      platform: "linux",
      home: "/home",
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
    },
    threads,
  };
}
