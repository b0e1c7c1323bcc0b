// Which child agents a conversation names. codex announces them nowhere else before they speak.

import type { Item } from "../../preload/contract/items";
import { baseName, recordOf, stringsOf, wordsOrNull } from "./loose";

export interface NamedAgent {
  threadId: string;
  name: string | null;
}

/** In an item as codex sends it. */
export function agentsNamed(codexItem: unknown): NamedAgent[] {
  const item = recordOf(codexItem);
  switch (item.type) {
    case "subAgentActivity": {
      const threadId = wordsOrNull(item.agentThreadId);
      const path = wordsOrNull(item.agentPath);
      return threadId === null ? [] : [{ threadId, name: path === null ? null : baseName(path) }];
    }
    case "collabAgentToolCall":
      return stringsOf(item.receiverThreadIds).map((threadId) => ({ threadId, name: null }));
    default:
      return [];
  }
}

/** In a conversation. */
export function agentsIn(items: Item[]): NamedAgent[] {
  return items.flatMap((item) =>
    item.kind === "subAgent"
      ? item.agentThreadIds.map((threadId) => ({ threadId, name: item.agentName }))
      : [],
  );
}
