// A thread's title where nobody has given it a name: the first line of what was asked.

const longestTitle = 200;

/** The name that the person gave, else the first line of what they asked. */
export function titleOf(thread: { name?: string | null; preview?: string | null }): string {
  return titleFrom(thread.name ?? thread.preview ?? "") || "Untitled thread";
}

export function titleFrom(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}
