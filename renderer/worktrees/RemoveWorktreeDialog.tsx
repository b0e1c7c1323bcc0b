// Shows what is in a worktree, and removes it when that is confirmed.
//
// Races, and what settles each:
// - What is in it changes after it was looked at: main looks again and refuses, and the dialog shows what is there now.
// - The dialog is closed while it is being removed: that goes on; what went wrong is said as of anything else.

import { useCallback, useEffect, useRef, useState } from "react";
import type { WorktreeFacts } from "../../preload/contract";
import type { FaultView } from "../../preload/contract/fault";
import type { Rows } from "../state/appCopy";
import { useRows, useWorkspace } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { goHome, goToWorkspace } from "../state/navigation";
import { showFault, toast } from "../state/toasts";
import { uiStore } from "../state/uiStore";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";
import { Findings } from "./Findings";
import { countOfWork } from "./work";

export interface RemoveWorktreeDialogProps {
  workspaceId: string;
  onClose: () => void;
}

type Look =
  | { state: "looking" }
  | { state: "seen"; facts: WorktreeFacts }
  | { state: "failed"; fault: FaultView };

export function RemoveWorktreeDialog({ workspaceId, onClose }: RemoveWorktreeDialogProps) {
  const workspace = useWorkspace(workspaceId);
  // It goes off the list when it is removed, a moment before this dialog.
  const name = useRef(workspace?.name ?? "");
  const parentId = useRef(workspace?.parentWorkspaceId ?? null);
  const [look, setLook] = useState<Look>({ state: "looking" });
  const [failed, setFailed] = useState<FaultView | null>(null);
  const [busy, setBusy] = useState(false);
  const open = useRef(true);
  const lookNow = useCallback(async () => {
    const seen = await call("worktrees.check", { workspaceId }).then(
      (facts): Look => ({ state: "seen", facts }),
      (error: unknown): Look => ({ state: "failed", fault: faultOf(error) }),
    );
    if (open.current) setLook(seen);
  }, [workspaceId]);
  useEffect(() => {
    open.current = true;
    void lookNow();
    return () => {
      open.current = false;
    };
  }, [lookNow]);
  const threads = useRows((rows) => threadsIn(rows, workspaceId));
  const hasWork = look.state === "seen" && countOfWork(look.facts) > 0;
  const remove = async () => {
    if (busy || look.state !== "seen") return;
    setBusy(true);
    setFailed(null);
    try {
      const { branch } = await call("worktrees.remove", { workspaceId, discard: hasWork });
      leave(workspaceId, parentId.current);
      toast(`Worktree removed. Its branch ${branch} stays.`, { tone: "ok" });
      if (open.current) onClose();
    } catch (error) {
      if (!open.current) {
        showFault(faultOf(error));
        return;
      }
      setFailed(faultOf(error));
      setBusy(false);
      await lookNow();
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove the worktree “${name.current}”?`}
      width="s"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="danger" busy={busy} disabled={look.state !== "seen"} onClick={() => void remove()}>
            {hasWork ? "Discard and remove" : "Remove worktree"}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {look.state === "looking" && (
          <p role="status" className="flex items-center gap-2 text-ink-2">
            <Spinner />
            Looking at what is in it
          </p>
        )}
        {look.state === "seen" && <Findings facts={look.facts} />}
        {look.state === "seen" && <ThreadsLeft count={threads} />}
        {look.state === "failed" && (
          <Notice
            live
            tone="error"
            title={look.fault.message}
            hint={look.fault.hint}
            detail={look.fault.detail}
          />
        )}
        {failed && look.state !== "failed" && (
          <Notice live tone="error" title={failed.message} hint={failed.hint} detail={failed.detail} />
        )}
      </div>
    </Dialog>
  );
}

/** Agents go with the threads that have started them. */
function threadsIn(rows: Rows, workspaceId: string): number {
  let count = 0;
  for (const row of rows.values())
    if (row.workspaceId === workspaceId && row.parentThreadId === null) count++;
  return count;
}

function ThreadsLeft({ count }: { count: number }) {
  if (count === 0) return null;
  const [whose, verb, they] =
    count === 1 ? ["Its thread", "goes", "it"] : [`Its ${count} threads`, "go", "they"];
  return (
    <p className="text-pretty text-ink-2">
      {whose} {verb} off the list with it. codex keeps what was said, and search finds it, but {they} cannot
      be opened or gone on with unless a worktree is in the same folder again. To have{" "}
      {count === 1 ? "it" : "them"} as a file, export {count === 1 ? "it" : "them"} first.
    </p>
  );
}

/** Where the person is when what they were looking at has gone. */
function leave(workspaceId: string, parentId: string | null): void {
  if (uiStore.getState().layout.workspaceId !== workspaceId) return;
  if (parentId === null) goHome();
  else goToWorkspace(parentId);
}
