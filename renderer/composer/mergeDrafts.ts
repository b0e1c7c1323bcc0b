// Two windows have changed the same draft: both changes go into one, and nothing that was typed is lost. Pure.
//
// Each text is taken as the common one with one stretch of it changed. Stretches apart from each other are both changed;
// where they meet, both versions are kept, this window's first.

import type { Attachment } from "../../preload/contract/items";
import { withoutSent } from "./afterSending";

export interface DraftContents {
  text: string;
  attachments: readonly Attachment[];
}

/** `text` from `start` to `end` was replaced by `inserted`. */
export interface TextChange {
  start: number;
  end: number;
  inserted: string;
}

export function mergeDrafts(base: DraftContents, mine: DraftContents, theirs: DraftContents) {
  const { text, bothKept } = mergeTexts(base.text, mine.text, theirs.text);
  const removed = withoutSent(base.attachments, mine.attachments);
  const added = withoutSent(mine.attachments, base.attachments);
  const left = withoutSent(theirs.attachments, removed);
  return { text, bothKept, attachments: [...left, ...withoutSent(added, left)] };
}

function mergeTexts(base: string, mine: string, theirs: string): { text: string; bothKept: boolean } {
  if (mine === theirs || theirs === base) return { text: mine, bothKept: false };
  if (mine === base) return { text: theirs, bothKept: false };
  const own = textChange(base, mine);
  const other = textChange(base, theirs);
  const [first, second] = inOrder(own, other);
  const meet = second.start < first.end || (first.start === second.start && first.end === second.end);
  if (!meet) {
    const between = base.slice(first.end, second.start);
    const text =
      base.slice(0, first.start) + first.inserted + between + second.inserted + base.slice(second.end);
    return { text, bothKept: false };
  }
  const end = Math.max(own.end, other.end);
  const version = (change: TextChange) =>
    base.slice(first.start, change.start) + change.inserted + base.slice(change.end, end);
  const one = version(own);
  const two = version(other);
  const kept = both(one, two);
  return {
    text: base.slice(0, first.start) + kept + base.slice(end),
    bothKept: kept !== one && kept !== two,
  };
}

function inOrder(a: TextChange, b: TextChange): [TextChange, TextChange] {
  return a.start < b.start || (a.start === b.start && a.end <= b.end) ? [a, b] : [b, a];
}

function both(one: string, two: string): string {
  if (one.includes(two)) return one;
  if (two.includes(one)) return two;
  return `${one}\n${two}`;
}

/** The smallest change that makes one text the other. It never cuts a character in two. */
export function textChange(from: string, to: string): TextChange {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  if (isHighHalf(from, start - 1)) start -= 1;
  let same = 0;
  while (same < shorter - start && from[from.length - 1 - same] === to[to.length - 1 - same]) same += 1;
  if (same > 0 && isLowHalf(from, from.length - same)) same -= 1;
  return { start, end: from.length - same, inserted: to.slice(start, to.length - same) };
}

function isHighHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000;
}

export function sameContents(a: DraftContents, b: DraftContents): boolean {
  return (
    a.text === b.text &&
    a.attachments.length === b.attachments.length &&
    withoutSent(a.attachments, b.attachments).length === 0
  );
}
