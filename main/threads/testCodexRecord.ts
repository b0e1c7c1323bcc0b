// For tests: threads, turns and items as the model of codex (testCodexModel.ts) has them, and as it tells them.

import { codexTurn, listed } from "./testCodexData";

type Loose = Record<string, unknown>;

export const parentId = "thread-1";
export const childId = "thread-2";
/** Fewer than a client asks for, which codex may do. */
export const turnsPerListing = 3;

export interface ModelItem {
  id: string;
  kind: "user" | "message" | "command" | "compaction" | "agent";
  /** Names this very item in every piece of its text, whatever its id is. */
  serial: number;
  pieces: number;
  clientId: string | null;
  /** codex keeps only what is done; `gone` was cut off, and `replaced` made way for another with its id. */
  state: "running" | "done" | "gone" | "replaced";
}

export interface ModelTurn {
  id: string;
  status: "inProgress" | "completed" | "interrupted" | "failed";
  items: ModelItem[];
}

export interface ModelThread {
  id: string;
  turns: ModelTurn[];
  isLoaded: boolean;
  isSubscribed: boolean;
  /** Requests that wait for the person, by id. */
  waiting: Map<number, { turn: ModelTurn; item: ModelItem }>;
  /** Client ids of the messages that wait for the end of the turn, and whether they wait for the person. */
  queue: string[];
  isHeld: boolean;
}

/** `piece` of the item with this serial. No two pieces of a history are the same. */
export const pieceOf = (serial: number, piece: number) => `${serial}.${piece} `;

export function textOf({ serial, pieces }: ModelItem): string {
  return Array.from({ length: pieces }, (_, piece) => pieceOf(serial, piece)).join("");
}

/** Newest first, with what is in codex's record. */
export function pageOf({ turns }: ModelThread, cursor: unknown) {
  const end = typeof cursor === "string" ? Number(cursor) : turns.length;
  const first = Math.max(0, end - turnsPerListing);
  const page = turns.slice(first, end).map((turn) => {
    const byId = new Map<string, ModelItem>();
    // The later one takes the place of the earlier.
    for (const item of turn.items)
      if (item.state === "done" || item.state === "replaced") byId.set(item.id, item);
    const items = [...byId.values()].filter(({ state }) => state === "done").map(asCodexItem);
    const error = turn.status === "failed" ? { message: "At capacity.", codexErrorInfo: "other" } : null;
    return codexTurn(turn.id, turn.status, items, { error });
  });
  return listed(page, first > 0 ? String(first) : null);
}

export function asCodexItem(item: ModelItem): Loose {
  const { id, clientId, serial } = item;
  const text = textOf(item);
  switch (item.kind) {
    case "user":
      return {
        type: "userMessage",
        id,
        clientId,
        content: [{ type: "text", text: `Do ${serial}`, text_elements: [] }],
      };
    case "message":
      return { type: "agentMessage", id, text: item.state === "running" ? "" : text, phase: null };
    case "compaction":
      return { type: "contextCompaction", id };
    case "agent":
      return {
        type: "subAgentActivity",
        id,
        kind: "started",
        agentThreadId: childId,
        agentPath: "/root/helper",
      };
    case "command": {
      const ended = item.state !== "running";
      return {
        type: "commandExecution",
        id,
        command: "make",
        cwd: "/home/ada/engine",
        commandActions: [],
        aggregatedOutput: ended ? text : null,
        status: ended ? "completed" : "inProgress",
        exitCode: ended ? 0 : null,
        durationMs: ended ? 1 : null,
        source: "agent",
      };
    }
    default:
      return item.kind satisfies never;
  }
}
