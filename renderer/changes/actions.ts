// What can be done with changed files and with parts of them. Each says what went wrong; none throws.
//
// Races, and what settles each:
// - Keys are pressed faster than git answers: what is done with whole files goes one after the other, in the order in which
//   it was asked for.
// - A part is staged twice, with a double click or a key that is held down: a difference is used once. What is pressed before
//   the new one is shown is about lines that may stand elsewhere by then, and is not done.
// - The file is changed while the person looks at it: main compares the difference with the one that they saw and refuses.

import type { CallParams } from "../../preload/contract";
import type { FileDiff } from "../../preload/contract/changes";
import { resolvePath } from "../conversation/markdown/links";
import { count } from "../conversation/time/durations";
import { openInEditor } from "../files/openInEditor";
import { isElsewhere } from "../files/openPath";
import { faultOf } from "../state/callFault";
import { askFirst } from "../state/confirm";
import { call } from "../state/connection";
import { attempt, showFault, toast } from "../state/toasts";
import type { GridHunk, GridLine } from "./diff/rows";
import type { FileEntry } from "./list/files";
import { changesStore, changesView, lookAgain } from "./state/changesStore";

const undoShownMs = 15_000;

let last: Promise<unknown> = Promise.resolve();

/** One after the other, each said to be going on. */
function inTurn<Value>(words: string, work: () => Promise<Value>): Promise<Value | undefined> {
  const done = last.then(async () => {
    changesStore.setState({ working: words });
    const value = await attempt(work());
    changesStore.setState({ working: null });
    return value;
  });
  last = done;
  return done;
}

/** What can be done with something here is done with these. */
function usable(entries: readonly FileEntry[]): FileEntry[] {
  return entries.filter(({ inert }) => !inert);
}

/** null: all of them. */
function pathsOf(entries: readonly FileEntry[]): string[] {
  return [...new Set(usable(entries).map(({ path }) => path))];
}

export async function stageFiles(workspaceId: string, entries: readonly FileEntry[]): Promise<void> {
  const paths = pathsOf(entries.filter(({ group }) => group !== "staged"));
  if (paths.length === 0) return;
  await inTurn("Staging…", () => call("changes.stage", { workspaceId, paths }));
  lookAgain(workspaceId);
}

export async function unstageFiles(workspaceId: string, entries: readonly FileEntry[]): Promise<void> {
  const paths = pathsOf(entries.filter(({ group }) => group === "staged"));
  if (paths.length === 0) return;
  await inTurn("Unstaging…", () => call("changes.unstage", { workspaceId, paths }));
  lookAgain(workspaceId);
}

/** Of staged files: out of the commit; of the others: into it. */
export function toggleStaged(workspaceId: string, entries: readonly FileEntry[]): void {
  const isStaged = entries.every(({ group }) => group === "staged");
  void (isStaged ? unstageFiles : stageFiles)(workspaceId, entries);
}

export async function discardFiles(workspaceId: string, entries: readonly FileEntry[]): Promise<void> {
  const found = usable(entries).filter(({ group }) => group === "unstaged");
  const [first] = found;
  if (!first) return;
  const name = found.length === 1 ? `“${first.path}”` : count(found.length, "file");
  const untracked = found.filter(({ state }) => state === "untracked").length;
  const yes = await askFirst({
    title: found.length === 1 && untracked === 1 ? `Delete ${name}?` : `Discard the changes in ${name}?`,
    text: [
      untracked < found.length && "What is not staged is thrown away.",
      untracked === 0
        ? false
        : found.length === 1
          ? "git does not know this file, so it is deleted."
          : `${count(untracked, "file")} that git does not know ${untracked === 1 ? "is" : "are"} deleted.`,
      "Holdfast keeps a copy, so that this can be undone.",
    ]
      .filter(Boolean)
      .join(" "),
    confirmLabel: found.length === 1 && untracked === 1 ? "Delete" : "Discard",
    tone: "danger",
  });
  if (!yes) return;
  const paths = found.map(({ path }) => path);
  const done = await inTurn("Discarding…", () => call("changes.discard", { workspaceId, paths }));
  lookAgain(workspaceId);
  if (done) offerUndo(workspaceId, done.discardId, `Changes in ${name} discarded`);
}

function offerUndo(workspaceId: string, discardId: string, words: string): void {
  toast(words, {
    tone: "ok",
    shownMs: undoShownMs,
    actions: [{ label: "Undo", run: () => void undoDiscard(workspaceId, discardId) }],
  });
}

export async function undoDiscard(workspaceId: string, discardId: string): Promise<boolean> {
  const done = await inTurn("Bringing back…", () => call("changes.undoDiscard", { workspaceId, discardId }));
  lookAgain(workspaceId);
  if (done) toast("Changes brought back", { tone: "ok" });
  return done !== undefined;
}

/** The difference that something was done with last. */
let used = "";

/** Another one is on the screen now, and that one may come back. */
export function differenceShown(fingerprint: string): void {
  if (fingerprint !== used) used = "";
}

type Part = CallParams<"changes.stagePart">;

async function withPart(
  workspaceId: string,
  { path, oldPath, fingerprint }: FileDiff,
  hunk: GridHunk,
  lines: readonly GridLine[] | null,
  words: string,
  work: (part: Part) => Promise<unknown>,
): Promise<boolean> {
  if (used === fingerprint) return false;
  used = fingerprint;
  const changed = lines?.filter(({ kind }) => kind !== "context").map(({ at }) => at) ?? null;
  if (changed?.length === 0) {
    used = "";
    toast("No changed line is chosen", {
      hint: "Choose added or removed lines, or none for the whole hunk.",
    });
    return false;
  }
  const parts = [{ hunk: hunk.number, lines: changed }];
  const done = await inTurn(words, async () => {
    try {
      await work({ workspaceId, path, oldPath, fingerprint, parts });
      return true;
    } catch (error) {
      // The same may be tried again with the same difference.
      used = "";
      showFault(faultOf(error));
      return false;
    }
  });
  lookAgain(workspaceId);
  return done === true;
}

export function stagePart(
  workspaceId: string,
  diff: FileDiff,
  hunk: GridHunk,
  lines: readonly GridLine[] | null,
): void {
  void withPart(workspaceId, diff, hunk, lines, "Staging…", (part) => call("changes.stagePart", part));
}

export function unstagePart(
  workspaceId: string,
  diff: FileDiff,
  hunk: GridHunk,
  lines: readonly GridLine[] | null,
): void {
  void withPart(workspaceId, diff, hunk, lines, "Unstaging…", (part) => call("changes.unstagePart", part));
}

export async function discardPart(
  workspaceId: string,
  diff: FileDiff,
  hunk: GridHunk,
  lines: readonly GridLine[] | null,
): Promise<void> {
  const changed = lines?.filter(({ kind }) => kind !== "context").length ?? 0;
  const what =
    lines === null || changed === 0 ? `the change at ${hunk.title}` : count(changed, "changed line");
  const yes = await askFirst({
    title: `Discard ${what}?`,
    text: `“${diff.path}” goes back to what is staged in this place. Holdfast keeps a copy, so that this can be undone.`,
    confirmLabel: "Discard",
    tone: "danger",
  });
  if (!yes) return;
  let discardId = "";
  const done = await withPart(workspaceId, diff, hunk, lines, "Discarding…", async (part) => {
    ({ discardId } = await call("changes.discardPart", part));
  });
  if (done) offerUndo(workspaceId, discardId, `A change in “${diff.path}” discarded`);
}

/** In the person's editor. What a thread has changed may be on another machine, which is said. */
export function openEntry(workspaceId: string, entry: FileEntry, line: number | null): void {
  if (entry.group === "thread" && isElsewhere()) return;
  // git names files from the repository's root, which may be above the workspace's folder.
  const { listing } = changesView(workspaceId);
  const root = listing?.state === "repository" ? listing.changes.root : "";
  void openInEditor({ workspaceId, path: root === "" ? entry.path : resolvePath(entry.path, root), line });
}
