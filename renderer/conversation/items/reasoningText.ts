// What a reasoning says in one line. Pure.

/** The last line that is being thought, without marks; null while there is none. */
export function lastThought(text: string): string | null {
  const end = text.trimEnd();
  if (end === "") return null;
  const line = end.slice(end.lastIndexOf("\n") + 1);
  const plain = line
    .replace(/^\s*(?:#{1,6}|[-*+]|\d+[.)]|>)\s+/, "")
    .replace(/[*`]+/g, "")
    .trim();
  return plain === "" ? null : plain;
}
