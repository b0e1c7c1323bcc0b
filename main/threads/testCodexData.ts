// For tests: what codex says, as small as it can be.

type Loose = Record<string, unknown>;

export function codexTurn(id: string, status = "inProgress", items: Loose[] = [], more: Loose = {}) {
  const ended = status !== "inProgress";
  return {
    id,
    rootTurnId: id,
    items,
    itemsView: "full",
    status,
    error: null,
    startedAt: startOf(id),
    completedAt: ended ? startOf(id) + 1 : null,
    durationMs: ended ? 1000 : null,
    ...more,
  };
}

/** Turns of tests are named so that a later one has a greater number. */
function startOf(id: string): number {
  return 1_700_000_000 + Number(/\d+/.exec(id)?.[0] ?? 0);
}

export function userItem(id: string, text: string, clientId: string | null = null) {
  return { type: "userMessage", id, clientId, content: [{ type: "text", text, text_elements: [] }] };
}

export function agentItem(id: string, text: string) {
  return { type: "agentMessage", id, text, phase: null };
}

export function commandItem(id: string, output: string | null, more: Loose = {}) {
  return {
    type: "commandExecution",
    id,
    command: "make",
    cwd: "/home/ada/engine",
    commandActions: [],
    aggregatedOutput: output,
    status: "completed",
    exitCode: 0,
    durationMs: 1,
    source: "agent",
    ...more,
  };
}

export const runningCommand = (id: string) =>
  commandItem(id, null, { status: "inProgress", exitCode: null, durationMs: null });

export function codexThread(id: string, more: Loose = {}) {
  return {
    id,
    parentThreadId: null,
    forkedFromId: null,
    preview: "",
    name: null,
    ephemeral: false,
    createdAt: 1_700_000_000,
    updatedAt: 1_700_000_000,
    recencyAt: null,
    status: { type: "idle" },
    cwd: "/home/ada/engine",
    originator: "holdfast",
    source: "vscode",
    turns: [],
    ...more,
  };
}

export const readOnlySandbox = { type: "readOnly", networkAccess: false };

export function started(threadId: string, more: Loose = {}) {
  return {
    thread: codexThread(threadId),
    model: "gpt-5",
    modelProvider: "local",
    cwd: "/home/ada/engine",
    approvalPolicy: "on-request",
    sandbox: readOnlySandbox,
    activePermissionProfile: null,
    reasoningEffort: null,
    ...more,
  };
}

export function resumed(
  threadId: string,
  turns: Loose[],
  { status = "idle", flags = [] as string[], nextCursor = null as string | null, thread = {} as Loose } = {},
) {
  const threadStatus = status === "active" ? { type: status, activeFlags: flags } : { type: status };
  return {
    ...started(threadId),
    thread: codexThread(threadId, { status: threadStatus, ...thread }),
    initialTurnsPage: { data: [...turns].reverse(), nextCursor, backwardsCursor: null },
  };
}

/** A list as codex gives it: newest first. */
export function listed(turns: Loose[], nextCursor: string | null = null) {
  return { data: [...turns].reverse(), nextCursor, backwardsCursor: null };
}

export function commandApproval(threadId: string, turnId: string | null, more: Loose = {}) {
  return {
    kind: "command",
    threadId,
    turnId,
    itemId: "call_1",
    startedAtMs: 1,
    reason: "to publish",
    command: "/bin/bash -lc 'git push'",
    cwd: "/home/ada/engine",
    commandActions: [],
    availableDecisions: ["accept", "decline", "cancel"],
    ...more,
  };
}
