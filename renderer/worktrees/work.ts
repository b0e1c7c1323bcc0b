// What a removal would lose, in numbers and words.

import type { WorktreeFacts } from "../../preload/contract";

/** How much is in it that is nowhere else. Commits of its branch are on that branch, which stays. */
export function countOfWork({ branch, changed, untracked, unmerged }: WorktreeFacts): number {
  return changed.count + untracked.count + (branch === null ? unmerged.count : 0);
}

/** "1 changed file", "12 changed files". */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}
