// The agents that this thread works with, out of what it did with them in order, as a tree: an agent that another agent
// of this thread started stands below it. A thread's own row knows best how it is now, as long as it is loaded; before
// and after that it is what codex last reported. Pure.

import type { ThreadRow } from "../../preload/contract/app";
import type { Rows } from "../state/appCopy";
import type { ItemOf } from "./kindSelect";

export interface AgentNode {
  threadId: string;
  name: string;
  /** In words; null when nothing was reported yet. */
  state: string | null;
  message: string | null;
  /** What it was asked to do. */
  task: string | null;
  children: readonly AgentNode[];
}

interface Known {
  name: string | null;
  state: string | null;
  message: string | null;
  task: string | null;
}

/** What is said about one agent when something happens to it, as the state that it is in from then on. */
const stateAfter: ReadonlyMap<string, string> = new Map([
  ["Agent started", "running"],
  ["Agent was given a message", "running"],
  ["Agent interrupted", "interrupted"],
  ["Agent finished", "completed"],
]);

function takeItem(known: Map<string, Known>, item: ItemOf<"subAgent">): void {
  const entry = (threadId: string): Known => {
    const held = known.get(threadId);
    if (held) return held;
    const made: Known = { name: null, state: null, message: null, task: null };
    known.set(threadId, made);
    return made;
  };
  for (const threadId of item.agentThreadIds) {
    const agent = entry(threadId);
    if (item.agentName !== null) agent.name = item.agentName;
    agent.task ??= item.prompt;
    agent.state = stateAfter.get(item.activity) ?? agent.state;
  }
  for (const { agent: threadId, state, message } of item.states) {
    const agent = entry(threadId);
    agent.state = state;
    if (message !== null) agent.message = message;
  }
}

/** States of a thread that say more than what codex last reported about the agent. */
const tellingStates: ReadonlySet<ThreadRow["state"]> = new Set([
  "running",
  "waiting for approval",
  "waiting for answer",
  "failed",
]);

function stateNow(row: ThreadRow | undefined, reported: string | null): string | null {
  return row && tellingStates.has(row.state) ? row.state : reported;
}

export function agentTree(items: readonly ItemOf<"subAgent">[], rows: Rows): AgentNode[] {
  const known = new Map<string, Known>();
  for (const item of items) takeItem(known, item);
  addDescendants(known, rows);
  const childrenOf = new Map<string | null, string[]>();
  for (const threadId of known.keys()) {
    const parent = rows.get(threadId)?.parentThreadId ?? null;
    const at = parent !== null && parent !== threadId && known.has(parent) ? parent : null;
    childrenOf.set(at, [...(childrenOf.get(at) ?? []), threadId]);
  }
  const nodesOf = (parent: string | null): AgentNode[] =>
    (childrenOf.get(parent) ?? []).map((threadId, index) => {
      const agent = known.get(threadId);
      const row = rows.get(threadId);
      return {
        threadId,
        name: agent?.name ?? row?.title ?? `Agent ${index + 1}`,
        state: stateNow(row, agent?.state ?? null),
        message: agent?.message ?? null,
        task: agent?.task ?? null,
        children: nodesOf(threadId),
      };
    });
  return nodesOf(null);
}

/** Threads that an agent of this thread started itself; this thread has no item about them. */
function addDescendants(known: Map<string, Known>, rows: Rows): void {
  if (known.size === 0) return;
  let more = true;
  while (more) {
    more = false;
    for (const row of rows.values()) {
      if (row.parentThreadId === null || known.has(row.threadId) || !known.has(row.parentThreadId)) continue;
      known.set(row.threadId, { name: null, state: null, message: null, task: null });
      more = true;
    }
  }
}

export function countAgents(nodes: readonly AgentNode[]): number {
  return nodes.reduce((sum, node) => sum + 1 + countAgents(node.children), 0);
}
