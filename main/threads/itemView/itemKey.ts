// codex's item ids are only unique within their turn: messages carry the model server's own ids, and a server may call
// the message of every turn "msg_1". Everything above this folder therefore names an item by its turn and its id.

export function itemKey(turnId: string, itemId: string): string {
  return `${turnId}/${itemId}`;
}

/** codex's own id of an item, for asking codex about it. */
export function codexItemId(turnId: string, key: string): string {
  return key.startsWith(`${turnId}/`) ? key.slice(turnId.length + 1) : key;
}
