// Cuts markdown into its top-level blocks while it is still being written. Only the end of a text can change when more is
// added to it, so everything but the last blocks is kept as it was cut before: the cost of one more piece does not grow
// with the length of the answer, and blocks that are done keep their identity and are not rendered again.

import { parseMarkdownIntoBlocks } from "streamdown";
import { splitLarge } from "./splitLarge";

export interface Blocks {
  text: string;
  blocks: readonly string[];
}

export const noBlocks: Blocks = { text: "", blocks: [] };

/** What is added may still join the last block (a list that goes on) or the one before it (over blank lines). */
const unsettledBlocks = 2;

export function cutBlocks(before: Blocks, text: string): Blocks {
  if (text === before.text) return before;
  if (before.blocks.length <= unsettledBlocks || !text.startsWith(before.text)) {
    return { text, blocks: cut(text) };
  }
  const settled = before.blocks.slice(0, -unsettledBlocks);
  const settledUnits = settled.reduce((sum, block) => sum + block.length, 0);
  return { text, blocks: [...settled, ...cut(text.slice(settledUnits))] };
}

function cut(text: string): string[] {
  const blocks = parseMarkdownIntoBlocks(text).filter((block) => block !== "");
  // Should the cutter ever normalise what it is given, whole text beats fast text.
  return blocks.join("") === text ? blocks.flatMap(splitLarge) : [text];
}

export interface Fence {
  info: string;
  code: string;
  closed: boolean;
}

const openingFence = /^ {0,3}(`{3,}|~{3,})([^\n]*)(?:\n|$)/;

/** A block that is one fenced piece of code, read without the markdown parser; null for any other block. */
export function fenceOf(block: string): Fence | null {
  const opening = openingFence.exec(block);
  if (!opening) return null;
  const marker = opening[1] ?? "";
  const info = opening[2] ?? "";
  if (marker.startsWith("`") && info.includes("`")) return null;
  const body = block.slice(opening[0].length);
  const closing = new RegExp(
    `(?:^|\\n) {0,3}${marker[0] === "~" ? "~" : "`"}{${marker.length},}[ \\t]*(?:\\n|$)`,
  );
  const end = closing.exec(body);
  if (!end) return { info: info.trim(), code: withoutLastLineEnd(body), closed: false };
  // Text after the closing fence would be lost: then it is no plain fence.
  if (body.slice(end.index + end[0].length).trim() !== "") return null;
  return { info: info.trim(), code: body.slice(0, end.index), closed: true };
}

function withoutLastLineEnd(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

/** How many # the first heading has; 1 where there is none. */
export function firstHeadingRank(blocks: readonly string[]): number {
  for (const block of blocks) {
    const marks = fenceOf(block) ? undefined : /^ {0,3}(#{1,6})(?:\s|$)/m.exec(block)?.[1];
    if (marks !== undefined) return marks.length;
  }
  return 1;
}
