// Which workspace the page of changes is about, and what it lists of it.

import { useMemo } from "react";
import type { WorkspaceView } from "../../../preload/contract/app";
import type { ChangedFile as ThreadFile } from "../../inspector/changedFiles";
import { changedFiles } from "../../inspector/changedFiles";
import { fileChangeItems } from "../../inspector/kindSelect";
import { useWorkspace } from "../../state/appStore";
import { threadStore } from "../../state/threadStore";
import { useLayout } from "../../state/uiStore";
import { baseGroups, type FileGroup, folderGroups, threadGroups } from "../list/files";
import type { Listing } from "./follower";
import type { AgainstState } from "./useAgainst";

/** That of the shown thread, or the one that is looked at. */
export function useChangesWorkspace(): WorkspaceView | undefined {
  const ofThread = threadStore(({ shown }) => (shown.phase === "shown" ? shown.copy.head.workspaceId : null));
  const ofLayout = useLayout((layout) => layout.workspaceId);
  return useWorkspace(ofThread ?? ofLayout);
}

const noItems: ReturnType<typeof fileChangeItems> = [];
const noGroups: readonly FileGroup[] = [];

/** The files that the shown thread has changed, by their paths in the repository. */
export function useThreadFiles(root: string | null): ReadonlyMap<string, ThreadFile> {
  const items = threadStore(({ shown }) => (shown.phase === "shown" ? fileChangeItems(shown.copy) : noItems));
  return useMemo(() => {
    const { files } = changedFiles(items);
    return new Map(files.map((file) => [shortPath(root, file.path), file]));
  }, [items, root]);
}

/** A path as git has it: from the repository's top folder, with "/". */
function shortPath(root: string | null, path: string): string {
  const slashed = path.replaceAll("\\", "/");
  const top = root?.replaceAll("\\", "/").replace(/\/$/, "");
  return top !== undefined && slashed.startsWith(`${top}/`) ? slashed.slice(top.length + 1) : slashed;
}

export function useGroups(
  source: "folder" | "thread" | "base",
  listing: Listing | null,
  threadFiles: ReadonlyMap<string, ThreadFile>,
  { against, of }: AgainstState,
): readonly FileGroup[] {
  const root = listing?.state === "repository" ? listing.changes.root : null;
  return useMemo(() => {
    switch (source) {
      case "folder":
        return listing?.state === "repository" ? folderGroups(listing.changes) : noGroups;
      case "thread":
        return threadGroups([...threadFiles.values()], (path) => shortPath(root, path));
      case "base":
        return against === null || of === null ? noGroups : baseGroups(against, of);
      default:
        return source satisfies never;
    }
  }, [source, listing, threadFiles, root, against, of]);
}
