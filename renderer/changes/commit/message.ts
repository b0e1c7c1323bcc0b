// What is said of a commit's message while it is written, and why it cannot be committed. Pure.

import type { RepositoryChanges } from "../../../preload/contract/changes";

/** What git's own tools show of a line. */
const lineWidth = 72;

export function widthHint(text: string): string | null {
  const lines = text.split("\n");
  const subject = lines[0] ?? "";
  if (subject.length > lineWidth) return `Subject: ${subject.length} of ${lineWidth} characters`;
  const long = lines.findIndex(
    // A long word (an address, a path) cannot be broken.
    (line, at) => at > 0 && line.length > lineWidth && line.trim().includes(" "),
  );
  if (long > 0) return `Line ${long + 1}: ${lines[long]?.length} of ${lineWidth} characters`;
  if (lines.length > 1 && lines[1]?.trim() !== "") return "An empty line belongs after the subject";
  return null;
}

export interface CommitState {
  message: string;
  amend: boolean;
  running: boolean;
}

export function whatOf({ files }: Pick<RepositoryChanges, "files">): "staged" | "everything" {
  return files.some(({ staged }) => staged !== null) ? "staged" : "everything";
}

/** Why nothing can be committed now; null: it can. */
export function whyNoCommit(
  changes: RepositoryChanges,
  { message, amend, running }: CommitState,
): string | null {
  if (running) return "A commit is under way.";
  if (changes.files.some(({ conflict }) => conflict !== null))
    return "Solve the conflicts and stage the files first.";
  if (amend && changes.head === null) return "There is no commit yet.";
  // A merge may have nothing left that differs, and is committed all the same.
  if (changes.files.length === 0 && !amend && changes.operation === null) return "Nothing has changed.";
  if (message.trim() === "") return "Write a message first.";
  return null;
}
