// How a branch stands to its remote, in words. Pure.

import type { RepositoryChanges } from "../../../preload/contract/changes";
import { count } from "../../conversation/time/durations";

type Standing = Pick<RepositoryChanges, "branch" | "head" | "upstream" | "remotes">;

/** In short, beside the branch: nothing when there is nothing to say. */
export function pushWords({ upstream }: Standing): string {
  const distance = upstream?.distance;
  if (!distance) return "";
  const { ahead, behind } = distance;
  return [ahead > 0 && `${ahead} ahead`, behind > 0 && `${behind} behind`].filter(Boolean).join(", ");
}

export function upstreamWords({ branch, upstream, remotes }: Standing): string {
  if (branch === null) return "No branch is checked out";
  if (remotes.length === 0) return "The repository has no remote";
  if (upstream === null) return `${branch} was not pushed yet`;
  if (upstream.distance === null) return `${upstream.name} is not there, or was never fetched`;
  const { ahead, behind } = upstream.distance;
  if (ahead === 0 && behind === 0) return `As ${upstream.name}`;
  const words = [
    ahead > 0 && `${count(ahead, "commit")} that ${upstream.name} does not have`,
    behind > 0 && `${count(behind, "commit")} of ${upstream.name} that this branch does not have`,
  ];
  return words.filter(Boolean).join("; ");
}

/** Null: there is something to push. */
export function whyNoPush(standing: Standing): string | null {
  const { branch, head, upstream, remotes } = standing;
  if (head === null) return "There is no commit to push yet.";
  if (branch === null) return "No branch is checked out.";
  if (remotes.length === 0) return "The repository has no remote to push to.";
  if (upstream?.distance?.ahead === 0) return `${upstream.name} has everything already.`;
  return null;
}
