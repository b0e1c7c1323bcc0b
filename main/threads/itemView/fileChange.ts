// File changes with their added and removed lines counted.

import { boundText, type FileChange, type Item } from "../../../preload/contract/items";
import { isRecord, type LooseRecord, recordOf, recordsOf, stringOf, wordsOrNull } from "../loose";
import type { ItemBase } from "./base";

export function viewFileChange(base: ItemBase, item: LooseRecord): Item | null {
  if (!Array.isArray(item.changes)) return null;
  return { ...base, kind: "fileChange", changes: fileChangesOf(item.changes) };
}

export function fileChangesOf(changes: unknown): FileChange[] {
  return recordsOf(changes).map((change) => {
    const kind = isRecord(change.kind) ? change.kind : { type: change.kind };
    const type = kind.type === "add" || kind.type === "delete" ? kind.type : "update";
    const diff = stringOf(change.diff);
    return {
      path: stringOf(change.path),
      change: type,
      movedTo: type === "update" ? wordsOrNull(recordOf(kind).move_path) : null,
      diff: boundText(diff),
      ...countLines(diff, type),
    };
  });
}

export interface LineCount {
  added: number;
  removed: number;
}

/** Lines that a change adds and removes. For an added or deleted file codex sends the bare content, not a diff. */
export function countLines(diff: string, change: FileChange["change"]): LineCount {
  if (change === "update") return countDiff(diff);
  if (isWholeFileDiff(diff, change)) return countDiff(diff);
  const lines = contentLines(diff);
  return change === "add" ? { added: lines, removed: 0 } : { added: 0, removed: lines };
}

/** As a diff, also where codex sends the bare content of a file that is added or deleted: each line has its sign. */
export function signedLines(diff: string, change: FileChange["change"]): string {
  if (change === "update" || diff === "" || isWholeFileDiff(diff, change)) return diff;
  const sign = change === "add" ? "+" : "-";
  return diff.replaceAll(/^/gm, sign).replace(/\n[+-]$/, "\n");
}

function contentLines(content: string): number {
  if (content === "") return 0;
  let lines = content.endsWith("\n") ? 0 : 1;
  for (let at = content.indexOf("\n"); at >= 0; at = content.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * True only for a diff that creates or deletes a whole file: one hunk whose every line is on one side. A file that
 * merely contains a patch is content.
 */
function isWholeFileDiff(diff: string, change: "add" | "delete"): boolean {
  const start = /^(?:---[^\n]*\n\+\+\+[^\n]*\n)?@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@[^\n]*\n/.exec(diff);
  if (start === null || start[change === "add" ? 1 : 2] !== "0") return false;
  const sign = change === "add" ? "+" : "-";
  return diff
    .slice(start[0].length)
    .split("\n")
    .every((line) => line === "" || line.startsWith(sign) || line.startsWith("\\"));
}

/**
 * Counts by the hunk headers, so that a removed line that itself starts with "-- " is not taken for a header. Hunks
 * without line numbers, as the agent's own patch format has them, are counted by their signs.
 */
function countDiff(diff: string): LineCount {
  let added = 0;
  let removed = 0;
  let oldLeft = 0;
  let newLeft = 0;
  const lines = diff.split("\n");
  const numbered = lines.some((line) => hunkHeader.test(line));
  for (const line of lines) {
    const header = oldLeft <= 0 && newLeft <= 0 ? hunkHeader.exec(line) : null;
    if (header) {
      oldLeft = Number(header[1] ?? 1);
      newLeft = Number(header[2] ?? 1);
      continue;
    }
    if (numbered && oldLeft <= 0 && newLeft <= 0) continue;
    if (!numbered && (line.startsWith("+++ ") || line.startsWith("--- "))) continue;
    if (line.startsWith("+")) {
      added += 1;
      newLeft -= 1;
    } else if (line.startsWith("-")) {
      removed += 1;
      oldLeft -= 1;
    } else if (!line.startsWith("\\")) {
      oldLeft -= 1;
      newLeft -= 1;
    }
  }
  return { added, removed };
}
