// Finding words in the shown conversation: what is looked for, where it is, and at which of these places one is.
//
// Races, and what settles each:
// - The conversation changes while it is looked through (text streams in, older turns come): it is looked through again,
//   at most a few times a second, and one stays at the same place, counted in its own item.
// - Another thread is shown: what is looked for ends with the thread, unless a search has led to the new one.

import { create } from "zustand";
import { appCopy } from "../state/appStore";
import { sendSoon } from "../state/signals";
import { shownCopy, threadStore } from "../state/threadStore";
import {
  ConversationText,
  findMatches,
  type Match,
  type Matches,
  noMatches,
  placeAfter,
  step,
} from "./matches";

interface FindStore {
  open: boolean;
  query: string;
  matches: Matches;
  /** -1: at none. */
  at: number;
  /** Counts up whenever the view is to go to the match that one is at. */
  goes: number;
}

const closed: FindStore = { open: false, query: "", matches: noMatches, at: -1, goes: 0 };
export const findStore = create<FindStore>(() => closed);

const againAfterMs = 200;
const texts = new ConversationText();
let stopFollowing: (() => void) | null = null;
let timer: ReturnType<typeof setTimeout> | null = null;
/** The row at the top of the view; the list of the conversation says it. */
let topRowKey: () => string | null = () => null;
/** What a search has led here with, for a thread that is still on its way. */
let owed: { threadId: string; query: string } | null = null;

export function currentMatch(): Match | null {
  const { matches, at } = findStore.getState();
  return matches.list[at] ?? null;
}

/** Returns what ends that. */
export function knowTopRow(ask: () => string | null): () => void {
  topRowKey = ask;
  return () => {
    if (topRowKey === ask) topRowKey = () => null;
  };
}

function look(beginAt: string | null): void {
  const copy = shownCopy();
  if (!copy) return;
  const { workspaceId } = copy.head;
  const folder = appCopy()?.app.workspaces.find(({ id }) => id === workspaceId)?.path;
  const before = currentMatch();
  const matches = findMatches(copy, findStore.getState().query, (item) => texts.of(item, folder));
  findStore.setState({ matches, at: placeAfter(before, matches, copy.order, beginAt) });
}

function follow(): void {
  stopFollowing?.();
  const { shown } = threadStore.getState();
  const key = shown.phase === "none" ? null : shown.key;
  let order = shownCopy()?.order;
  let byId = shownCopy()?.byId;
  const stop = threadStore.subscribe(({ shown: now }) => {
    if (now.phase === "none" || now.key !== key) {
      closeFind();
      return;
    }
    if (now.phase !== "shown" || (now.copy.order === order && now.copy.byId === byId)) return;
    order = now.copy.order;
    byId = now.copy.byId;
    timer ??= setTimeout(() => {
      timer = null;
      const wasNowhere = findStore.getState().at === -1;
      look(null);
      if (wasNowhere && findStore.getState().at !== -1) go();
    }, againAfterMs);
  });
  stopFollowing = () => {
    stop();
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
}

function go(): void {
  findStore.setState(({ goes }) => ({ goes: goes + 1 }));
}

/** Opens the field, with these words or with what is selected in the conversation. */
export function openFind(words?: string): void {
  if (!shownCopy()) return;
  const { open, query } = findStore.getState();
  const wanted = words ?? (selectedWords() || query);
  findStore.setState({ open: true });
  if (!open) follow();
  if (wanted !== query || !open) lookFor(wanted);
  sendSoon("focus-find");
}

export function closeFind(): void {
  stopFollowing?.();
  stopFollowing = null;
  // The words stay for the next time, the places do not.
  findStore.setState(({ query }) => ({ ...closed, query }));
}

export function lookFor(query: string): void {
  const startsAt = topItemId();
  findStore.setState({ query, at: -1 });
  look(startsAt);
  if (findStore.getState().at !== -1) go();
}

export function goToMatch(by: 1 | -1): void {
  const { open, at, matches } = findStore.getState();
  if (!open) {
    openFind();
    return;
  }
  findStore.setState({ at: step(at, by, matches.list.length) });
  if (matches.list.length > 0) go();
}

/** Once that thread is on screen, these words are looked for in it. */
export function findWhenShown(threadId: string, query: string): void {
  owed = { threadId, query };
  const settle = () => {
    if (owed?.threadId !== threadId) return true;
    const { shown } = threadStore.getState();
    if (shown.phase === "shown" && shown.copy.head.threadId === threadId && shown.copy.order.length > 0) {
      owed = null;
      openFind(query);
      return true;
    }
    return shown.phase === "failed" || (shown.phase === "shown" && shown.copy.head.threadId !== threadId);
  };
  if (settle()) return;
  const stop = threadStore.subscribe(() => {
    if (settle()) stop();
  });
}

function topItemId(): string | null {
  const key = topRowKey();
  const copy = shownCopy();
  if (key === null || !copy) return null;
  if (copy.byId[key]) return key;
  return (
    copy.order.find((id) => {
      const item = copy.byId[id];
      return item?.kind === "user" && `you:${item.clientId}` === key;
    }) ?? null
  );
}

const longestSelection = 200;

function selectedWords(): string {
  const selection = window.getSelection();
  const within = selection?.anchorNode?.parentElement?.closest('[role="log"]');
  const text = within ? (selection?.toString().trim() ?? "") : "";
  return text.length <= longestSelection && !text.includes("\n") ? text : "";
}
