// What is said of a difference that has no lines. Pure.

import type { FileDiff } from "../../../preload/contract/changes";
import type { FileEntry } from "../list/files";

export function sizeWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let [size, at] = [bytes / 1024, 0];
  while (size >= 1024 && at < units.length - 1) {
    size /= 1024;
    at += 1;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[at]}`;
}

export function bytesWords(before: number | null, now: number | null): string {
  if (before === null) return now === null ? "" : `It has ${sizeWords(now)}.`;
  if (now === null) return `It had ${sizeWords(before)}.`;
  if (before === now) return `It has ${sizeWords(now)}, as before.`;
  return `It had ${sizeWords(before)} and has ${sizeWords(now)} now.`;
}

/** A file of text in which no line differs. */
export function nothingWords(entry: FileEntry, { oldMode, newMode, oldPath }: FileDiff): string {
  if (oldMode === null) return "An empty file was added";
  if (newMode === null) return "An empty file was deleted";
  if (oldPath !== null && oldPath !== entry.path) return `Moved from ${oldPath}, without another change`;
  if (oldMode !== newMode) return "Only its mode has changed";
  return "No lines are different";
}
