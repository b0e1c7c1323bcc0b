// Which of the pills below the message field show their words, and which only an icon. Pure.

export interface PillSize {
  /** The higher, the longer it keeps its words. */
  rank: number;
  /** With its words, and the mark that it opens. */
  fullPx: number;
  /** With its words, close together and without the mark. */
  tightPx: number;
  /** With its icon alone. */
  smallPx: number;
}

export type PillForm = "full" | "tight" | "small";

/**
 * The form of each pill. Words are worth more than the marks beside them, so those go first, and of all at once. Then as few
 * words make way as are needed, the least important ones first; and what room that leaves goes to the words that fit into it.
 */
export function pillForms(pills: readonly PillSize[], gapPx: number, roomPx: number): PillForm[] {
  const gapsPx = gapPx * Math.max(0, pills.length - 1);
  const all = (sizeOf: (pill: PillSize) => number) => pills.reduce((sum, pill) => sum + sizeOf(pill), gapsPx);
  if (all((pill) => pill.fullPx) <= roomPx) return pills.map(() => "full");
  const forms: PillForm[] = pills.map(() => "tight");
  let needPx = all((pill) => pill.tightPx);
  const leastFirst = pills.map((pill, at) => ({ ...pill, at })).sort((a, b) => a.rank - b.rank);
  for (const { at, tightPx, smallPx } of leastFirst) {
    if (needPx <= roomPx) break;
    forms[at] = "small";
    needPx -= tightPx - smallPx;
  }
  for (const { at, tightPx, smallPx } of leastFirst.reverse()) {
    if (forms[at] !== "small" || needPx + tightPx - smallPx > roomPx) continue;
    forms[at] = "tight";
    needPx += tightPx - smallPx;
  }
  return forms;
}
