// Where the text of an item is missing: made when a
// connection drops or a start was missed, kept with the text that it belongs to, and gone with the item's end.

import { type BoundedText, type Item, mostGaps } from "../../preload/contract/items";

/** What was said while nobody listened is missing, if the item goes on. The same item when that is marked already. */
export function withGap(item: Item): Item {
  return item.status === "running" ? withGapAtEnd(item) : item;
}

/** Something is missing behind the text of this item. */
export function withGapAtEnd<Any extends Item>(item: Any): Any {
  switch (item.kind) {
    case "agent":
    case "plan": {
      const gaps = gapAt(item.gaps, item.text.length);
      return gaps === item.gaps ? item : { ...item, gaps };
    }
    case "reasoning": {
      const summaryGaps = gapAt(item.summaryGaps, item.summary.length);
      const contentGaps = gapAt(item.contentGaps, item.content.length);
      if (summaryGaps === item.summaryGaps && contentGaps === item.contentGaps) return item;
      return { ...item, summaryGaps, contentGaps };
    }
    case "command": {
      const gaps = gapAt(item.gaps, allUnits(item.output));
      return gaps === item.gaps ? item : { ...item, gaps };
    }
    default:
      return item;
  }
}

/** The gaps of a text of which the first `units` are cut off, without a word about it: that is a gap as well. */
export function gapsBehind(gaps: readonly number[], units: number): number[] {
  if (units === 0) return [...gaps];
  return bounded([0, ...gaps.flatMap((gap) => (gap > units ? gap - units : []))]);
}

/** Units of all the output there was. */
export function allUnits({ text, droppedUnits }: BoundedText): number {
  return droppedUnits + text.length;
}

function gapAt(gaps: number[], offset: number): number[] {
  return (gaps.at(-1) ?? -1) >= offset ? gaps : bounded([...gaps, offset]);
}

function bounded(gaps: number[]): number[] {
  return gaps.length <= mostGaps ? gaps : gaps.slice(-mostGaps);
}
