// What codex tells that may mean that files of a workspace are not what they were.

/** A turn has ended, or something in it that can write files. */
export function mayHaveChangedFiles(method: string, params: unknown): boolean {
  if (method === "turn/completed" || method === "turn/diff/updated") return true;
  if (method !== "item/completed" || typeof params !== "object" || params === null) return false;
  const item: unknown = "item" in params ? params.item : null;
  const type: unknown = typeof item === "object" && item !== null && "type" in item ? item.type : null;
  return type === "fileChange" || type === "commandExecution" || type === "mcpToolCall";
}
