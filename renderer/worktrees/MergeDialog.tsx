// Shows what merging a worktree's branch into that of the main checkout would do, and does it when that is confirmed.
//
// Races, and what settles each:
// - Something changes after it was looked at: main looks again. What it then refuses is said, and the dialog looks again too.
// - The dialog is closed while it is merged: that goes on; what came of it is said as of anything else.

import { useCallback, useEffect, useRef, useState } from "react";
import type { CallResult, WorktreeMergeFacts } from "../../preload/contract";
import type { FaultView } from "../../preload/contract/fault";
import { count } from "../conversation/time/durations";
import { useWorkspace } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { goToWorkspace } from "../state/navigation";
import { showFault, toast } from "../state/toasts";
import { showDialog } from "../state/uiStore";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";
import { SwitchControl, type SwitchControlProps } from "../ui/Switch";
import { TextField } from "../ui/TextField";
import { Names } from "./Findings";
import { counted } from "./work";

export interface MergeDialogProps {
  workspaceId: string;
  onClose: () => void;
}

type Look =
  | { state: "looking" }
  | { state: "seen"; facts: WorktreeMergeFacts }
  | { state: "failed"; fault: FaultView };

export function MergeDialog({ workspaceId, onClose }: MergeDialogProps) {
  const workspace = useWorkspace(workspaceId);
  const [look, setLook] = useState<Look>({ state: "looking" });
  const [failed, setFailed] = useState<FaultView | null>(null);
  const [merged, setMerged] = useState<CallResult<"worktrees.merge"> | null>(null);
  const [commits, setCommits] = useState(false);
  const [message, setMessage] = useState("");
  const [evenAtWork, setEvenAtWork] = useState(false);
  const [busy, setBusy] = useState(false);
  const open = useRef(true);
  const lookNow = useCallback(async () => {
    const seen = await call("worktrees.checkMerge", { workspaceId }).then(
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

  const facts = look.state === "seen" ? look.facts : null;
  const dirty = facts ? facts.changed.count + facts.untracked.count : 0;
  const willCommit = commits && dirty > 0;
  const why = whyNot(facts, { willCommit, message, evenAtWork });
  const merge = async () => {
    if (busy || facts === null || why !== null) return;
    setBusy(true);
    setFailed(null);
    try {
      const commit = willCommit ? message.trim() : null;
      const { into } = facts;
      const done = await call("worktrees.merge", { workspaceId, commit, into, evenAtWork });
      if (open.current) setMerged(done);
      else toast(`Merged into ${done.into}`, { tone: "ok", hint: mergedHint(done) });
    } catch (error) {
      if (!open.current) showFault(faultOf(error));
      else {
        setFailed(faultOf(error));
        await lookNow();
      }
    } finally {
      if (open.current) setBusy(false);
    }
  };
  const title = facts
    ? `Merge ${facts.branch} into ${facts.into}`
    : `Merge ${workspace?.name ?? "this worktree"}`;
  return (
    <Dialog
      open
      onClose={onClose}
      written={message.trim() !== "" && !busy && !merged}
      title={title}
      footer={
        merged ? (
          <>
            <Button tone="danger" onClick={() => showDialog({ kind: "removeWorktree", workspaceId })}>
              Remove the worktree…
            </Button>
            <Button tone="primary" onClick={onClose}>
              Keep it
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              tone="primary"
              busy={busy}
              disabled={why !== null}
              aria-description={why ?? undefined}
              onClick={() => void merge()}
            >
              Merge
            </Button>
          </>
        )
      }
    >
      <div className="grid gap-3">
        {look.state === "looking" && (
          <p role="status" className="flex items-center gap-2 text-ink-2">
            <Spinner />
            Looking at both checkouts
          </p>
        )}
        {look.state === "failed" && (
          <Notice
            live
            tone="error"
            title={look.fault.message}
            hint={look.fault.hint}
            detail={look.fault.detail}
          />
        )}
        {merged ? (
          <Notice
            live
            tone="info"
            title={`${count(merged.commits, "commit")} merged into ${merged.into}.`}
            hint={mergedHint(merged)}
          />
        ) : (
          facts && (
            <>
              <Ahead facts={facts} />
              {dirty > 0 && (
                <NotCommitted
                  facts={facts}
                  commits={commits}
                  message={message}
                  onCommits={setCommits}
                  onMessage={setMessage}
                />
              )}
              <InMain facts={facts} />
              {facts.atWork.length > 0 && (
                <Notice
                  tone="warning"
                  title={atWorkTitle(facts.atWork)}
                  hint="Merging changes files under it."
                  actions={
                    <Toggle label="Merge all the same" checked={evenAtWork} onChange={setEvenAtWork} />
                  }
                />
              )}
            </>
          )
        )}
        {failed && !merged && (
          <Notice
            live
            tone="error"
            title={failed.message}
            hint={failed.hint}
            detail={failed.detail}
            actions={facts?.mainWorkspaceId ? <OpenMain workspaceId={facts.mainWorkspaceId} /> : undefined}
          />
        )}
      </div>
    </Dialog>
  );
}

function mergedHint({ committed, into }: CallResult<"worktrees.merge">): string {
  if (committed === null) return "The worktree and its branch are as they were.";
  const { sha, branch, files } = committed;
  const what =
    files === 1 ? "The file that was not committed is" : `The ${files} files that were not committed are`;
  return `${what} commit ${sha.slice(0, 7)} now, on ${branch} and in ${into}. The worktree stays.`;
}

const places = { worktree: "this worktree", main: "the main checkout" };

function atWorkTitle(atWork: WorktreeMergeFacts["atWork"]): string {
  return `At work ${atWork.map(({ where, names }) => `in ${places[where]}: ${names.join(", ")}`).join("; ")}.`;
}

function whyNot(
  facts: WorktreeMergeFacts | null,
  { willCommit, message, evenAtWork }: { willCommit: boolean; message: string; evenAtWork: boolean },
): string | null {
  if (facts === null) return "It is not known yet what there is to merge.";
  if (facts.ahead.count === 0 && !willCommit) return "There is no commit to merge.";
  if (willCommit && message.trim() === "") return "Write a message for the commit.";
  if (facts.atWork.length > 0 && !evenAtWork) return atWorkTitle(facts.atWork);
  return null;
}

function Ahead({ facts: { ahead, into, behind } }: { facts: WorktreeMergeFacts }) {
  const listed = ahead.first.map(({ sha, subject }) => `${sha.slice(0, 7)} ${subject}`);
  return (
    <>
      {ahead.count === 0 ? (
        <p>{into} has all commits of this branch already.</p>
      ) : (
        <Names title={`${count(ahead.count, "commit")} to merge`} count={ahead.count} names={listed} />
      )}
      {behind > 0 && ahead.count > 0 && (
        <p className="text-ink-2">
          {into} has {count(behind, "commit")} that this branch does not have: there will be a merge commit.
        </p>
      )}
    </>
  );
}

interface NotCommittedProps {
  facts: WorktreeMergeFacts;
  commits: boolean;
  message: string;
  onCommits: (commits: boolean) => void;
  onMessage: (message: string) => void;
}

function NotCommitted({ facts, commits, message, onCommits, onMessage }: NotCommittedProps) {
  const { changed, untracked } = facts;
  return (
    <>
      <Names
        title={`${counted(changed.count + untracked.count, "file")} not committed in the worktree`}
        count={changed.count + untracked.count}
        names={[...changed.first, ...untracked.first]}
      />
      <Toggle label="Commit them first" checked={commits} onChange={onCommits} />
      {commits ? (
        <TextField
          label="Commit message"
          maxLength={10_000}
          value={message}
          onChange={onMessage}
          description="Hooks of the repository do not run."
        />
      ) : (
        <p className="text-s text-ink-3">Otherwise they stay as they are, and are not merged.</p>
      )}
    </>
  );
}

function InMain({ facts: { mainChanged } }: { facts: WorktreeMergeFacts }) {
  if (mainChanged.count === 0) return null;
  return (
    <>
      <Names
        title={`${counted(mainChanged.count, "file")} not committed in the main checkout`}
        count={mainChanged.count}
        names={mainChanged.first}
      />
      <p className="text-s text-ink-3">
        They stay as they are. If the merge would change one of them, git refuses.
      </p>
    </>
  );
}

function Toggle(control: SwitchControlProps) {
  return (
    <span className="flex items-center gap-2">
      <SwitchControl {...control} />
      <span aria-hidden>{control.label}</span>
    </span>
  );
}

function OpenMain({ workspaceId }: { workspaceId: string }) {
  return (
    <Button
      size="s"
      onClick={() => {
        showDialog(null);
        goToWorkspace(workspaceId);
      }}
    >
      Open the main workspace
    </Button>
  );
}
