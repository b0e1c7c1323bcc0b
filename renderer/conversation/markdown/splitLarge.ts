// Cuts a block that is too large to be parsed in one go: a long list between its items, a long paragraph between its
// lines or sentences. Parsing costs time in proportion to a block's length and happens on the window's thread, so no
// block may be so large that a click has to wait for it. Cuts depend only on what stands before them: text that is added
// at the end moves none of them.

/** Blocks up to this size are left alone. */
export const largestBlockUnits = 3_000;
const pieceUnits = 1_500;

const listItem = /^(?:[-*+]|\d{1,9}[.)]) /;
const fence = /^\s*(`{3,}|~{3,})/;

export function splitLarge(block: string): string[] {
  if (block.length <= largestBlockUnits) return [block];
  if (listItem.test(block)) return splitList(block);
  return isProse(block) ? splitProse(block) : [block];
}

function isProse(block: string): boolean {
  // Tables, quotes, fences, indented code, HTML: a part of one of them is not one of them.
  return (
    !/^(?: {4}|\t|>|\||<|`{3}|~{3}|\$\$|#)/.test(block) && !/^[^\n]*\n[ \t:|-]*-[ \t:|-]*(?:\n|$)/.test(block)
  );
}

/** Between items of the outermost list, never inside a fence. */
function splitList(block: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let at = 0;
  let openFence: string | null = null;
  while (at < block.length) {
    const lineEnd = block.indexOf("\n", at);
    const next = lineEnd === -1 ? block.length : lineEnd + 1;
    const line = block.slice(at, next);
    const mark = fence.exec(line)?.[1];
    if (mark) {
      if (openFence === null) openFence = mark;
      else if (mark[0] === openFence[0] && mark.length >= openFence.length) openFence = null;
    } else if (
      openFence === null &&
      block.length - start > largestBlockUnits &&
      at - start >= pieceUnits &&
      listItem.test(line)
    ) {
      pieces.push(block.slice(start, at));
      start = at;
    }
    at = next;
  }
  pieces.push(block.slice(start));
  return pieces;
}

/** At a line end, else after a sentence, else at a blank, else nowhere. */
function splitProse(block: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (block.length - start > largestBlockUnits) {
    const window = block.slice(start + pieceUnits, start + largestBlockUnits);
    const cut = firstCut(window, "\n") ?? firstCut(window, ". ") ?? firstCut(window, " ") ?? window.length;
    const end = start + pieceUnits + cut;
    pieces.push(block.slice(start, end));
    start = end;
  }
  pieces.push(block.slice(start));
  return pieces;
}

function firstCut(window: string, after: string): number | null {
  const at = window.indexOf(after);
  return at === -1 ? null : at + after.length;
}
