// Where what is asked for stands among what is known at once. Pure.
//
// A file whose name is typed as it is is what was meant, and comes first; one that begins so comes before the offer to search.
// Whatever fits otherwise stands behind everything else, so that nothing moves when it comes.

import { filePlace } from "../files/filePlace";
import type { EntryGroup } from "./entries";

export interface AskedGroups {
  /** To search for it in all threads; null: there is nothing to search for. */
  search: EntryGroup | null;
  hits: EntryGroup | null;
  files: EntryGroup | null;
}

export type FileFit = "exact" | "prefix" | "other";

const leastPrefix = 3;

/** How the file fits whose path this is. A path counts from any of its folders on. */
export function fileFit(path: string, typed: string): FileFit {
  const wanted = filePlace(typed.trim()).path.toLowerCase().replaceAll("\\", "/");
  if (wanted === "") return "other";
  const held = path.toLowerCase().replaceAll("\\", "/");
  if (held === wanted || held.endsWith(`/${wanted}`)) return "exact";
  const starts = held.startsWith(wanted) || held.includes(`/${wanted}`);
  const inName = held.lastIndexOf("/") < held.lastIndexOf(wanted) + wanted.length;
  return starts && inName && wanted.length >= leastPrefix ? "prefix" : "other";
}

const worth: Record<FileFit, number> = { exact: 0, prefix: 1, other: 2 };

/** Those that fit best first; equal ones keep their order. */
export function byFit<File extends { path: string }>(files: readonly File[], typed: string): File[] {
  return [...files].sort((a, b) => worth[fileFit(a.path, typed)] - worth[fileFit(b.path, typed)]);
}

/** `fit`: of the file that fits best; null: there is none. */
export function inOrder(known: readonly EntryGroup[], asked: AskedGroups, fit: FileFit | null): EntryGroup[] {
  const files = (when: FileFit) => (fit === when ? [asked.files] : []);
  const groups = [
    ...files("exact"),
    ...known,
    ...files("prefix"),
    asked.search,
    asked.hits,
    ...files("other"),
  ];
  return groups.filter((group) => group !== null);
}
