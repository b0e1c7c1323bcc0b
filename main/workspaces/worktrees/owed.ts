// What is owed for worktrees, as it is written down before it is begun, and why something is not done to one.

import { Fault } from "../../fault";
import type { NewCleanup } from "../../ledger/cleanupsLedger";
import type { WorktreeRecord } from "../../ledger/worktreesLedger";
import type { MergeSubject } from "./merging";
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

export function mergeAtWorkFault(): Fault {
  return new Fault("merge_at_work", "Something is at work in the worktree or in the main checkout.", {
    hint: "Wait until it is done, or say that it is to be merged all the same.",
  });
}

export function atWorkFault(): Fault {
  return new Fault("worktree_at_work", "Something is at work in this worktree.", {
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
