import { RotateCcw, Square } from "lucide-react";
import { useState } from "react";
import type { FaultView } from "../../preload/contract/fault";
import { limitLine } from "../codex/usageWords";
import { useBlocked } from "../composer/useBlocked";
import { CleanupActions } from "../inspector/CleanupActions";
import { useApp } from "../state/appStore";
import { isCleanupPending } from "../state/cleanupPending";
import { call } from "../state/connection";
import { goToCodex } from "../state/navigation";
import { shownCopy, useHead, useThread, useThreadKey, useTurn } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { Said } from "../ui/Said";
import { answerOf, isAnswered } from "./answerOf";
import { CopyButton } from "./CopyButton";
import { FaultBlock } from "./FaultBlock";
import { goToLatest } from "./list/latest";
import { hasMessage } from "./revertWords";
import { TurnMenu } from "./TurnMenu";
import { afterWords, between, durationWords } from "./time/durations";
import { useTicking } from "./time/useNow";
import { endingOf, endingWords } from "./turnEnding";

/** What stands below a turn that has ended: how it ended, how long it took, and what can be done from here. */
export function TurnEnd({ turnId, last }: { turnId: string; last: boolean }) {
  const turn = useTurn(turnId);
  const withMessage = useThread((copy) => hasMessage(copy, turnId));
  const answered = useThread((copy) => isAnswered(copy, turnId));
  const fault = useHead((head) => head.fault);
  const ending = turn ? endingOf(turn, last, fault) : null;
  if (!turn || ending === null) return null;
  const took = turn.durationMs ?? between(turn.startedAtMs, turn.completedAtMs);
  const words = endingWords[ending];
  const answer = () => answerOf(shownCopy(), turnId);
  return (
    <section
      aria-label={`End of turn: ${words.toLowerCase()}`}
      className="group/end grid grid-cols-[minmax(0,1fr)] gap-2"
    >
      {ending === "failed" && (
        <FaultBlock
          fault={
            turn.fault ?? {
              code: "turn_failed",
              message: "The turn failed, and codex did not say why.",
              hint: "The log of codex may say more.",
              retryable: true,
            }
          }
          actions={
            last ? (
              <>
                <RetryTurn fault={turn.fault} />
                {turn.fault?.code === "turn_usageLimitExceeded" && <ShowUsage />}
              </>
            ) : undefined
          }
        />
      )}
      {ending === "unknown" && (
        <p className="text-s text-ink-2">The other program may still be at work in this turn.</p>
      )}
      {ending === "interrupted" && (turn.fault !== null || last) && (
        <p className="flex flex-wrap items-center gap-2 text-s text-ink-2">
          <Square aria-hidden size={11} className="shrink-0 fill-current text-ink-3" />
          <span>
            <Said>{turn.fault?.message ?? "The turn was stopped before its end."}</Said>
          </span>
          {turn.fault?.hint !== undefined && (
            <span className="text-ink-3">
              <Said>{turn.fault.hint}</Said>
            </span>
          )}
          {last && <RetryTurn fault={turn.fault} />}
        </p>
      )}
      <div className="-ml-1 flex h-6 items-center gap-0.5 text-xs text-ink-3">
        <span className="pr-1 pl-1 tabular">
          {words}
          {took !== null && ` ${ending === "completed" ? `in ${durationWords(took)}` : afterWords(took)}`}
        </span>
        <span className="flex opacity-0 transition-opacity group-hover/end:opacity-100 has-focus-visible:opacity-100 has-data-popup-open:opacity-100">
          {answered && <CopyButton label="Copy the answer" text={answer} />}
          <TurnMenu
            turnId={turnId}
            copy={answered ? { label: "Copy the answer", what: "Answer", text: answer } : null}
            hasMessage={withMessage}
          />
        </span>
      </div>
    </section>
  );
}

/** When there is more to use again, as far as codex has said; the page has the rest. */
function ShowUsage() {
  const limits = useApp((app) => app.limits);
  const line = useTicking((nowMs) => limitLine(limits, nowMs)?.words ?? "");
  return (
    <>
      <Button tone="quiet" onClick={() => goToCodex("usage")}>
        Show usage
      </Button>
      {line !== "" && <span className="self-center text-s text-ink-2 tabular">{line}</span>}
    </>
  );
}

function RetryTurn({ fault }: { fault: FaultView | null }) {
  const threadKey = useThreadKey();
  const workspaceId = useHead((head) => head.workspaceId);
  const blocked = useBlocked();
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    goToLatest(threadKey);
    await attempt(call("turns.retry", { threadKey }));
    setBusy(false);
  };
  if (isCleanupPending(fault)) return <CleanupActions workspaceId={workspaceId} goOn={retry} />;
  // Nothing can be sent, so nothing can be sent again; why is said where one would write.
  if (blocked !== null) return null;
  return (
    <Button busy={busy} icon={<RotateCcw aria-hidden size={13} />} onClick={() => void retry()}>
      Retry
    </Button>
  );
}
