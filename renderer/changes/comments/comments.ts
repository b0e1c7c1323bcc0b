// The comments of the shown thread that have not been sent, and those of them that are being written in this window.

import { useMemo } from "react";
import { create } from "zustand";
import type { LineRange, ReviewComment } from "../../../preload/contract/comments";
import type { SendMode } from "../../composer/draftMain";
import { goToLatest } from "../../conversation/list/latest";
import { appCopy } from "../../state/appStore";
import { call } from "../../state/connection";
import { backToThread } from "../../state/navigation";
import { shownCopy, showThread, threadStore } from "../../state/threadStore";
import { attempt, toast } from "../../state/toasts";
import { changeLayout } from "../../state/uiStore";
import { CommentEdit, type CommentMain, type CommentView } from "./commentEdit";
import type { Placed } from "./placeComments";

interface CommentsStore {
  /** Those that are open here, by id. */
  edits: ReadonlyMap<string, CommentView>;
  sending: boolean;
  /** The list of all of them is open. */
  listOpen: boolean;
  /** Where those of files that have been shown stand, as of then. */
  placed: ReadonlyMap<string, Placed>;
}

export const commentsStore = create<CommentsStore>(() => ({
  edits: new Map(),
  sending: false,
  listOpen: false,
  placed: new Map(),
}));

const main: CommentMain = {
  put: (change) => call("comments.put", change),
  delete: (threadKey, commentId) => call("comments.delete", { threadKey, commentId }),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

const open = new Map<string, CommentEdit>();
const none: readonly ReviewComment[] = [];

function keptOnes(): readonly ReviewComment[] {
  return shownCopy()?.head.comments ?? none;
}

threadStore.subscribe(({ shown }) => {
  if (shown.phase !== "shown" || open.size === 0) return;
  for (const comment of shown.copy.head.comments) open.get(comment.commentId)?.heard(comment);
});

// What was typed a moment ago must not go with the page.
window.addEventListener("pagehide", () => {
  for (const edit of open.values()) void edit.keep();
});

function start(threadKey: string, place: LineRange, comment: ReviewComment | null): CommentEdit {
  let shownAs: string | null = null;
  const show = (view: CommentView) => {
    const edits = new Map(commentsStore.getState().edits);
    // One that is kept as a new comment has another id.
    if (shownAs !== null && shownAs !== view.commentId) {
      edits.delete(shownAs);
      open.delete(shownAs);
      open.set(view.commentId, edit);
    }
    shownAs = view.commentId;
    if (open.has(view.commentId)) commentsStore.setState({ edits: edits.set(view.commentId, view) });
  };
  const edit = new CommentEdit(threadKey, place, comment, main, show);
  open.set(edit.view.commentId, edit);
  show(edit.view);
  return edit;
}

/** The thread that comments belong to: the shown one, or the workspace's new one. Null: there can be none. */
async function threadFor(workspaceId: string): Promise<string | null> {
  const { shown } = threadStore.getState();
  if (shown.phase === "shown") return shown.key;
  const made = await attempt(call("threads.compose", { workspaceId }));
  if (!made) return null;
  changeLayout({ workspaceId, threadKey: made.threadKey });
  showThread(made.threadKey);
  return made.threadKey;
}

/** Begins a comment on these lines, or goes on with the one that is there. */
export async function commentOn(workspaceId: string, place: LineRange): Promise<void> {
  const there = keptOnes().find(
    ({ path, side, firstLine, lastLine }) =>
      path === place.path &&
      side === place.side &&
      firstLine === place.firstLine &&
      lastLine === place.lastLine,
  );
  if (there) {
    editComment(there);
    return;
  }
  const threadKey = await threadFor(workspaceId);
  if (threadKey !== null) start(threadKey, place, null);
}

export function editComment(comment: ReviewComment): void {
  const copy = shownCopy();
  if (open.has(comment.commentId) || !copy) return;
  const { path, side, firstLine, lastLine, quote } = comment;
  start(copy.head.key, { path, side, firstLine, lastLine, quote }, comment);
}

export function writeComment(commentId: string, text: string): void {
  open.get(commentId)?.edit(text);
}

export function keepAsNew(commentId: string): void {
  open.get(commentId)?.asNew();
}

/** Ends the writing; what was written stays as a comment. */
export async function closeComment(commentId: string): Promise<void> {
  const edit = open.get(commentId);
  if (!edit) return;
  await edit.keep();
  const { fault, gone, text } = edit.view;
  // What main does not have stays open, with the reason.
  if (fault !== null || (gone && text.trim() !== "")) return;
  forget(commentId);
  // One that says nothing any more is none.
  if (text.trim() === "" && edit.revision > 0) await attempt(main.delete(edit.threadKey, commentId));
}

export async function deleteComment(commentId: string): Promise<void> {
  const edit = open.get(commentId);
  const threadKey = edit?.threadKey ?? shownCopy()?.head.key;
  const comment = keptOnes().find((each) => each.commentId === commentId);
  const text = edit?.view.text ?? comment?.text ?? "";
  const place = edit?.view.place ?? comment;
  if (edit) {
    // Nothing of it is on its way when it goes.
    await edit.keep();
    forget(commentId);
  }
  if (threadKey === undefined) return;
  if ((edit?.revision ?? 1) > 0 && !(await attempt(main.delete(threadKey, commentId)))) return;
  if (text.trim() === "" || !place) return;
  toast("Comment deleted", {
    actions: [{ label: "Undo", run: () => void bringBack(threadKey, place, text) }],
  });
}

async function bringBack(threadKey: string, place: LineRange, text: string): Promise<void> {
  const { path, side, firstLine, lastLine, quote } = place;
  await attempt(
    main.put({
      threadKey,
      commentId: crypto.randomUUID(),
      place: { path, side, firstLine, lastLine, quote },
      text,
      seenRevision: 0,
    }),
  );
}

function forget(commentId: string): void {
  open.delete(commentId);
  const edits = new Map(commentsStore.getState().edits);
  edits.delete(commentId);
  commentsStore.setState({ edits });
}

/** Sends all comments of the shown thread as one message. */
export async function sendComments(mode: SendMode): Promise<void> {
  const copy = shownCopy();
  if (!copy || commentsStore.getState().sending) return;
  commentsStore.setState({ sending: true });
  try {
    await sendAll(copy.head.key, mode);
  } finally {
    commentsStore.setState({ sending: false });
  }
}

async function sendAll(threadKey: string, mode: SendMode): Promise<void> {
  const edits = [...open.values()].filter((edit) => edit.threadKey === threadKey);
  await Promise.all(edits.map((edit) => edit.keep()));
  if (edits.some(({ view }) => view.fault !== null || view.gone)) {
    toast("One of the comments could not be kept", {
      tone: "error",
      hint: "What is wrong is said beside it.",
    });
    return;
  }
  // What was kept a moment ago may not be in the head yet.
  const revisions = new Map(keptOnes().map(({ commentId, revision }) => [commentId, revision]));
  for (const { view, revision } of edits) {
    if (revision > 0) revisions.set(view.commentId, Math.max(revision, revisions.get(view.commentId) ?? 0));
  }
  const comments = [...revisions].map(([commentId, revision]) => ({ commentId, revision }));
  if (comments.length === 0) return;
  const answer = await attempt(
    call("comments.send", { threadKey, clientId: crypto.randomUUID(), mode, comments }),
  );
  if (!answer) return;
  if (answer.outcome === "behind") {
    toast("The comments have just been changed in another window", {
      tone: "warning",
      hint: "Nothing was sent. Look at them, and send them again.",
    });
    return;
  }
  for (const { view } of edits) forget(view.commentId);
  if (mode !== "queue") goToLatest(threadKey);
  commentsStore.setState({ listOpen: false });
  const title = appCopy()?.rows.get(copyThreadId() ?? "")?.title;
  toast(mode === "queue" ? "Comments queued" : "Comments sent", {
    tone: "ok",
    actions: [
      {
        label: title ? `Show “${shortened(title)}”` : "Show the thread",
        run: backToThread,
      },
    ],
  });
}

function copyThreadId(): string | null {
  return shownCopy()?.head.threadId ?? null;
}

function shortened(title: string): string {
  return title.length > 40 ? `${title.slice(0, 39)}…` : title;
}

/** For the list of all comments: what is known of them by the difference that is shown. */
export function rememberPlaces(places: readonly (readonly [commentId: string, placed: Placed])[]): void {
  const before = commentsStore.getState().placed;
  if (places.every(([commentId, placed]) => before.get(commentId)?.standing === placed.standing)) return;
  commentsStore.setState({ placed: new Map([...before, ...places]) });
}

export interface ShownComment extends ReviewComment {
  /** It is being written here. */
  edit: CommentView | null;
}

/** All comments of the shown thread, with those that are being written and are not kept yet. */
export function useComments(): readonly ShownComment[] {
  const threadKey = threadStore(({ shown }) => (shown.phase === "shown" ? shown.key : null));
  const kept = threadStore(({ shown }) => (shown.phase === "shown" ? shown.copy.head.comments : none));
  const edits = commentsStore((store) => store.edits);
  return useMemo(() => {
    const all = kept.map((comment): ShownComment => {
      const edit = edits.get(comment.commentId) ?? null;
      return { ...comment, text: edit?.text ?? comment.text, edit };
    });
    const known = new Set(kept.map(({ commentId }) => commentId));
    for (const edit of edits.values()) {
      const { commentId, place, text } = edit;
      if (edit.threadKey === threadKey && !known.has(commentId))
        all.push({ commentId, ...place, text, revision: 1, edit });
    }
    return all;
  }, [threadKey, kept, edits]);
}
