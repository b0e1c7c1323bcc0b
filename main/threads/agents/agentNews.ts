// What codex says about child agents, wherever it says it: in the conversation of the one that steers them, in what they
// say themselves, and in its record of their threads. Pure.

import type { AgentView } from "../../../preload/contract/app";
import type { Item } from "../../../preload/contract/items";
import type { Thread } from "../../codex/protocol/v2/Thread";
import { viewItem } from "../itemView";
import { baseName, recordOf, wordsOrNull } from "../loose";

/** Only what is said is in it; a field that is not said stays as it is. */
export type AgentSaid = Partial<AgentView>;

export interface AgentNews {
  threadId: string;
  said: AgentSaid;
}

/** More of a message or of a task is read in the agent's own conversation. */
const longestWords = 300;

export function shortened(text: string): string | null {
  const words = text.trim().replace(/\s+/g, " ");
  if (words === "") return null;
  return words.length > longestWords ? `${words.slice(0, longestWords - 1)}…` : words;
}

/** In an item as codex sends it, of the conversation of the one that steers the agents. */
export function newsInCodexItem(turnId: string, codexItem: unknown, isRunning: boolean): AgentNews[] {
  const { type } = recordOf(codexItem);
  if (type !== "subAgentActivity" && type !== "collabAgentToolCall") return [];
  return newsInItem(viewItem(codexItem, { turnId, running: isRunning }));
}

export function newsInItem(item: Item): AgentNews[] {
  if (item.kind !== "subAgent") return [];
  const news = item.agentThreadIds.map((threadId) => ({ threadId, said: saidOfStep(item) }));
  for (const { agent, state, message } of item.states) {
    if (!item.agentThreadIds.includes(agent)) continue;
    const outcome = outcomeOf(state);
    // What closing an agent reports is how it was before.
    if (outcome !== undefined && item.step !== "closed") news.push({ threadId: agent, said: { outcome } });
    const lastMessage = message === null ? null : shortened(message);
    if (lastMessage !== null) news.push({ threadId: agent, said: { lastMessage } });
  }
  return news;
}

type SubAgentItem = Extract<Item, { kind: "subAgent" }>;

function saidOfStep({ step, status, agentName, prompt }: SubAgentItem): AgentSaid {
  const said: AgentSaid = agentName === null ? {} : { name: agentName };
  if (status === "failed" || status === "declined") return said;
  switch (step) {
    case "started":
    case "followUp": {
      const task = prompt === null ? null : shortened(prompt);
      return task === null ? said : { ...said, task };
    }
    case "interrupted":
      return { ...said, outcome: "interrupted" };
    case "finished":
      return { ...said, outcome: "completed" };
    case "closed":
      return status === "completed" ? { ...said, outcome: "closed" } : said;
    case "messaged":
    case "waited":
    case "resumed":
    case "other":
      return said;
    default:
      return step satisfies never;
  }
}

/** Undefined: the word says nothing about an end. */
function outcomeOf(state: string): AgentView["outcome"] | undefined {
  switch (state) {
    case "completed":
    case "interrupted":
    case "failed":
    case "closed":
      return state;
    case "not found":
      return "closed";
    default:
      return undefined;
  }
}

/** In what codex says about the agent's own thread. Null: nothing. */
export function saidByAgent(method: string, params: Readonly<Record<string, unknown>>): AgentSaid | null {
  switch (method) {
    case "turn/started":
      return { outcome: null };
    case "turn/completed":
      return { outcome: turnOutcome(recordOf(params.turn).status) };
    case "item/completed": {
      const item = recordOf(params.item);
      if (item.type !== "agentMessage" && item.type !== "userMessage") return null;
      return saidInItem(viewItem(item, { turnId: wordsOrNull(params.turnId) ?? "", running: false }));
    }
    case "thread/tokenUsage/updated": {
      const tokens = recordOf(recordOf(params.tokenUsage).total).totalTokens;
      return typeof tokens === "number" ? { tokens } : null;
    }
    case "thread/closed":
      return { acceptsMessages: null };
    case "thread/status/changed":
      return recordOf(params.status).type === "notLoaded" ? { acceptsMessages: null } : null;
    default:
      return null;
  }
}

function saidInItem(item: Item): AgentSaid | null {
  if (item.kind === "agent") {
    const lastMessage = shortened(item.text);
    return lastMessage === null ? null : { lastMessage };
  }
  // A message without a client's id comes from the agent above.
  if (item.kind !== "user" || item.clientId !== null) return null;
  const task = shortened(item.text);
  return task === null ? null : { task };
}

/** In the agent's conversation as it has been loaded. */
export function saidInConversation(items: readonly Item[]): AgentSaid {
  const said: AgentSaid = {};
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    const one = item ? saidInItem(item) : null;
    said.lastMessage ??= one?.lastMessage;
    said.task ??= one?.task;
    if (said.lastMessage && said.task) break;
  }
  return said;
}

export function turnOutcome(status: unknown): AgentView["outcome"] {
  return status === "completed" || status === "interrupted" || status === "failed" ? status : null;
}

/** In codex's record of the agent's thread. */
export function saidOfThread(thread: Thread): AgentSaid {
  const said: AgentSaid = {};
  const spawn = recordOf(recordOf(recordOf(thread.source).subAgent).thread_spawn);
  const path = wordsOrNull(spawn.agent_path);
  const name =
    path === null ? (wordsOrNull(thread.agentNickname) ?? wordsOrNull(spawn.agent_nickname)) : baseName(path);
  if (name !== null) said.name = name;
  const role = wordsOrNull(thread.agentRole) ?? wordsOrNull(spawn.agent_role);
  if (role !== null) said.role = role;
  const task = shortened(thread.preview ?? "");
  if (task !== null) said.task = task;
  const accepts: unknown = thread.canAcceptDirectInput;
  said.acceptsMessages = typeof accepts === "boolean" ? accepts : null;
  return said;
}
