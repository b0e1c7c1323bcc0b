// What is chosen in the review dialog, and what it stands for. Pure, but for what the window remembers until it is closed.

import type { CallResult } from "../../preload/contract";
import type { ReviewTarget } from "../../preload/contract/thread";

export type Targets = CallResult<"workspaces.reviewTargets">;
export type TargetKind = ReviewTarget["type"];

export interface TargetChoice {
  kind: TargetKind;
  branch: string | null;
  sha: string | null;
  instructions: string;
}

/** Kinds in the order of the dialog; those that need a repository say so when there is none. */
export const targetKinds: readonly { kind: TargetKind; label: string; description: string }[] = [
  {
    kind: "uncommittedChanges",
    label: "Uncommitted changes",
    description: "Everything that is not committed yet, new files included.",
  },
  {
    kind: "baseBranch",
    label: "Against a branch",
    description: "What the current branch would bring into another one.",
  },
  { kind: "commit", label: "A commit", description: "What one commit changed." },
  { kind: "custom", label: "Own instructions", description: "Say what codex is to look at, and for what." },
];

let remembered: TargetChoice = { kind: "uncommittedChanges", branch: null, sha: null, instructions: "" };

/** What was chosen last in this window. What was written comes back until a review has begun with it. */
export function lastChoice(): TargetChoice {
  return remembered;
}

export function rememberChoice(choice: TargetChoice): void {
  remembered = choice;
}

/** Null until it is known. */
export function isRepository(targets: Targets | null): boolean | null {
  if (targets === null) return null;
  return targets.currentBranch !== null || targets.branches.length > 0 || targets.commits.length > 0;
}

/** Why this kind cannot be chosen here; null when it can. */
export function whyNot(kind: TargetKind, targets: Targets | null): string | null {
  if (kind === "custom" || targets === null) return null;
  if (isRepository(targets) === false) return "This folder is in no git repository.";
  if (kind === "baseBranch" && otherBranches(targets).length === 0) return "There is no other branch.";
  if (kind === "commit" && targets.commits.length === 0) return "There is no commit yet.";
  return null;
}

/** Usual names of the branch that work is merged into, most usual first. */
const trunks = ["main", "master", "trunk", "develop"];

/** What the current branch can be compared with; what is usually meant first. */
export function otherBranches(targets: Targets): string[] {
  const others = targets.branches.filter((branch) => branch !== targets.currentBranch);
  const usual = trunks.filter((name) => others.includes(name));
  return [...usual, ...others.filter((branch) => !usual.includes(branch))];
}

/** The target as it stands; null: something is still to be chosen or written. */
export function targetOf(choice: TargetChoice, targets: Targets | null): ReviewTarget | null {
  if (whyNot(choice.kind, targets) !== null) return null;
  switch (choice.kind) {
    case "uncommittedChanges":
      return { type: "uncommittedChanges" };
    case "baseBranch":
      return choice.branch === null ? null : { type: "baseBranch", branch: choice.branch };
    case "commit": {
      const commit = targets?.commits.find(({ sha }) => sha === choice.sha);
      return commit ? { type: "commit", sha: commit.sha, title: commit.subject || null } : null;
    }
    case "custom": {
      const instructions = choice.instructions.trim();
      return instructions === "" ? null : { type: "custom", instructions };
    }
    default:
      return choice.kind satisfies never;
  }
}

/** With what is usually meant where nothing has been chosen, or where that is not there. */
export function withUsual(choice: TargetChoice, targets: Targets): TargetChoice {
  const branches = otherBranches(targets);
  const branch =
    choice.branch !== null && branches.includes(choice.branch) ? choice.branch : (branches[0] ?? null);
  const sha =
    targets.commits.find((commit) => commit.sha === choice.sha)?.sha ?? targets.commits[0]?.sha ?? null;
  const kind = whyNot(choice.kind, targets) === null ? choice.kind : "custom";
  return { ...choice, kind, branch, sha };
}
