// A row goes away while somebody is on it.

/**
 * The one that is in its place then: the one after it, and at the end the one before it, as they were `seen`. By what they
 * are and not by their number: others may be moved in the same moment. null: nothing is left.
 */
export function rowAfter(gone: string, seen: readonly string[], now: readonly string[]): string | null {
  const at = seen.indexOf(gone);
  const isLeft = (id: string) => id !== gone && now.includes(id);
  const before = seen.slice(0, Math.max(0, at));
  return seen.slice(at + 1).find(isLeft) ?? before.findLast(isLeft) ?? now.at(-1) ?? null;
}
