// The middle pane when a workspace is chosen but no thread: the workspace itself, or what is wrong with it.

import { CircleAlert, FolderOpen, FolderX, ScrollText, SquareArrowOutUpRight, SquarePen } from "lucide-react";
import type { WorkspaceView } from "../../preload/contract/app";
import type { FaultView } from "../../preload/contract/fault";
import { openInEditor } from "../files/openInEditor";
import { CleanupActions } from "../inspector/CleanupActions";
import { useApp, useRows, useThreadRow } from "../state/appStore";
import { isCleanupPending } from "../state/cleanupPending";
import { call } from "../state/connection";
import { goToThread, newThread } from "../state/navigation";
import { locateWorkspace, removeWorkspace, restartSession, reveal } from "../state/threadActions";
import { attempt } from "../state/toasts";
import { showDialog } from "../state/uiStore";
import { useAge } from "../state/useAge";
import { branchOf, lookOf, shortPath } from "../state/words";
import { Button } from "../ui/Button";
import { Details } from "../ui/Details";
import { Drawn } from "../ui/Drawn";
import { Said } from "../ui/Said";
import { StatusDot } from "../ui/StatusDot";
import { TitleText } from "../ui/TitleText";
import { recreateWorktree } from "../worktrees/actions";
import { Page, PageHead, PageSection } from "./Page";

export function WorkspaceHome({ workspace }: { workspace: WorkspaceView }) {
  const { session } = workspace;
  if (workspace.gone) return <GoneWorkspace workspace={workspace} />;
  if (session.state === "disconnected") return <SessionFault workspace={workspace} fault={session.fault} />;
  return <Overview workspace={workspace} />;
}

function Overview({ workspace }: { workspace: WorkspaceView }) {
  const home = useApp((app) => app.home);
  const branch = branchOf(workspace);
  const recent = useRecent(workspace.id);
  return (
    <Page>
      <PageHead title={workspace.name}>
        <p className="font-mono text-s text-ink-3 selectable">
          {shortPath(workspace.path, home)}
          {branch !== null && ` ⎇ ${branch}`}
        </p>
      </PageHead>
      <div className="flex flex-wrap gap-2">
        <Button
          tone="primary"
          size="l"
          icon={<SquarePen aria-hidden size={15} />}
          shortcut="mod+n"
          onClick={() => void newThread(workspace.id)}
        >
          Start a thread
        </Button>
        <Button
          size="l"
          tone="quiet"
          icon={<FolderOpen aria-hidden size={15} />}
          onClick={() => void reveal(workspace.path)}
        >
          Show folder
        </Button>
        <Button
          size="l"
          tone="quiet"
          icon={<SquareArrowOutUpRight aria-hidden size={14} />}
          onClick={() => void openInEditor({ workspaceId: workspace.id, path: null })}
        >
          Open in my editor
        </Button>
      </div>
      {recent.length > 0 && (
        <PageSection title="Recent threads">
          <ul className="-mx-2">
            {recent.map((threadId) => (
              <Recent key={threadId} threadId={threadId} />
            ))}
          </ul>
        </PageSection>
      )}
    </Page>
  );
}

const mostRecent = 6;

function useRecent(workspaceId: string): string[] {
  const joined = useRows((rows) =>
    [...rows.values()]
      .filter((row) => row.workspaceId === workspaceId && !row.archived && row.parentThreadId === null)
      .sort((a, b) => b.updatedAtMs - a.updatedAtMs)
      .slice(0, mostRecent)
      .map((row) => row.threadId)
      .join("\n"),
  );
  return joined === "" ? [] : joined.split("\n");
}

function Recent({ threadId }: { threadId: string }) {
  const row = useThreadRow(threadId);
  const age = useAge(row?.updatedAtMs ?? 0);
  if (!row) return null;
  const look = lookOf(row);
  return (
    <li>
      <button
        type="button"
        aria-label={`${row.title}, ${row.state}`}
        onClick={() => goToThread(row.workspaceId, threadId)}
        className="ring-inset grid h-(--h-row) w-full grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-2 rounded-s px-2 text-left hover:bg-hover"
      >
        <StatusDot tone={look.tone} className="justify-self-center" />
        <TitleText title={row.title} />
        <Drawn text={look.brief ?? age} className="text-xs text-ink-3 tabular" />
      </button>
    </li>
  );
}

function GoneWorkspace({ workspace }: { workspace: WorkspaceView }) {
  return (
    <Page>
      <PageHead
        icon={<FolderX aria-hidden size={32} className="text-warn" />}
        title="This folder is not there any more"
      >
        <p>It was moved, renamed or deleted, or its disk is not connected. Its threads are kept.</p>
        <p className="mt-2 font-mono text-s break-all text-ink-3 selectable">{workspace.path}</p>
      </PageHead>
      <div className="flex gap-2">
        <Button tone="primary" size="l" onClick={() => void locateWorkspace(workspace.id)}>
          Locate…
        </Button>
        {workspace.parentWorkspaceId !== null && (
          <Button size="l" onClick={() => void recreateWorktree(workspace.id)}>
            Recreate from branch
          </Button>
        )}
        <Button size="l" onClick={() => void removeWorkspace(workspace.id)}>
          Remove from list
        </Button>
      </div>
    </Page>
  );
}

/** codex does not run here: a broken configuration, a crash at the start. Calm, and with a way on. */
export function SessionFault({ workspace, fault }: { workspace: WorkspaceView; fault: FaultView }) {
  return (
    <Page>
      <PageHead
        icon={<CircleAlert aria-hidden size={32} className="text-bad" />}
        title={`codex does not run in ${workspace.name}`}
      >
        <p className="break-words whitespace-pre-wrap selectable">
          <Said>{fault.message}</Said>
        </p>
        {fault.hint && (
          <p className="mt-1 selectable">
            <Said>{fault.hint}</Said>
          </p>
        )}
      </PageHead>
      <div className="flex flex-wrap gap-2">
        <SessionFaultActions workspace={workspace} fault={fault} />
      </div>
      {fault.detail && <Details text={fault.detail} />}
    </Page>
  );
}

export function SessionFaultActions({ workspace, fault }: { workspace: WorkspaceView; fault: FaultView }) {
  const { path } = fault;
  const { id: workspaceId, gone } = workspace;
  const canRecreate = gone && workspace.parentWorkspaceId !== null;
  const recreate = async () => {
    if (await recreateWorktree(workspaceId, "stay")) await restartSession(workspaceId);
  };
  return (
    <>
      {canRecreate && (
        <Button tone="primary" once onClick={() => void recreate()}>
          Recreate from branch
        </Button>
      )}
      {gone && (
        <Button tone={canRecreate ? "default" : "primary"} onClick={() => void locateWorkspace(workspaceId)}>
          Locate…
        </Button>
      )}
      {isCleanupPending(fault) ? (
        <CleanupActions
          tone="primary"
          workspaceId={workspaceId}
          goOn={() => attempt(call("workspaces.show", { workspaceId }))}
        />
      ) : (
        <Button tone={gone ? "default" : "primary"} onClick={() => void restartSession(workspaceId)}>
          Try again
        </Button>
      )}
      {path !== undefined && (
        <Button icon={<FolderOpen aria-hidden size={14} />} onClick={() => void reveal(path)}>
          Reveal file
        </Button>
      )}
      <Button
        tone="quiet"
        icon={<ScrollText aria-hidden size={14} />}
        onClick={() =>
          showDialog({
            kind: "log",
            log: { log: "session", workspaceId: workspace.id },
            title: `Log of codex in ${workspace.name}`,
          })
        }
      >
        Show log
      </Button>
    </>
  );
}
