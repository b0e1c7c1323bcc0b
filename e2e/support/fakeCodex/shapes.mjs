// The records that the fake sends, with every field that the real binary sends.

import { randomBytes } from "node:crypto";

/** Like codex's UUIDv7: the time first, so that ids sort by age. */
export function newId(nowMs = Date.now()) {
  const time = nowMs.toString(16).padStart(12, "0");
  const random = randomBytes(10).toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

export function seconds(ms) {
  return Math.floor(ms / 1000);
}

export function newThread({ id = newId(), cwd, codexHome, version, model, originator = null }) {
  const now = seconds(Date.now());
  return {
    id,
    extra: null,
    sessionId: id,
    forkedFromId: null,
    attachedToThreadId: null,
    parentThreadId: null,
    preview: "",
    ephemeral: false,
    section: null,
    sectionEnteredAt: null,
    projectId: null,
    historyMode: "paginated",
    modelProvider: "fake",
    model,
    reasoningEffort: null,
    createdAt: now,
    updatedAt: now,
    recencyAt: now,
    path: `${codexHome}/sessions/rollout-${id}.jsonl`,
    cwd,
    cliVersion: version,
    originator,
    source: "vscode",
    threadSource: null,
    agentNickname: null,
    agentRole: null,
    gitInfo: null,
    name: null,
    daybreakEnabled: null,
  };
}

/** What is on record plus what only a running server knows. */
export function threadView(record, { status, loaded }) {
  return {
    ...record,
    environments: loaded
      ? [{ environmentId: "local", cwd: record.cwd, runtimeWorkspaceRoots: [record.cwd] }]
      : null,
    canAcceptDirectInput: loaded ? true : null,
    status,
    turns: [],
  };
}

export function newTurn(id = newId()) {
  return {
    id,
    rootTurnId: id,
    items: [],
    status: "inProgress",
    error: null,
    startedAt: seconds(Date.now()),
    completedAt: null,
    durationMs: null,
  };
}

/** `view` is full, summary (the person's message and the last answer) or notLoaded. */
export function turnView(turn, view) {
  return { ...turn, items: viewedItems(turn, view), itemsView: view };
}

function viewedItems({ items }, view) {
  if (view === "full") return items;
  if (view === "notLoaded") return [];
  const last = items.findLast((item) => item.type === "agentMessage");
  return items.filter((item) => item.type === "userMessage" || item === last);
}

export const items = {
  userMessage: (input, clientId) => ({
    type: "userMessage",
    id: newId(),
    clientId: clientId ?? null,
    content: input.map((part) => (part.type === "text" ? { text_elements: [], ...part } : part)),
  }),
  agentMessage: (text, { id = `msg_${newId()}`, phase = null } = {}) => ({
    type: "agentMessage",
    moderation: null,
    id,
    text,
    phase,
    memoryCitation: null,
    delivery: null,
    questions: null,
  }),
  reasoning: (summary, id = `rs_${newId()}`) => ({ type: "reasoning", id, summary, content: [] }),
  command: (command, cwd, { id = `call_${newId()}`, source = "unifiedExecStartup" } = {}) => ({
    type: "commandExecution",
    id,
    pluginId: null,
    scriptPath: null,
    command: `/bin/bash -c '${command}'`,
    cwd,
    processId: source === "agent" ? null : "4711",
    source,
    status: "inProgress",
    commandActions: [{ type: "unknown", command }],
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
  }),
  fileChange: (changes, id = `call_${newId()}`) => ({
    type: "fileChange",
    id,
    changes,
    status: "inProgress",
  }),
};

export function threadSettings(record) {
  return {
    model: record.model,
    modelProvider: record.modelProvider,
    serviceTier: null,
    disabledPluginIds: [],
    cwd: record.cwd,
    runtimeWorkspaceRoots: [record.cwd],
    instructionSources: [],
    approvalPolicy: "on-request",
    approvalsReviewer: "user",
    sandbox: {
      type: "workspaceWrite",
      writableRoots: [],
      networkAccess: false,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: false,
    },
    activePermissionProfile: null,
    reasoningEffort: record.reasoningEffort,
    multiAgentMode: "explicitRequestOnly",
  };
}

export function tokenUsage(total = 15) {
  const counts = {
    totalTokens: total,
    inputTokens: Math.ceil((total * 2) / 3),
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: Math.floor(total / 3),
    reasoningOutputTokens: 0,
  };
  return { total: counts, last: counts, modelContextWindow: 190_000 };
}
