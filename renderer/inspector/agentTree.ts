// The agents below a thread, as a tree in the order in which they were started. All of it is in their rows: main puts
// together what the agents say themselves and what is said about them. Pure.

import type { AgentView, ThreadRow } from "../../preload/contract/app";
import type { Rows } from "../state/appCopy";

export interface AgentNode {
  row: ThreadRow;
  agent: AgentView;
  state: AgentState;
  /** Depth below the thread, from 1. */
  level: number;
  position: number;
  setSize: number;
}

export type AgentState =
  | "running"
  | "waiting for approval"
  | "waiting for answer"
  | "completed"
  | "interrupted"
  | "failed"
  | "closed"
  | "idle"
  | "not loaded";

/** What it does now counts before how it ended, and that before where its thread is. */
export function agentState(row: Pick<ThreadRow, "state" | "agent">): AgentState {
  switch (row.state) {
    case "running":
    case "waiting for approval":
    case "waiting for answer":
      return row.state;
    case "failed":
    case "interrupted":
    case "idle":
    case "not loaded":
      return row.agent?.outcome ?? row.state;
    default:
      return row.state satisfies never;
  }
}

export function isAtWork(state: AgentState): boolean {
  return state === "running" || state === "waiting for approval" || state === "waiting for answer";
}

/** Depth first: the order in which the keyboard goes through them. */
export function agentTree(rows: Rows, threadId: string | null): AgentNode[] {
  if (threadId === null) return [];
  const childrenOf = new Map<string, ThreadRow[]>();
  for (const row of rows.values()) {
    if (row.parentThreadId === null) continue;
    const held = childrenOf.get(row.parentThreadId);
    if (held) held.push(row);
    else childrenOf.set(row.parentThreadId, [row]);
  }
  const nodes: AgentNode[] = [];
  const seen = new Set([threadId]);
  const put = (parentId: string, level: number): void => {
    // codex's ids grow with time.
    const children = (childrenOf.get(parentId) ?? [])
      .filter((row) => !seen.has(row.threadId))
      .sort((a, b) => (a.threadId < b.threadId ? -1 : 1));
    children.forEach((row, index) => {
      seen.add(row.threadId);
      const agent = row.agent ?? unknownAgent(row);
      nodes.push({
        row,
        agent,
        state: agentState(row),
        level,
        position: index + 1,
        setSize: children.length,
      });
      put(row.threadId, level + 1);
    });
  };
  put(threadId, 1);
  return nodes;
}

function unknownAgent(row: ThreadRow): AgentView {
  return {
    name: row.title,
    role: null,
    task: null,
    lastMessage: null,
    tokens: null,
    acceptsMessages: null,
    outcome: null,
  };
}

/** The same list as before when nothing in it has changed, so that nothing is drawn again. */
export function keptTree(threadId: string | null): (rows: Rows) => AgentNode[] {
  let last: AgentNode[] = [];
  return (rows) => {
    const next = agentTree(rows, threadId);
    const isSame =
      next.length === last.length &&
      next.every(
        (node, index) =>
          node.row === last[index]?.row &&
          node.level === last[index].level &&
          node.setSize === last[index].setSize,
      );
    if (!isSame) last = next;
    return last;
  };
}

/** "3 agents, 2 at work" */
export function treeWords(nodes: readonly AgentNode[]): string {
  const busy = nodes.filter(({ state }) => isAtWork(state)).length;
  const all = `${nodes.length} ${nodes.length === 1 ? "agent" : "agents"}`;
  return busy === 0 ? all : `${all}, ${busy} at work`;
}
