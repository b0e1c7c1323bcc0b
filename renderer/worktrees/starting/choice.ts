// Where the thread that is being written is to begin: in the workspace's folder, or in a worktree of its own. That one is wanted
// is remembered with the window's layout; that it is wanted this once, and how its branch is called, only for as long as the
// page is there.

import { create } from "zustand";
import type { CallParams } from "../../../preload/contract";
import { useWorkspace } from "../../state/appStore";
import { call } from "../../state/connection";
import { goToStart } from "../../state/starts";
import { useHead } from "../../state/threadStore";
import { changeLayout, uiStore, useLayout } from "../../state/uiStore";
import { canHaveWorktrees } from "../../state/words";

interface Wish {
  /** Null: as it is proposed. */
  branch: string | null;
  base: string;
}

const noWish: Wish = { branch: null, base: "" };

interface Wishes {
  byKey: ReadonlyMap<string, Wish>;
  /** Workspaces whose next thread is to begin in a worktree, whatever is usual there. */
  once: ReadonlySet<string>;
}

const wishes = create<Wishes>(() => ({ byKey: new Map(), once: new Set() }));

export function useWish(threadKey: string): Wish {
  return wishes((store) => store.byKey.get(threadKey) ?? noWish);
}

export function changeWish(threadKey: string, change: Partial<Wish>): void {
  const byKey = new Map(wishes.getState().byKey);
  byKey.set(threadKey, { ...(byKey.get(threadKey) ?? noWish), ...change });
  wishes.setState({ byKey });
}

function forgetWish(threadKey: string): void {
  const byKey = new Map(wishes.getState().byKey);
  byKey.delete(threadKey);
  wishes.setState({ byKey });
}

/** Of a thread that has not begun, in a repository, on this machine. */
export function useCanChooseWhere(): boolean {
  const isNew = useHead(
    (head) => head.threadId === null && head.submissions.length === 0 && head.run === null,
  );
  const isElsewhere = useHead((head) => head.environment !== null);
  const workspace = useWorkspace(useHead((head) => head.workspaceId));
  return isNew && !isElsewhere && canHaveWorktrees(workspace ?? null);
}

/** The shown thread is to begin in a worktree of its own. */
export function useInWorktree(): boolean {
  const workspaceId = useHead((head) => head.workspaceId);
  const usual = useLayout((layout) => layout.startInWorktree.includes(workspaceId));
  const once = wishes((store) => store.once.has(workspaceId));
  return useCanChooseWhere() && (usual || once);
}

/** For the next thread alone; it is over with the thread, or with a new one that is asked for without it. */
export function chooseWorktreeOnce(workspaceId: string, wanted: boolean): void {
  const { once } = wishes.getState();
  if (once.has(workspaceId) === wanted) return;
  const others = [...once].filter((each) => each !== workspaceId);
  wishes.setState({ once: new Set(wanted ? [...others, workspaceId] : others) });
}

export function chooseWhere(workspaceId: string, where: "here" | "worktree"): void {
  chooseWorktreeOnce(workspaceId, false);
  const others = uiStore.getState().layout.startInWorktree.filter((each) => each !== workspaceId);
  changeLayout({ startInWorktree: where === "worktree" ? [...others, workspaceId] : others });
}

/** Hands a message over that is to begin a thread in a worktree, and goes to where that is shown. */
export async function beginInWorktree(
  message: CallParams<"messages.send">,
  workspaceId: string,
  { branch, base }: { branch: string; base: string },
) {
  const { threadKey, clientId, text, attachments, seen } = message;
  const begun = await call("worktreeStarts.begin", {
    threadKey,
    clientId,
    text,
    attachments,
    ...(seen && { seen }),
    branch,
    base: base.trim() === "" ? null : base.trim(),
  });
  forgetWish(threadKey);
  chooseWorktreeOnce(workspaceId, false);
  goToStart(workspaceId, threadKey, begun.threadKey);
  return { draft: begun.draft };
}
