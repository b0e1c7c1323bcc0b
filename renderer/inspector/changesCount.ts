// What stands at the tab of changes: as many files as are listed in it, and in words whose changes those are.

import { useMemo } from "react";
import { useChanges } from "../changes/state/changesStore";
import type { Listing } from "../changes/state/follower";
import { count } from "../conversation/time/durations";
import { useHead, useThread } from "../state/threadStore";
import { useLayout } from "../state/uiStore";
import { changedFiles } from "./changedFiles";
import { fileChangeItems } from "./kindSelect";
import { type KnownPart, useKnownPart } from "./knownPart";

export interface Counted {
  count: number;
  words: string;
}

export function countedInThread(files: number, known: KnownPart): Counted {
  const where = known === "all" ? "in this thread" : "in the turns that are loaded";
  return { count: files, words: `${count(files, "file")} edited by codex ${where}` };
}

export function countedInFolder(listing: Listing | null): Counted {
  const changes = listing?.state === "repository" ? listing.changes : null;
  const files = changes === null ? 0 : changes.files.length + changes.more;
  return { count: files, words: `${count(files, "file")} changed in the working tree` };
}

export function useChangesCount(): Counted {
  const tab = useLayout((layout) => layout.changesTab);
  const workspaceId = useHead((head) => head.workspaceId);
  const { listing } = useChanges(tab === "folder" ? workspaceId : null);
  const items = useThread(fileChangeItems);
  const known = useKnownPart();
  const edited = useMemo(() => changedFiles(items).files.length, [items]);
  return tab === "folder" ? countedInFolder(listing) : countedInThread(edited, known);
}
