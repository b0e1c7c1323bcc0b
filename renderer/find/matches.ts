// Every place in the loaded conversation that has the words one looks for, in the order of the conversation. Pure. The data
// are looked through, not what is drawn: most of a long conversation is not.

import type { Item } from "../../preload/contract/items";
import type { ThreadCopy } from "../state/threadCopy";
import { itemText } from "./itemText";

export interface Match {
  itemId: string;
  /** The row that the item is in. */
  rowKey: string;
  /** Which of its item's matches it is, from 0. */
  nth: number;
}

export interface Matches {
  list: readonly Match[];
  /** There are more than are listed. */
  cut: boolean;
}

export const mostMatches = 5_000;
export const noMatches: Matches = { list: [], cut: false };

/** Reads each item once, as long as it does not change. */
export class ConversationText {
  #folder: string | undefined;
  #texts = new WeakMap<Item, string>();

  of(item: Item, folder: string | undefined): string {
    if (folder !== this.#folder) this.#texts = new WeakMap();
    this.#folder = folder;
    let text = this.#texts.get(item);
    if (text === undefined) {
      text = folded(itemText(item, folder));
      this.#texts.set(item, text);
    }
    return text;
  }
}

/** As it is compared: whatever the case, with any blank the same, and a letter with its accents as one, however it is written. */
export function folded(text: string): string {
  return lowered(text.normalize("NFC"));
}

/** Of the same length. */
function lowered(text: string): string {
  // The only letter that is longer in the other case, and the one that has two small ones.
  return text
    .replaceAll("\u0130", "i")
    .toLowerCase()
    .replaceAll("\u03c2", "\u03c3")
    .replaceAll("\u00a0", " ");
}

/** The same, and where each of its places is in the text as it is written. */
export function foldedPlaces(text: string): { text: string; placeOf(at: number): number } {
  if (text.normalize("NFC") === text) return { text: lowered(text), placeOf: (at) => at };
  let joined = "";
  const places: number[] = [];
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    const whole = segment.normalize("NFC");
    joined += whole;
    for (let at = 0; at < whole.length; at++)
      places.push(whole.length === segment.length ? index + at : index);
  }
  return { text: lowered(joined), placeOf: (at) => places[at] ?? text.length };
}

export function findMatches(
  copy: Pick<ThreadCopy, "order" | "byId">,
  query: string,
  textOf: (item: Item) => string,
): Matches {
  const wanted = folded(query);
  if (wanted.trim() === "") return noMatches;
  const list: Match[] = [];
  for (const itemId of copy.order) {
    const item = copy.byId[itemId];
    if (!item) continue;
    const rowKey = item.kind === "user" && item.clientId !== null ? `you:${item.clientId}` : itemId;
    const text = textOf(item);
    let nth = 0;
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      if (list.length >= mostMatches) return { list, cut: true };
      list.push({ itemId, rowKey, nth });
      nth += 1;
    }
  }
  return { list, cut: false };
}

/**
 * Where one is among the matches after they were looked for again: at the same one if it is there still, otherwise at the
 * nearest one of its item or behind it. -1: there is none.
 */
export function placeAfter(
  before: Match | null,
  { list }: Matches,
  order: readonly string[],
  beginAt: string | null,
): number {
  if (list.length === 0) return -1;
  const same = list.findIndex(({ itemId, nth }) => itemId === before?.itemId && nth === before.nth);
  if (same !== -1) return same;
  const places = new Map(order.map((itemId, index) => [itemId, index]));
  const from = places.get(before?.itemId ?? beginAt ?? "") ?? -1;
  const next = list.findIndex(({ itemId }) => (places.get(itemId) ?? 0) >= from);
  return next === -1 ? list.length - 1 : next;
}

export function step(at: number, by: 1 | -1, count: number): number {
  if (count === 0) return -1;
  if (at === -1) return by === 1 ? 0 : count - 1;
  return (at + by + count) % count;
}

/** "3 of 17", "No matches", and nothing while nothing is looked for. */
export function countWords(query: string, at: number, { list, cut }: Matches): string {
  if (query.trim() === "") return "";
  if (list.length === 0) return "No matches";
  const count = `${list.length.toLocaleString("en")}${cut ? "+" : ""}`;
  return at === -1 ? `${count} ${list.length === 1 ? "match" : "matches"}` : `${at + 1} of ${count}`;
}
