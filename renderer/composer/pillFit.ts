// Which of the pills below the message field show their words, and which only an icon. Pure.

export interface PillSize {
  /** The higher, the longer it keeps its words. */
  rank: number;
  /** With its words. */
  fullPx: number;
  /** With its icon alone. */
  smallPx: number;
}

/** For each pill, whether its words make way: as few as are needed, and the least important ones first. */
export function collapsedPills(pills: readonly PillSize[], gapPx: number, roomPx: number): boolean[] {
  const collapsed = pills.map(() => false);
  let needPx = pills.reduce((sum, { fullPx }) => sum + fullPx, gapPx * Math.max(0, pills.length - 1));
  const leastFirst = pills.map((pill, at) => ({ ...pill, at })).sort((a, b) => a.rank - b.rank);
  for (const { at, fullPx, smallPx } of leastFirst) {
    if (needPx <= roomPx) break;
    collapsed[at] = true;
    needPx -= fullPx - smallPx;
  }
  return collapsed;
}
