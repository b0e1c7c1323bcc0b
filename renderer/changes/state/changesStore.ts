// What is changed in the workspaces that this window shows, and what is going on on the page of changes at the moment,
// which nobody keeps.

import { useEffect } from "react";
import { create } from "zustand";
import { call } from "../../state/connection";
import { ChangesFollower, type ChangesView } from "./follower";

interface ChangesStore {
  views: ReadonlyMap<string, ChangesView>;
  /** In a page too narrow for it, the list lies over the rest. */
  listOver: boolean;
  filter: string;
  /** Folders and groups that are closed, by their row. */
  closed: ReadonlySet<string>;
  /** What was asked for of files or parts of them and is not answered yet, in words; null: nothing. */
  working: string | null;
}

export const changesStore = create<ChangesStore>(() => ({
  views: new Map(),
  listOver: false,
  filter: "",
  closed: new Set(),
  working: null,
}));

const page = crypto.randomUUID();

const main = {
  list: (workspaceId: string) => call("changes.list", { workspaceId }),
  next: async (workspaceId: string, revision: number) =>
    (await call("changes.next", { workspaceId, revision, page })).revision,
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

const followers = new Map<string, { follower: ChangesFollower; holds: number }>();

function followerOf(workspaceId: string) {
  const known = followers.get(workspaceId);
  if (known) return known;
  const follower = new ChangesFollower(workspaceId, main, (view) => {
    changesStore.setState(({ views }) => ({ views: new Map(views).set(workspaceId, view) }));
  });
  const held = { follower, holds: 0 };
  followers.set(workspaceId, held);
  return held;
}

/** Keeps what is known of that folder up to date until what this returns is called. */
function holdChanges(workspaceId: string): () => void {
  const held = followerOf(workspaceId);
  held.holds += 1;
  if (held.holds === 1) held.follower.follow();
  return () => {
    held.holds -= 1;
    if (held.holds === 0) held.follower.unfollow();
  };
}

/** What was done from here is seen at once, whatever main says of it. */
export function lookAgain(workspaceId: string): void {
  const held = followers.get(workspaceId);
  if (held && held.holds > 0) held.follower.look();
}

const nothing: ChangesView = { listing: null, fault: null, looking: true, looks: 0 };

export function changesView(workspaceId: string): ChangesView {
  return changesStore.getState().views.get(workspaceId) ?? nothing;
}

/** What has been seen last of a folder, while somebody else keeps it up to date. */
export function useChangesView(workspaceId: string | null): ChangesView {
  return changesStore(({ views }) => (workspaceId === null ? nothing : (views.get(workspaceId) ?? nothing)));
}

/**
 * Kept up to date while this is on screen: other programs tell nobody, so coming back to the window is a reason to look. Of
 * null nothing is known.
 */
export function useChanges(workspaceId: string | null): ChangesView {
  useEffect(() => {
    if (workspaceId === null) return;
    const release = holdChanges(workspaceId);
    const back = () => lookAgain(workspaceId);
    window.addEventListener("focus", back);
    return () => {
      window.removeEventListener("focus", back);
      release();
    };
  }, [workspaceId]);
  return useChangesView(workspaceId);
}
