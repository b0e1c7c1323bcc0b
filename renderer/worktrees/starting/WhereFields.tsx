// Above the field for the first message of a thread that is to begin in a worktree: its branch, and what that begins at.

import { GitBranch } from "lucide-react";
import { useWorkspace } from "../../state/appStore";
import { useHead, useThreadKey } from "../../state/threadStore";
import { TextField } from "../../ui/TextField";
import { changeWish, useInWorktree, useWish } from "./choice";
import { proposeBranch } from "./proposal";

export function WhereFields({ text }: { text: string }) {
  const threadKey = useThreadKey();
  const inWorktree = useInWorktree();
  const workspace = useWorkspace(useHead((head) => head.workspaceId));
  const wish = useWish(threadKey);
  if (!inWorktree) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it stands in a composer, not in a form
    <div
      role="group"
      aria-label="New worktree"
      className="mb-2 grid grid-cols-1 items-end gap-2 @md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
    >
      <TextField
        label="Branch"
        mono
        maxLength={200}
        before={<GitBranch aria-hidden size={13} className="shrink-0" />}
        value={wish.branch ?? proposeBranch(text)}
        onChange={(branch) => changeWish(threadKey, { branch: branch === "" ? null : branch })}
      />
      <TextField
        label="Begin at"
        mono
        maxLength={500}
        placeholder={workspace?.git?.branch ?? "HEAD"}
        title="A branch, a tag or a commit. Without one: the commit that is checked out."
        value={wish.base}
        onChange={(base) => changeWish(threadKey, { base })}
      />
    </div>
  );
}
