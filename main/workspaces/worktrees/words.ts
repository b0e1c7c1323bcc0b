// What a window is told of worktrees.

import type { WorktreeFacts, WorktreeMergeFacts } from "../../../preload/contract";
import type { NoticeView } from "../../../preload/contract/app";
import type { Contents } from "./contents";
import type { MergeLook, MergeSubject } from "./merging";
import type { RemovalOutcome } from "./removing";

const mostListed = 20;

export function factsOf(contents: Contents): WorktreeFacts {
  const { branch, changed, untracked, ignored, unmerged } = contents;
  return {
    branch,
    changed: listed(changed),
    untracked: listed(untracked),
    ignored: listed(ignored),
    unmerged,
    folder: "there",
  };
}

export interface MergeSurroundings {
  mainWorkspaceId: string | null;
  atWork: WorktreeMergeFacts["atWork"];
}

export function mergeFactsOf(look: MergeLook, surroundings: MergeSurroundings): WorktreeMergeFacts {
  const { contents, mainChanged, ...rest } = look;
  return {
    ...rest,
    ...surroundings,
    changed: listed(contents.changed),
    untracked: listed(contents.untracked),
    mainChanged: listed(mainChanged),
  };
}

/** Of a merge that was cut off. */
export function mergeNotice(
  { branch, into, mainPath }: MergeSubject,
  left: "merged" | "nothing",
): Omit<NoticeView, "id"> {
  if (left === "merged") {
    return { tone: "info", text: `The branch ${branch} is merged into ${into}.`, hint: null, detail: null };
  }
  return {
    tone: "warning",
    text: `Merging ${branch} into ${into} was cut off, and is not done.`,
    hint: "Look at the main checkout, then merge again.",
    detail: mainPath,
  };
}

/** Of a worktree that cannot be looked into. */
export function nothingIn(branch: string, folder: "gone" | "not listed"): WorktreeFacts {
  const none = { count: 0, first: [] };
  return { branch, changed: none, untracked: none, ignored: none, unmerged: none, folder };
}

/**
 * What the person has to know when a removal has ended. It stays on screen until it is dismissed, since the name of a
 * snapshot is needed later. Null: nothing; whoever asked for it sees the fault.
 */
export function removalNotice(
  { branch }: { branch: string },
  outcome: RemovalOutcome,
  why: "asked" | "taken up",
): Omit<NoticeView, "id"> | null {
  switch (outcome.kind) {
    case "failed":
      return null;
    case "refused": {
      if (why === "asked") return null;
      const { message, hint = null, detail = null } = outcome.fault;
      return { tone: "warning", text: `The worktree ${branch} was not removed. ${message}`, hint, detail };
    }
    case "removed": {
      const { snapshot, folderKept } = outcome.removed;
      if (snapshot !== null) {
        const text = `The worktree ${branch} is removed. What was in it is kept as ${snapshot}.`;
        return { tone: "info", text, hint: `“git branch NAME ${snapshot}” makes it a branch.`, detail: null };
      }
      if (folderKept === null) return null;
      return {
        tone: "warning",
        text: `The worktree ${branch} is off the list. Its folder stays: git did not list it any more.`,
        hint: "Look into it, then delete it yourself.",
        detail: folderKept,
      };
    }
    default:
      return outcome satisfies never;
  }
}

function listed(all: string[]): { count: number; first: string[] } {
  return { count: all.length, first: all.slice(0, mostListed) };
}
