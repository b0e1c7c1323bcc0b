import { ChevronRight, Ellipsis, FlaskConical, FolderX, GitBranch, Plus } from "lucide-react";
import { type MouseEvent, memo } from "react";
import { useWorkspace } from "../state/appStore";
import { newThread } from "../state/navigation";
import { renameWorkspace } from "../state/threadActions";
import { startRenaming, toggleCollapsed, uiStore } from "../state/uiStore";
import { branchOf } from "../state/words";
import { cx } from "../ui/cx";
import { Drawn } from "../ui/Drawn";
import { StatusDot } from "../ui/StatusDot";
import { RenameField } from "./RenameField";
import { Marked } from "./ThreadRowView";

export interface WorkspaceRowProps {
  workspaceId: string;
  expanded: boolean;
  filter: string;
  onMenu: (event: MouseEvent) => void;
}

/**
 * What is inside the treeitem of a workspace. Its buttons are for the pointer; the keyboard has the same in the row's menu,
 * and folds with the arrow keys, so they are no stops of their own.
 */
export const WorkspaceRowView = memo(function WorkspaceRowView({
  workspaceId,
  expanded,
  filter,
  onMenu,
}: WorkspaceRowProps) {
  const workspace = useWorkspace(workspaceId);
  const renaming = uiStore(
    (store) => store.renaming?.what === "workspace" && store.renaming.workspaceId === workspaceId,
  );
  if (!workspace) return null;
  const branch = branchOf(workspace);
  const isWorktree = workspace.parentWorkspaceId !== null;
  const { session } = workspace;
  const troubled = session.state === "disconnected" || session.state === "reconnecting";
  return (
    <span
      className={cx(
        "group/row flex h-full items-center gap-1 pr-2 text-xs font-semibold text-ink-3",
        isWorktree ? "pl-4" : "pl-1.5",
      )}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={expanded ? `Fold ${workspace.name}` : `Unfold ${workspace.name}`}
        title={expanded ? "Fold" : "Unfold"}
        onClick={(event) => {
          event.stopPropagation();
          toggleCollapsed(workspaceId, expanded);
        }}
        className="-my-1 -ml-1 grid size-5 shrink-0 place-items-center rounded-xs hover:bg-pressed hover:text-ink"
      >
        <ChevronRight aria-hidden size={12} className={cx("transition-transform", expanded && "rotate-90")} />
      </button>
      {renaming ? (
        <RenameField
          label={`Rename ${workspace.name}`}
          name={workspace.name}
          onRename={(name) => void renameWorkspace(workspaceId, name)}
          onDone={() => startRenaming(null)}
        />
      ) : (
        <>
          {isWorktree && <GitBranch aria-hidden size={12} className="shrink-0" />}
          <span className={cx("truncate tracking-[0.01em]", !workspace.gone && "text-ink-2")}>
            <Marked text={workspace.name} filter={filter} />
          </span>
          {workspace.demo && <FlaskConical aria-hidden size={12} className="shrink-0 text-accent" />}
          {workspace.gone && <FolderX aria-hidden size={12} className="shrink-0 text-warn" />}
          {troubled && (
            <StatusDot tone={session.state === "disconnected" ? "bad" : "warn"} className="ml-0.5" />
          )}
          <span className="relative ml-auto flex h-full min-w-12 items-center justify-end">
            {/* A worktree is named after its branch. */}
            {branch !== null && branch !== workspace.name && (
              <Drawn
                text={branch}
                className="max-w-32 truncate font-mono font-normal group-hover/row:invisible"
              />
            )}
            <span className="invisible absolute right-0 flex gap-0.5 group-hover/row:visible">
              {!workspace.gone && (
                <PointerButton
                  label={`New thread in ${workspace.name}`}
                  onPress={() => void newThread(workspaceId)}
                >
                  <Plus size={14} />
                </PointerButton>
              )}
              <PointerButton label={`More about ${workspace.name}`} onPress={onMenu}>
                <Ellipsis size={14} />
              </PointerButton>
            </span>
          </span>
        </>
      )}
    </span>
  );
});

interface PointerButtonProps {
  label: string;
  onPress: (event: MouseEvent) => void;
  children: React.ReactNode;
}

function PointerButton({ label, onPress, children }: PointerButtonProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      onClick={(event) => {
        event.stopPropagation();
        onPress(event);
      }}
      className="grid size-5 place-items-center rounded-xs text-ink-2 hover:bg-pressed hover:text-ink"
    >
      {children}
    </button>
  );
}
