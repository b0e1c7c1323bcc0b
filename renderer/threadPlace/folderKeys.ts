// What a key does in a list of folders. Pure.

export type FolderKey =
  | { does: "move"; to: number }
  | { does: "open" }
  | { does: "up" }
  /** It is not for the list. */
  | { does: "nothing" };

export interface PressedKey {
  key: string;
  modified: boolean;
}

export function folderKey(
  { key, modified }: PressedKey,
  at: number,
  names: readonly string[],
  hasParent: boolean,
): FolderKey {
  if (modified) return { does: "nothing" };
  const last = names.length - 1;
  switch (key) {
    case "ArrowDown":
      return at < last ? { does: "move", to: at + 1 } : { does: "nothing" };
    case "ArrowUp":
      return at > 0 ? { does: "move", to: at - 1 } : { does: "nothing" };
    case "Home":
      return names.length > 0 ? { does: "move", to: 0 } : { does: "nothing" };
    case "End":
      return names.length > 0 ? { does: "move", to: last } : { does: "nothing" };
    case "ArrowRight":
      return names.length > 0 ? { does: "open" } : { does: "nothing" };
    case "ArrowLeft":
    case "Backspace":
      return hasParent ? { does: "up" } : { does: "nothing" };
    default: {
      const to = key.length === 1 && key !== " " ? nextStarting(key, at, names) : -1;
      return to === -1 ? { does: "nothing" } : { does: "move", to };
    }
  }
}

/** The next one after `at` that begins with this letter, around the end. */
function nextStarting(letter: string, at: number, names: readonly string[]): number {
  const wanted = letter.toLowerCase();
  const from = at + 1;
  const inOrder = names.map((_, index) => (from + index) % names.length);
  return inOrder.find((index) => names[index]?.toLowerCase().startsWith(wanted)) ?? -1;
}
