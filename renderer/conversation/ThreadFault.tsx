// What stands in the way of a thread that can still be read: its folder has gone, another program has it open, it could
// not be loaded. Below its text, where the next message would go.

import { ArchiveRestore, FolderGit2, FolderSearch, GitFork, RotateCcw, SquarePen } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useWorkspace } from "../state/appStore";
import { retryCleanup, showCleanup } from "../state/cleanups";
import { call } from "../state/connection";
import { newThread } from "../state/navigation";
import { forkThread, locateWorkspace, unarchiveThread } from "../state/threadActions";
import { useHead } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { recreateWorktree } from "../worktrees/actions";
import { FaultBlock } from "./FaultBlock";
import { type FaultAction, faultActions } from "./faultActions";

const icon = { size: 13, "aria-hidden": true } as const;

export function ThreadFault() {
  const fault = useHead((head) => head.fault);
  const threadKey = useHead((head) => head.key);
  const workspaceId = useHead((head) => head.workspaceId);
  const loading = useHead((head) => head.residency === "loading" || head.residency === "unloading");
  const inWorktree = (useWorkspace(workspaceId)?.parentWorkspaceId ?? null) !== null;
  const [busy, setBusy] = useState<FaultAction | null>(null);
  const archived = useHead((head) => head.archived);
  // Of an archived thread the composer says so, with the way back.
  if (!fault || (archived && fault.code === "thread_archived")) return null;
  const reload = () => attempt(call("threads.reload", { threadKey }));
  const work: Record<FaultAction, { label: string; icon: ReactNode; run(): Promise<unknown> }> = {
    locate: { label: "Locate…", icon: <FolderSearch {...icon} />, run: () => locateWorkspace(workspaceId) },
    recreate: {
      label: "Recreate from branch",
      icon: <FolderGit2 {...icon} />,
      run: () => recreateWorktree(workspaceId, "stay").then(reload),
    },
    retry: {
      label: "Retry",
      icon: <RotateCcw {...icon} />,
      run: reload,
    },
    fork: { label: "Fork", icon: <GitFork {...icon} />, run: () => forkThread(threadKey, workspaceId) },
    unarchive: {
      label: "Unarchive",
      icon: <ArchiveRestore {...icon} />,
      run: () => unarchiveThread(threadKey),
    },
    "clean up": {
      label: "Retry cleanup",
      icon: <RotateCcw {...icon} />,
      run: () => retryCleanup(workspaceId, reload),
    },
    "show cleanup": { label: "Show cleanup", icon: null, run: async () => showCleanup() },
    "new thread": { label: "New thread", icon: <SquarePen {...icon} />, run: () => newThread(workspaceId) },
  };
  const actions = faultActions(fault, inWorktree);
  return (
    <div className="shrink-0 px-6 pb-2">
      <div className="mx-auto max-w-190">
        <FaultBlock
          fault={fault}
          tone="warning"
          actions={
            actions.length === 0
              ? undefined
              : actions.map((action, index) => (
                  <Button
                    key={action}
                    tone={index === 0 ? "default" : "quiet"}
                    icon={work[action].icon}
                    busy={busy === action || (action === "retry" && loading)}
                    disabled={busy !== null}
                    onClick={() => {
                      setBusy(action);
                      void work[action].run().finally(() => setBusy(null));
                    }}
                  >
                    {work[action].label}
                  </Button>
                ))
          }
        />
      </div>
    </div>
  );
}
