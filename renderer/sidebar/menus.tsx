// What the menus of a row offer.

import {
  Archive,
  ArchiveRestore,
  Copy,
  FileDiff,
  FileDown,
  FileJson,
  FolderGit2,
  FolderOpen,
  FolderSearch,
  FoldVertical,
  GitFork,
  GitMerge,
  ListX,
  Pencil,
  Plus,
  RotateCw,
  ScrollText,
  SearchCheck,
  SquareArrowOutUpRight,
  Trash2,
  Wrench,
} from "lucide-react";
import { copyAsMarkdown, exportThread } from "../exporting/exports";
import { openInEditor } from "../files/openInEditor";
import { useRows, useThreadRow, useWorkspace } from "../state/appStore";
import { call } from "../state/connection";
import { forkOf, shortTitle } from "../state/forks";
import { goToChanges, newThread } from "../state/navigation";
import {
  archiveThread,
  compactThread,
  copyText,
  deleteThread,
  forkThread,
  locateWorkspace,
  removeWorkspace,
  restartSession,
  reveal,
  unarchiveThread,
} from "../state/threadActions";
import { useHead } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { showDialog, startRenaming, uiStore } from "../state/uiStore";
import { busyStates, canHaveWorktrees } from "../state/words";
import { MenuItem, MenuSeparator } from "../ui/Menu";
import { recreateWorktree, showSetupOutput } from "../worktrees/actions";

const icon = { size: 14 } as const;

export function ThreadMenu({ threadId, where }: { threadId: string; where: "list" | "head" }) {
  const row = useThreadRow(threadId);
  const fork = useRows((rows) => forkOf(rows, threadId));
  if (!row) return null;
  const isChild = row.parentThreadId !== null;
  const isBusy = busyStates.has(row.state);
  return (
    <>
      <MenuItem
        icon={<Pencil {...icon} />}
        shortcut={where === "list" ? "f2" : undefined}
        onSelect={() => startRenaming({ what: "thread", threadKey: threadId, where })}
      >
        Rename
      </MenuItem>
      <MenuItem icon={<GitFork {...icon} />} onSelect={() => void forkThread(threadId, row.workspaceId)}>
        Fork
      </MenuItem>
      <MenuItem icon={<FileDown {...icon} />} onSelect={() => void exportThread(threadId, "markdown")}>
        Export as Markdown…
      </MenuItem>
      <MenuItem icon={<FileJson {...icon} />} onSelect={() => void exportThread(threadId, "json")}>
        Export as JSON…
      </MenuItem>
      <MenuItem icon={<Copy {...icon} />} onSelect={() => void copyAsMarkdown(threadId)}>
        Copy as Markdown
      </MenuItem>
      {where === "head" && <TurnsOf threadId={threadId} isChild={isChild} />}
      {where === "head" && <SetupOf workspaceId={row.workspaceId} />}
      <MenuItem icon={<Copy {...icon} />} onSelect={() => void copyText(threadId, "Thread id")}>
        Copy thread id
      </MenuItem>
      <MenuSeparator />
      {row.archived ? (
        <MenuItem icon={<ArchiveRestore {...icon} />} onSelect={() => void unarchiveThread(threadId)}>
          Bring back from the archive
        </MenuItem>
      ) : (
        <MenuItem
          icon={<Archive {...icon} />}
          shortcut={where === "list" ? "delete" : undefined}
          disabled={isChild}
          onSelect={() => void archiveThread(threadId)}
        >
          Archive
        </MenuItem>
      )}
      <MenuItem
        icon={<Trash2 {...icon} />}
        tone="danger"
        shortcut={where === "list" ? "shift+delete" : undefined}
        disabled={isChild || isBusy || fork !== null}
        description={
          isBusy
            ? "When it has been stopped"
            : fork !== null
              ? `Not while its fork “${shortTitle(fork)}” exists`
              : undefined
        }
        onSelect={() => void deleteThread(threadId)}
      >
        Delete…
      </MenuItem>
    </>
  );
}

/** What codex does in the shown thread without a message. */
function TurnsOf({ threadId, isChild }: { threadId: string; isChild: boolean }) {
  const workspaceId = useHead((head) => head.workspaceId);
  const running = useHead((head) => head.run !== null);
  const archived = useHead((head) => head.archived);
  const disabled = running || archived || isChild;
  const why = running
    ? "When the turn has ended"
    : isChild
      ? "Only the agent above can ask it to"
      : archived
        ? "When it is back from the archive"
        : undefined;
  return (
    <>
      <MenuItem
        icon={<SearchCheck {...icon} />}
        disabled={disabled}
        description={why}
        onSelect={() => showDialog({ kind: "review", threadKey: threadId, workspaceId })}
      >
        Review…
      </MenuItem>
      <MenuItem
        icon={<FoldVertical {...icon} />}
        disabled={disabled}
        description={why}
        onSelect={() => void compactThread(threadId)}
      >
        Compact
      </MenuItem>
    </>
  );
}

/** Nothing for a thread that is in no worktree of Holdfast's. */
function SetupOf({ workspaceId }: { workspaceId: string }) {
  const workspace = useWorkspace(workspaceId);
  if (!workspace || workspace.parentWorkspaceId === null) return null;
  return (
    <MenuItem icon={<ScrollText {...icon} />} onSelect={() => showSetupOutput(workspace)}>
      Output of the worktree's set-up
    </MenuItem>
  );
}

export function toggleArchived(workspaceId: string): void {
  const archivedOf = new Set(uiStore.getState().archivedOf);
  if (archivedOf.delete(workspaceId)) {
    uiStore.setState({ archivedOf });
    return;
  }
  archivedOf.add(workspaceId);
  uiStore.setState({ archivedOf });
  void attempt(call("threads.loadMore", { workspaceId, archived: true }));
}

export function WorkspaceMenu({ workspaceId }: { workspaceId: string }) {
  const workspace = useWorkspace(workspaceId);
  const archived = uiStore((store) => store.archivedOf.has(workspaceId));
  const mainBranch = useWorkspace(workspace?.parentWorkspaceId ?? null)?.git?.branch;
  if (!workspace) return null;
  const isWorktree = workspace.parentWorkspaceId !== null;
  return (
    <>
      {workspace.gone ? (
        <>
          <MenuItem icon={<FolderSearch {...icon} />} onSelect={() => void locateWorkspace(workspaceId)}>
            Locate…
          </MenuItem>
          {isWorktree && (
            <MenuItem icon={<FolderGit2 {...icon} />} onSelect={() => void recreateWorktree(workspaceId)}>
              Recreate from branch
            </MenuItem>
          )}
        </>
      ) : (
        <>
          <MenuItem icon={<Plus {...icon} />} onSelect={() => void newThread(workspaceId)}>
            New thread here
          </MenuItem>
          <MenuItem
            icon={<FileDiff {...icon} />}
            shortcut="mod+alt+g"
            onSelect={() => goToChanges(workspaceId, { source: "folder" })}
          >
            Changes
          </MenuItem>
          {canHaveWorktrees(workspace) && (
            <MenuItem
              icon={<FolderGit2 {...icon} />}
              onSelect={() => showDialog({ kind: "newWorktree", workspaceId })}
            >
              New worktree…
            </MenuItem>
          )}
          {canHaveWorktrees(workspace) && (
            <MenuItem
              icon={<Wrench {...icon} />}
              onSelect={() => showDialog({ kind: "worktreeSetup", workspaceId })}
            >
              Worktree set-up…
            </MenuItem>
          )}
          {isWorktree && (
            <MenuItem icon={<ScrollText {...icon} />} onSelect={() => showSetupOutput(workspace)}>
              Output of the set-up
            </MenuItem>
          )}
          {isWorktree && (
            <MenuItem
              icon={<GitMerge {...icon} />}
              onSelect={() => showDialog({ kind: "mergeWorktree", workspaceId })}
            >
              {`Merge into ${mainBranch ?? "the main checkout"}…`}
            </MenuItem>
          )}
          <MenuItem
            icon={<SquareArrowOutUpRight {...icon} />}
            shortcut="mod+alt+o"
            onSelect={() => void openInEditor({ workspaceId, path: null })}
          >
            Open in my editor
          </MenuItem>
          <MenuItem icon={<FolderOpen {...icon} />} onSelect={() => void reveal(workspace.path)}>
            Show in the file manager
          </MenuItem>
        </>
      )}
      <MenuItem icon={<Copy {...icon} />} onSelect={() => void copyText(workspace.path, "Path")}>
        Copy path
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Pencil {...icon} />}
        shortcut="f2"
        onSelect={() => startRenaming({ what: "workspace", workspaceId })}
      >
        Rename
      </MenuItem>
      <MenuItem icon={<Archive {...icon} />} onSelect={() => toggleArchived(workspaceId)}>
        {archived ? "Hide archived threads" : "Show archived threads"}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<RotateCw {...icon} />}
        disabled={workspace.gone}
        onSelect={() => void restartSession(workspaceId)}
      >
        Restart codex
      </MenuItem>
      <MenuItem
        icon={<ScrollText {...icon} />}
        onSelect={() =>
          showDialog({
            kind: "log",
            log: { log: "session", workspaceId },
            title: `Log of codex in ${workspace.name}`,
          })
        }
      >
        Show log
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<ListX {...icon} />} onSelect={() => void removeWorkspace(workspaceId)}>
        Remove from list…
      </MenuItem>
      {isWorktree && (
        <MenuItem
          icon={<Trash2 {...icon} />}
          tone="danger"
          onSelect={() => showDialog({ kind: "removeWorktree", workspaceId })}
        >
          Remove worktree…
        </MenuItem>
      )}
    </>
  );
}
