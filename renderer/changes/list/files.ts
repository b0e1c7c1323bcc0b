// The files of a list of changes, and the rows that they are drawn as: in groups, as a tree of folders or flat. Pure.

import type { CallResult } from "../../../preload/contract";
import type { Comparison, FileChange, RepositoryChanges } from "../../../preload/contract/changes";
import type { ChangedFile as ThreadFile } from "../../inspector/changedFiles";

export type GroupId = "conflicts" | "staged" | "unstaged" | "thread" | "base";

export interface FileEntry {
  /** Unique in the list, and the same when it is made anew. */
  key: string;
  group: GroupId;
  path: string;
  oldPath: string | null;
  /** What became of it, in words. */
  state: string;
  /** null: not counted. */
  added: number | null;
  removed: number | null;
  /** What else is to be said of it. */
  note: string | null;
  /** Nothing can be done with it here; the note says why. */
  inert: boolean;
}

export interface FileGroup {
  id: GroupId;
  label: string;
  entries: readonly FileEntry[];
}

/** It is not in the folder any more. */
export function isGone({ state }: FileEntry): boolean {
  return state === "deleted" || state.endsWith("then deleted");
}

export type ListRow =
  | { kind: "group"; key: string; group: GroupId; label: string; count: number; open: boolean }
  | { kind: "folder"; key: string; group: GroupId; path: string; name: string; depth: number; open: boolean }
  | { kind: "file"; key: string; entry: FileEntry; depth: number; name: string; folder: string };

export function fileKey(group: GroupId, path: string): string {
  return `${group}:${path}`;
}

function entryOf(group: GroupId, path: string, change: FileChange, more: Partial<FileEntry> = {}): FileEntry {
  const mode = change.modes === null ? null : modeWords(change.modes);
  return {
    key: fileKey(group, path),
    group,
    path,
    oldPath: change.oldPath,
    state: change.kind,
    added: change.added,
    removed: change.removed,
    note: change.binary ? "binary" : mode,
    inert: false,
    ...more,
  };
}

function modeWords({ old, new: now }: { old: string; new: string }): string {
  if (now === "100755" && old === "100644") return "now executable";
  if (now === "100644" && old === "100755") return "no more executable";
  return `mode ${old} → ${now}`;
}

const unclearName = { note: "its name cannot be shown exactly", inert: true };
const ownRepository = { note: "a repository of its own", inert: true };

/** What differs in the folder, from what is staged and from the last commit. */
export function folderGroups({ files }: RepositoryChanges): FileGroup[] {
  const conflicts: FileEntry[] = [];
  const staged: FileEntry[] = [];
  const unstaged: FileEntry[] = [];
  for (const file of files) {
    const more = !file.exactName ? unclearName : file.repository ? ownRepository : {};
    if (file.conflict !== null) {
      conflicts.push({
        key: fileKey("conflicts", file.path),
        group: "conflicts",
        path: file.path,
        oldPath: null,
        state: "conflicted",
        added: null,
        removed: null,
        note: file.conflict,
        inert: false,
        ...more,
      });
    }
    const submodule = file.submodule ? { note: "submodule" } : {};
    if (file.staged) staged.push(entryOf("staged", file.path, file.staged, { ...submodule, ...more }));
    if (file.unstaged)
      unstaged.push(entryOf("unstaged", file.path, file.unstaged, { ...submodule, ...more }));
  }
  const groups: FileGroup[] = [
    { id: "conflicts", label: "Conflicts", entries: conflicts },
    { id: "staged", label: "Staged", entries: staged },
    { id: "unstaged", label: "Not staged", entries: unstaged },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

export function baseGroups({ files }: CallResult<"changes.listAgainst">, label: string): FileGroup[] {
  const entries = files.map(({ path, change, exactName }) =>
    entryOf("base", path, change, exactName ? {} : unclearName),
  );
  return entries.length === 0 ? [] : [{ id: "base", label: `Against ${label}`, entries }];
}

const fates = {
  added: "added",
  edited: "modified",
  deleted: "deleted",
  moved: "renamed",
  dropped: "added, then deleted",
} as const;

/** `short`: a path as it stands in the other lists. */
export function threadGroups(files: readonly ThreadFile[], short: (path: string) => string): FileGroup[] {
  const entries = files.map(
    (file): FileEntry => ({
      key: fileKey("thread", short(file.path)),
      group: "thread",
      path: short(file.path),
      oldPath: file.movedFrom === null ? null : short(file.movedFrom),
      state: fates[file.fate],
      added: file.added,
      removed: file.removed,
      note: file.writing ? "not written yet" : null,
      inert: false,
    }),
  );
  return entries.length === 0 ? [] : [{ id: "thread", label: "Changed in this thread", entries }];
}

/** What the entry is compared with; null: its difference is in the thread. */
export function comparisonOf({ group }: FileEntry, base: string | null): Comparison | null {
  switch (group) {
    case "staged":
    case "unstaged":
      return { with: group };
    case "conflicts":
      return { with: "head" };
    case "base":
      return base === null ? null : { with: "base", base };
    case "thread":
      return null;
    default:
      return group satisfies never;
  }
}

export interface RowOptions {
  filter: string;
  tree: boolean;
  /** Keys of groups and folders. */
  closed: ReadonlySet<string>;
}

/** Every word of the filter has to be somewhere in the path or the state. */
function passes(entry: FileEntry, filter: string): boolean {
  const text = `${entry.path} ${entry.oldPath ?? ""} ${entry.state} ${entry.note ?? ""}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function listRows(groups: readonly FileGroup[], { filter, tree, closed }: RowOptions): ListRow[] {
  const rows: ListRow[] = [];
  for (const { id, label, entries } of groups) {
    const found = entries.filter((entry) => passes(entry, filter));
    if (found.length === 0) continue;
    const open = !closed.has(id);
    rows.push({ kind: "group", key: id, group: id, label, count: found.length, open });
    if (!open) continue;
    if (tree) rows.push(...treeRows(id, found, closed));
    else for (const entry of sorted(found)) rows.push(fileRow(entry, 0, splitPath(entry.path).folder));
  }
  return rows;
}

function fileRow(entry: FileEntry, depth: number, folder: string): ListRow {
  return { kind: "file", key: entry.key, entry, depth, name: splitPath(entry.path).name, folder };
}

interface Folder {
  folders: Map<string, Folder>;
  files: FileEntry[];
}

function treeRows(group: GroupId, entries: readonly FileEntry[], closed: ReadonlySet<string>): ListRow[] {
  const top: Folder = { folders: new Map(), files: [] };
  for (const entry of entries) {
    let at = top;
    const parts = entry.path.split("/");
    for (const part of parts.slice(0, -1)) {
      const next = at.folders.get(part) ?? { folders: new Map(), files: [] };
      at.folders.set(part, next);
      at = next;
    }
    at.files.push(entry);
  }
  const rows: ListRow[] = [];
  const walk = (folder: Folder, path: string, depth: number) => {
    const names = [...folder.folders.keys()].sort(byName);
    for (const first of names) {
      let name = first;
      let inner = folder.folders.get(first) as Folder;
      // A folder that holds nothing but one folder is drawn with it in one row.
      while (inner.files.length === 0 && inner.folders.size === 1) {
        const [[only, next] = ["", inner]] = inner.folders;
        name = `${name}/${only}`;
        inner = next;
      }
      const whole = `${path}${name}/`;
      const key = `${group}:${whole}`;
      const open = !closed.has(key);
      rows.push({ kind: "folder", key, group, path: whole, name, depth, open });
      if (open) walk(inner, whole, depth + 1);
    }
    for (const entry of sorted(folder.files)) rows.push(fileRow(entry, depth, ""));
  };
  walk(top, "", 0);
  return rows;
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sorted(entries: readonly FileEntry[]): FileEntry[] {
  return [...entries].sort((a, b) => byName(a.path, b.path));
}

/** The files of a group or a folder, or the one file: what a key on that row is about. */
export function entriesUnder(row: ListRow, groups: readonly FileGroup[]): readonly FileEntry[] {
  if (row.kind === "file") return [row.entry];
  const all = groups.find(({ id }) => id === row.group)?.entries ?? [];
  return row.kind === "group" ? all : all.filter(({ path }) => path.startsWith(row.path));
}

/**
 * The file that is shown: the wanted one, or the same file in another group (it has just been staged), or the first.
 * `before`: the files as they were drawn last, to go on with the next one when the wanted has gone.
 */
export function shownFile(
  rows: readonly FileEntry[],
  wanted: string | null,
  before: readonly string[] = [],
): FileEntry | null {
  const exact = rows.find(({ key }) => key === wanted);
  if (exact) return exact;
  if (wanted !== null) {
    const path = wanted.slice(wanted.indexOf(":") + 1);
    const same = rows.find((entry) => entry.path === path);
    if (same) return same;
    const at = before.indexOf(wanted);
    const later =
      at < 0 ? undefined : before.slice(at + 1).find((key) => rows.some((each) => each.key === key));
    const next = rows.find(({ key }) => key === later);
    if (next) return next;
  }
  return rows[0] ?? null;
}

/** The files of a list in the order of its rows, also those in closed folders. */
export function orderedEntries(groups: readonly FileGroup[], options: RowOptions): FileEntry[] {
  return listRows(groups, { ...options, closed: new Set() }).flatMap((row) =>
    row.kind === "file" ? [row.entry] : [],
  );
}

export function splitPath(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf("/");
  return { folder: path.slice(0, at + 1), name: path.slice(at + 1) };
}

/** The name of a file's row for whoever does not see it. */
export function entryWords({ path, oldPath, state, added, removed, note }: FileEntry): string {
  return [
    path,
    state,
    oldPath !== null && `from ${oldPath}`,
    added !== null && removed !== null && `${added} added, ${removed} removed`,
    note,
  ]
    .filter(Boolean)
    .join(", ");
}
