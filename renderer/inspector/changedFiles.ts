// Which files this thread changed, out of its file changes in order: one entry for each file, under the name that it has
// now. What was declined or failed has changed nothing and is left out. Pure.

import type { FileChange, ItemStatus } from "../../preload/contract/items";
import type { ItemOf } from "./kindSelect";

export interface FileEdit {
  /** Unique in the thread. */
  key: string;
  change: FileChange;
  turnId: string;
  status: ItemStatus;
}

/** `dropped`: made and deleted again, both in this thread. */
export type FileFate = "added" | "edited" | "deleted" | "moved" | "dropped";

export interface ChangedFile {
  path: string;
  /** What it was called before this thread moved it. */
  movedFrom: string | null;
  fate: FileFate;
  added: number;
  removed: number;
  /** An edit to it is going on or waits for approval. */
  writing: boolean;
  edits: readonly FileEdit[];
}

export interface ChangedFiles {
  files: readonly ChangedFile[];
  added: number;
  removed: number;
}

interface Draft {
  path: string;
  firstPath: string;
  madeHere: boolean;
  there: boolean;
  edits: FileEdit[];
}

function take(draft: Draft, edit: FileEdit): void {
  const { change } = edit;
  draft.edits.push(edit);
  draft.there = change.change !== "delete";
  if (change.movedTo !== null) draft.path = change.movedTo;
}

function fateOf(draft: Draft): FileFate {
  if (draft.madeHere) return draft.there ? "added" : "dropped";
  if (!draft.there) return "deleted";
  return draft.path === draft.firstPath ? "edited" : "moved";
}

function fileOf(draft: Draft): ChangedFile {
  const moved = draft.path !== draft.firstPath && !draft.madeHere;
  return {
    path: draft.path,
    movedFrom: moved ? draft.firstPath : null,
    fate: fateOf(draft),
    added: draft.edits.reduce((sum, { change }) => sum + change.added, 0),
    removed: draft.edits.reduce((sum, { change }) => sum + change.removed, 0),
    writing: draft.edits.some(({ status }) => status === "running"),
    edits: draft.edits,
  };
}

export function changedFiles(items: readonly ItemOf<"fileChange">[]): ChangedFiles {
  const drafts: Draft[] = [];
  const byPath = new Map<string, Draft>();
  for (const { id, turnId, status, changes } of items) {
    if (status === "declined" || status === "failed") continue;
    for (const [index, change] of changes.entries()) {
      let draft = byPath.get(change.path);
      if (!draft) {
        draft = {
          path: change.path,
          firstPath: change.path,
          madeHere: change.change === "add",
          there: true,
          edits: [],
        };
        drafts.push(draft);
      }
      byPath.delete(draft.path);
      take(draft, { key: `${id} ${index}`, change, turnId, status });
      byPath.set(draft.path, draft);
    }
  }
  const files = drafts.map(fileOf);
  return {
    files,
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
  };
}

/** A path as it stands in a list: below the workspace's folder without that folder. */
export function pathIn(folder: string | null, path: string): string {
  if (folder === null || !path.startsWith(folder)) return path;
  const rest = path.slice(folder.length);
  return /^[/\\]./.test(rest) ? rest.slice(1) : path;
}

export function splitPath(path: string): { folder: string; name: string } {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return { folder: path.slice(0, at + 1), name: path.slice(at + 1) };
}
