// The branch that is proposed for a message: its first words, as people write branches. Pure.

const mostWords = 5;
const mostCharacters = 40;

/** Where the message says nothing that a branch could be called. */
export const plainProposal = "thread";

export function proposeBranch(text: string): string {
  const words = text
    .normalize("NFKD")
    // Accents go, letters of every script stay.
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll(/['’]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, mostWords);
  const held: string[] = [];
  let characters = 0;
  for (const word of words) {
    characters += word.length + 1;
    if (characters > mostCharacters && held.length > 0) break;
    held.push([...word].slice(0, mostCharacters).join(""));
  }
  return held.join("-").normalize("NFC") || plainProposal;
}
