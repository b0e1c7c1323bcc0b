import { FolderGit2 } from "lucide-react";
import { MenuChip } from "../../composer/MenuChip";
import { useApp, useWorkspace } from "../../state/appStore";
import { useHead } from "../../state/threadStore";
import { showDialog } from "../../state/uiStore";
import { shortPath } from "../../state/words";
import { MenuButton, MenuChoices, MenuItem, MenuSeparator } from "../../ui/Menu";
import { chooseWhere, useCanChooseWhere, useInWorktree } from "./choice";

/** Beside the other settings of a thread that has not begun: where it begins. */
export function WhereMenu() {
  const canChoose = useCanChooseWhere();
  const inWorktree = useInWorktree();
  const workspaceId = useHead((head) => head.workspaceId);
  const workspace = useWorkspace(workspaceId);
  const home = useApp((app) => app.home);
  if (!canChoose || !workspace) return null;
  return (
    <MenuButton
      side="top"
      button={
        <MenuChip what="Where" rank="where" icon={<FolderGit2 aria-hidden size={12} />}>
          {inWorktree ? "New worktree" : "This folder"}
        </MenuChip>
      }
    >
      <MenuChoices
        label="This thread begins in"
        value={inWorktree ? "worktree" : "here"}
        choices={[
          { value: "here", label: "This folder", description: shortPath(workspace.path, home) },
          {
            value: "worktree",
            label: "New worktree",
            description: "A folder of its own on a new branch",
          },
        ]}
        onChange={(where) => chooseWhere(workspaceId, where)}
      />
      <MenuSeparator />
      <MenuItem
        icon={<FolderGit2 size={14} />}
        onSelect={() => showDialog({ kind: "worktreeSetup", workspaceId })}
      >
        Worktree set-up…
      </MenuItem>
    </MenuButton>
  );
}
