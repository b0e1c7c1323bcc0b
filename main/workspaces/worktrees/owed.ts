// What is owed for worktrees, as it is written down before it is begun, and why something is not done to one.

import { Fault } from "../../fault";
import type { NewCleanup } from "../../ledger/cleanupsLedger";
import type { WorktreeRecord } from "../../ledger/worktreesLedger";
import type { MadeCommit, MergeSubject } from "./merging";
import type { ProcessWithin } from "./processesWithin";

export interface RemovalSubject {
  path: string;
  workspaceId: string | null;
  discard: boolean;
}

export const removalKind = "worktree";
export const mergeKind = "worktree merge";
export const recreateKind = "worktree recreate";

export function cleanupOf(record: WorktreeRecord, discard: boolean): NewCleanup {
  const { path, workspaceId, branch, state } = record;
  const subject: RemovalSubject & { branch: string } = { path, workspaceId, discard, branch };
  return {
    id: `worktree:${path}`,
    kind: removalKind,
    subject,
    reason:
      state === "making"
        ? `The worktree ${branch} was not finished when Holdfast went away.`
        : `The worktree ${branch} is to be removed. Its branch stays.`,
  };
}

export function mergeCleanup(subject: MergeSubject): NewCleanup {
  const { path, branch, into } = subject;
  return {
    id: `merge:${path}`,
    kind: mergeKind,
    subject,
    reason: `The branch ${branch} was being merged into ${into}. What is unfinished of it is taken back.`,
  };
}

export function recreateCleanup({ path, branch }: WorktreeRecord): NewCleanup {
  return {
    id: `recreate:${path}`,
    kind: recreateKind,
    subject: { path, branch },
    reason: `The folder of the worktree ${branch} was being made again.`,
  };
}

export function mergeAtWorkFault(
  atWork: readonly { where: "worktree" | "main"; names: readonly string[] }[],
): Fault {
  const places = { worktree: "the worktree", main: "the main checkout" };
  const words = atWork.map(({ where, names }) => `${someNames(names)} in ${places[where]}`);
  return new Fault("merge_at_work", `At work: ${words.join("; ")}.`, {
    hint: "Wait until it is done, or say that it is to be merged all the same.",
  });
}

/** The same fault, which also says what has become of what was not committed. */
export function alsoCommitted(fault: Fault, { sha, branch, files }: MadeCommit): Fault {
  const what =
    files === 1 ? "The file that was not committed is" : `The ${files} files that were not committed are`;
  const { code, message, hint, detail, path, retryable } = fault;
  return new Fault(code, message, {
    hint: [`${what} commit ${sha.slice(0, 7)} on “${branch}” now; that stays.`, hint]
      .filter(Boolean)
      .join(" "),
    ...(detail !== undefined && { detail }),
    ...(path !== undefined && { path }),
    retryable,
    cause: fault,
  });
}

const mostNames = 5;

function someNames(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
  return `${names.slice(0, mostNames).join(", ")}${more}`;
}

/** `names`: of what is at work; empty: nobody knows. */
export function atWorkFault(names: readonly string[]): Fault {
  const what =
    names.length === 0
      ? "Something is at work in this worktree."
      : `At work in this worktree: ${someNames(names)}.`;
  return new Fault("worktree_at_work", what, {
    hint: "Stop what runs there, in terminals too, or wait until it is done, then remove it.",
  });
}

export function inUseFault(inside: readonly ProcessWithin[]): Fault {
  const some = inside.slice(0, 3).map(({ pid, name }) => `${name} (process ${pid})`);
  const more = inside.length > 3 ? ` and ${inside.length - 3} more` : "";
  return new Fault("worktree_in_use", `A program works in this worktree: ${some.join(", ")}${more}.`, {
    hint: "End it, or let it leave the folder, then remove the worktree.",
    detail: inside.map(({ pid, name }) => `${pid} ${name}`).join("\n"),
  });
}

export function removingFault(): Fault {
  return new Fault("worktree_removing", "This worktree is being removed.", {
    hint: "See the cleanup if it takes long.",
  });
}
