// The records that the fake sends, with every field that the real binary sends.

/**
 * @import { ItemOf, LiveThread, StoredTurn, ThreadRecord } from "./fakeTypes"
 * @import { FileUpdateChange } from "../../../main/codex/protocol/v2/FileUpdateChange"
 * @import { Thread } from "../../../main/codex/protocol/v2/Thread"
 * @import { ThreadItem } from "../../../main/codex/protocol/v2/ThreadItem"
 * @import { ThreadStartResponse } from "../../../main/codex/protocol/v2/ThreadStartResponse"
 * @import { ThreadTokenUsage } from "../../../main/codex/protocol/v2/ThreadTokenUsage"
 * @import { Turn } from "../../../main/codex/protocol/v2/Turn"
 * @import { TurnItemsView } from "../../../main/codex/protocol/v2/TurnItemsView"
 * @import { UserInput } from "../../../main/codex/protocol/v2/UserInput"
 */

import { randomBytes } from "node:crypto";

export const fakeModel = "fake-model";

/** Like codex's UUIDv7: the time first, so that ids sort by age. */
export function newId(nowMs = Date.now()) {
  const time = nowMs.toString(16).padStart(12, "0");
  const random = randomBytes(10).toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

/** @param {number} ms */
export function seconds(ms) {
  return Math.floor(ms / 1000);
}

/**
 * @param {{ id?: string, cwd: string, codexHome: string, version: string, model: string, originator?: string | null }} facts
 * @returns {ThreadRecord}
 */
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

/**
 * What is on record plus what only a running server knows.
 * @param {ThreadRecord} record
 * @param {Pick<LiveThread, "status" | "loaded">} live
 * @returns {Thread}
 */
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

/** @returns {StoredTurn} */
export function newTurn() {
  const id = newId();
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

/**
 * In short is the person's message and the last answer.
 * @param {StoredTurn} turn
 * @param {TurnItemsView} view
 * @returns {Turn}
 */
export function turnView(turn, view) {
  return { ...turn, items: viewedItems(turn, view), itemsView: view };
}

/** @param {StoredTurn} turn @param {TurnItemsView} view @returns {ThreadItem[]} */
function viewedItems({ items }, view) {
  if (view === "full") return items;
  if (view === "notLoaded") return [];
  const last = items.findLast((item) => item.type === "agentMessage");
  return items.filter((item) => item.type === "userMessage" || item === last);
}

export const items = {
  /** @param {UserInput[]} input @param {string | null} [clientId] @returns {ItemOf<"userMessage">} */
  userMessage: (input, clientId) => ({
    type: "userMessage",
    id: newId(),
    clientId: clientId ?? null,
    // A client may leave out what codex fills in.
    content: input.map((part) =>
      part.type === "text" ? { ...part, text_elements: part.text_elements ?? [] } : part,
    ),
  }),
  /**
   * @param {string} text
   * @param {{ id?: string, phase?: ItemOf<"agentMessage">["phase"] }} [options]
   * @returns {ItemOf<"agentMessage">}
   */
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
  /** @param {string[]} summary @returns {ItemOf<"reasoning">} */
  reasoning: (summary, id = `rs_${newId()}`) => ({ type: "reasoning", id, summary, content: [] }),
  /**
   * @param {string} command
   * @param {string} cwd
   * @param {{ id?: string, source?: ItemOf<"commandExecution">["source"] }} [options]
   * @returns {ItemOf<"commandExecution">}
   */
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
  /** @param {FileUpdateChange[]} changes @returns {ItemOf<"fileChange">} */
  fileChange: (changes, id = `call_${newId()}`) => ({
    type: "fileChange",
    id,
    changes,
    status: "inProgress",
  }),
};

/** @param {ThreadRecord} record @returns {Omit<ThreadStartResponse, "thread">} */
export function threadSettings(record) {
  return {
    model: record.model ?? fakeModel,
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

/** @param {number} total @returns {ThreadTokenUsage} */
export function tokenUsage(total) {
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
