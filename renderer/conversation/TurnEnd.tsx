import { GitFork, RotateCcw, Square } from "lucide-react";
import { useState } from "react";
import type { FaultView } from "../../preload/contract/fault";
import { CleanupActions } from "../inspector/CleanupActions";
import { isCleanupPending } from "../state/cleanupPending";
import { call } from "../state/connection";
import { goToThread } from "../state/navigation";
import { shownCopy, useHead, useThreadKey, useTurn } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { answerOf } from "./answerOf";
import { CopyButton } from "./CopyButton";
import { FaultBlock } from "./FaultBlock";
import { between, durationWords } from "./time/durations";

/** What stands below a turn that has ended: how it ended, how long it took, and what can be done from here. */
export function TurnEnd({ turnId, last }: { turnId: string; last: boolean }) {
  const turn = useTurn(turnId);
  const threadKey = useHead((head) => head.key);
  const workspaceId = useHead((head) => head.workspaceId);
  const isThread = useHead((head) => head.threadId !== null);
  if (!turn || turn.status === "running") return null;
  const took = turn.durationMs ?? between(turn.startedAtMs, turn.completedAtMs);
  const fork = async () => {
    const made = await attempt(call("threads.fork", { threadKey, lastTurnId: turnId }));
    if (made) goToThread(workspaceId, made.threadKey);
  };
  const words = turn.status === "completed" ? "Done" : turn.status === "failed" ? "Failed" : "Interrupted";
  return (
    <section
      aria-label={`End of turn: ${words.toLowerCase()}`}
      className="group/end grid grid-cols-[minmax(0,1fr)] gap-2"
    >
      {turn.status === "failed" && (
        <FaultBlock
          fault={
            turn.fault ?? {
              code: "turn_failed",
              message: "The turn failed, and codex did not say why.",
              hint: "The log of codex may say more.",
              retryable: true,
            }
          }
          actions={last ? <RetryTurn fault={turn.fault} /> : undefined}
        />
      )}
      {turn.status === "interrupted" && (turn.fault !== null || last) && (
        <p className="flex flex-wrap items-center gap-2 text-s text-ink-2">
          <Square aria-hidden size={11} className="shrink-0 fill-current text-ink-3" />
          {turn.fault?.message ?? "The turn was stopped before its end."}
          {turn.fault?.hint !== undefined && <span className="text-ink-3">{turn.fault.hint}</span>}
          {last && <RetryTurn fault={turn.fault} />}
        </p>
      )}
      <div className="-ml-1 flex h-6 items-center gap-0.5 text-xs text-ink-3">
        <span className="pr-1 pl-1 tabular">
          {words}
          {took !== null && ` ${turn.status === "completed" ? "in" : "after"} ${durationWords(took)}`}
        </span>
        <span className="flex opacity-0 transition-opacity group-hover/end:opacity-100 has-focus-visible:opacity-100">
          <CopyButton label="Copy the answer" text={() => answerOf(shownCopy(), turnId)} />
          {isThread && (
            <IconButton
              label="Fork from here"
              size="s"
              icon={<GitFork size={13} />}
              onClick={() => void fork()}
            />
          )}
        </span>
      </div>
    </section>
  );
}

function RetryTurn({ fault }: { fault: FaultView | null }) {
  const threadKey = useThreadKey();
  const workspaceId = useHead((head) => head.workspaceId);
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    await attempt(call("turns.retry", { threadKey }));
    setBusy(false);
  };
  if (isCleanupPending(fault)) return <CleanupActions workspaceId={workspaceId} goOn={retry} />;
  return (
    <Button busy={busy} icon={<RotateCcw aria-hidden size={13} />} onClick={() => void retry()}>
      Retry
    </Button>
  );
}
