// What can be done with changed files and with parts of them. Each says what went wrong; none throws.
//
// Races, and what settles each:
// - Keys are pressed faster than git answers: what is done with whole files goes one after the other, in the order in which
//   it was asked for.
// - A part is staged twice, with a double click or a key that is held down: a hunk of a difference is used once, until the
//   folder has been looked at again.
// - Something else in the file is changed while the person looks at it (another window unstages another part, or they do it
//   themselves faster than git answers): main compares the difference with the one that they saw and refuses. The new one is
//   asked for then, and the hunk is taken from it if it is there to the letter and in the same place. Else the refusal is said.

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
import { sameHunk } from "./diff/sameHunk";
import { discardQuestion } from "./discardQuestion";
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

/** The hunks that something is being done with, or was since the folder was looked at last. */
const used = new Set<string>();
let underWay = 0;

/** The folder has been looked at again: what is on the screen now may be used, even if it looks as before. */
export function differenceLoaded(): void {
  if (underWay === 0) used.clear();
}

type Part = CallParams<"changes.stagePart">;

interface PartStep {
  words: string;
  with: "staged" | "unstaged";
  work: (part: Part) => Promise<unknown>;
}

async function withPart(
  workspaceId: string,
  diff: FileDiff,
  hunk: GridHunk,
  lines: readonly GridLine[] | null,
  step: PartStep,
): Promise<boolean> {
  const { path, oldPath, fingerprint } = diff;
  const use = `${fingerprint} ${hunk.number}`;
  if (used.has(use)) return false;
  const changed = lines?.filter(({ kind }) => kind !== "context").map(({ at }) => at) ?? null;
  if (changed?.length === 0) {
    toast("No changed line is chosen", {
      hint: "Choose added or removed lines, or none for the whole hunk.",
    });
    return false;
  }
  used.add(use);
  underWay += 1;
  const done = await inTurn(step.words, async () => {
    const part = { workspaceId, path, oldPath, fingerprint, parts: [{ hunk: hunk.number, lines: changed }] };
    try {
      await step.work(part).catch(async (error: unknown) => {
        if (faultOf(error).code !== "changed_meanwhile") throw error;
        const comparison = { with: step.with };
        const now = await call("changes.diff", { workspaceId, path, oldPath, comparison, whole: true });
        const number = sameHunk(diff, hunk.number, now);
        if (number === null) throw error;
        await step.work({ ...part, fingerprint: now.fingerprint, parts: [{ hunk: number, lines: changed }] });
      });
      return true;
    } catch (error) {
      // The same may be tried again with the same difference.
      used.delete(use);
      showFault(faultOf(error));
      return false;
    }
  });
  underWay -= 1;
  lookAgain(workspaceId);
  return done === true;
}

export function stagePart(
  workspaceId: string,
  diff: FileDiff,
  hunk: GridHunk,
  lines: readonly GridLine[] | null,
): void {
  void withPart(workspaceId, diff, hunk, lines, {
    words: "Staging…",
    with: "unstaged",
    work: (part) => call("changes.stagePart", part),
  });
}

export function unstagePart(
  workspaceId: string,
  diff: FileDiff,
  hunk: GridHunk,
  lines: readonly GridLine[] | null,
): void {
  void withPart(workspaceId, diff, hunk, lines, {
    words: "Unstaging…",
    with: "staged",
    work: (part) => call("changes.unstagePart", part),
  });
}

export async function discardPart(
  workspaceId: string,
  diff: FileDiff,
  hunk: GridHunk,
  lines: readonly GridLine[] | null,
): Promise<void> {
  const changed = lines?.filter(({ kind }) => kind !== "context").length ?? 0;
  const question = discardQuestion(diff, hunk, changed);
  const yes = await askFirst(question);
  if (!yes) return;
  let discardId = "";
  const done = await withPart(workspaceId, diff, hunk, lines, {
    words: "Discarding…",
    with: "unstaged",
    work: async (part) => {
      ({ discardId } = await call("changes.discardPart", part));
    },
  });
  const isGone = question.confirmLabel === "Delete";
  const words = isGone ? `“${diff.path}” deleted` : `A change in “${diff.path}” discarded`;
  if (done) offerUndo(workspaceId, discardId, words);
}

/** In the person's editor. What a thread has changed may be on another machine, which is said. */
export function openEntry(workspaceId: string, entry: FileEntry, line: number | null): void {
  if (entry.group === "thread" && isElsewhere()) return;
  // git names files from the repository's root, which may be above the workspace's folder.
  const { listing } = changesView(workspaceId);
  const root = listing?.state === "repository" ? listing.changes.root : "";
  void openInEditor({ workspaceId, path: root === "" ? entry.path : resolvePath(entry.path, root), line });
}
