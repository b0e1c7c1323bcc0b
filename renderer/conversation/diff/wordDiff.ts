// Which words of a changed line are the change. Only for lines that are mostly the same: when two lines have little in
// common, marking words says nothing and costs time.

/** From `start` (included) to `end` (excluded), in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

export interface WordDiff {
  removed: TextRange[];
  added: TextRange[];
}

const wordPattern = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
/** Comparing costs words times words; beyond this only the common ends are found. */
const mostComparedWords = 200;
const longestComparedLine = 2_000;
/** The part of the longer line that must be common for the marks to say anything. */
const leastCommonPart = 0.35;

function words(text: string): string[] {
  return text.match(wordPattern) ?? [];
}

/** For each word whether it is in the longest common subsequence of both. */
function commonWords(a: string[], b: string[]): { inA: boolean[]; inB: boolean[] } {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  const inA = a.map(() => false);
  const inB = b.map(() => false);
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      inA[i] = true;
      inB[j] = true;
      i++;
      j++;
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return { inA, inB };
}

/** The ranges of the words that are not common; blanks between two marked words are marked with them. */
function changedRanges(parts: string[], common: boolean[], offset: number): TextRange[] {
  const ranges: TextRange[] = [];
  let at = offset;
  for (const [index, part] of parts.entries()) {
    const between =
      common[index] && part.trim() === "" && common[index - 1] === false && common[index + 1] === false;
    if (!common[index] || between) {
      const last = ranges.at(-1);
      if (last && last.end === at) last.end = at + part.length;
      else ranges.push({ start: at, end: at + part.length });
    }
    at += part.length;
  }
  return ranges;
}

/** The words that differ, or null when the lines have too little in common. */
export function wordDiff(removed: string, added: string): WordDiff | null {
  if (removed === added) return { removed: [], added: [] };
  if (Math.max(removed.length, added.length) > longestComparedLine) return null;
  const a = words(removed);
  const b = words(added);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const middleA = a.slice(head, a.length - tail);
  const middleB = b.slice(head, b.length - tail);
  const tooMany = Math.max(middleA.length, middleB.length) > mostComparedWords;
  const { inA, inB } = tooMany
    ? { inA: middleA.map(() => false), inB: middleB.map(() => false) }
    : commonWords(middleA, middleB);

  const visible = (parts: string[]) => parts.reduce((sum, part) => sum + part.trim().length, 0);
  const commonLength =
    visible(a.slice(0, head)) +
    visible(a.slice(a.length - tail)) +
    visible(middleA.filter((_, index) => inA[index]));
  const longer = Math.max(visible(a), visible(b));
  if (longer > 0 && commonLength / longer < leastCommonPart) return null;

  const offset = a.slice(0, head).reduce((sum, part) => sum + part.length, 0);
  return { removed: changedRanges(middleA, inA, offset), added: changedRanges(middleB, inB, offset) };
}

/** Pairs the removed lines of a block with the added ones that follow it, first with first. */
export function pairLines<Line extends { kind: "context" | "added" | "removed" }>(
  lines: Line[],
): { removed: number; added: number }[] {
  const pairs: { removed: number; added: number }[] = [];
  let at = 0;
  while (at < lines.length) {
    if (lines[at]?.kind !== "removed") {
      at++;
      continue;
    }
    const firstRemoved = at;
    while (lines[at]?.kind === "removed") at++;
    const firstAdded = at;
    while (lines[at]?.kind === "added") at++;
    const amount = Math.min(firstAdded - firstRemoved, at - firstAdded);
    for (let each = 0; each < amount; each++) {
      pairs.push({ removed: firstRemoved + each, added: firstAdded + each });
    }
  }
  return pairs;
}
