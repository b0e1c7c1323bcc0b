import { Folder, MessageCircleWarning, X } from "lucide-react";
import { showRequest } from "../../approvals/shownRequest";
import { Elapsed } from "../../conversation/items/Elapsed";
import { count } from "../../conversation/time/durations";
import { instantWords } from "../../state/age";
import { appCopy, useApp, useRows } from "../../state/appStore";
import { goToThread } from "../../state/navigation";
import { shownRun, useRun } from "../../state/runStore";
import { useAge } from "../../state/useAge";
import { isUnderWay, runTones } from "../../state/words";
import { Chip } from "../../ui/Chip";
import { IconButton } from "../../ui/IconButton";
import { StatusDot } from "../../ui/StatusDot";
import { CopyOutput } from "./Output";
import { RunActions, RunAgain } from "./RunActions";
import { agoWords, tookWords, waitingFor } from "./runWords";
import { threadNeeds } from "./threadNeeds";

export interface RunHeaderProps {
  /** The output has no head of its own that would have the button. */
  copies: boolean;
  onClose?: () => void;
}

/** How the run stands, since when, where, and what can be done with it. What it is a run of stands above it. */
export function RunHeader({ copies, onClose }: RunHeaderProps) {
  const workspaceName = useRun((copy) => copy.head.workspaceName);
  const state = useRun((copy) => copy.head.state);
  const waits = useRun((copy) => (isUnderWay(copy.head.state) ? waitingFor(copy.calls) : null));
  return (
    <header className="@container flex h-11 shrink-0 items-center gap-1.5 border-b border-line pr-2.5 pl-4 text-s text-ink-2">
      <span role="status" aria-label="Run" className="flex shrink-0 items-center gap-2 text-m">
        <StatusDot tone={runTones[state]} />
        <span className="font-semibold text-ink">{state}</span>
      </span>
      <Time />
      {waits !== null && (
        <span className="min-w-0 truncate" title={`Waits for ${waits}`}>
          · waits for {waits}
        </span>
      )}
      <ThreadsInNeed />
      <RunAgain />
      <span className="flex-1" />
      {/* Around it, since a chip has a display of its own. */}
      <span className="mr-1 hidden max-w-50 min-w-0 @min-[40rem]:flex">
        <Chip mono title={`In ${workspaceName}`} icon={<Folder aria-hidden size={11} />}>
          {workspaceName}
        </Chip>
      </span>
      {copies && <CopyOutput />}
      <RunActions />
      {onClose && (
        <IconButton
          label="Close the run"
          side="left"
          icon={<X size={15} />}
          onClick={onClose}
          className="-ml-1"
        />
      )}
    </header>
  );
}

/** Leads to the one that has waited longest. */
function ThreadsInNeed() {
  const threads = useRun((copy) => copy.head.threads);
  const waiting = useApp((app) => app.waiting);
  const amount = useRows((rows) => threadNeeds(threads, waiting, rows).length);
  if (amount === 0) return null;
  const go = () => {
    const copy = appCopy();
    const head = shownRun()?.head;
    const [first] = copy && head ? threadNeeds(head.threads, copy.app.waiting, copy.rows) : [];
    if (!copy || !head || !first) return;
    showRequest(first.key);
    goToThread(copy.rows.get(first.threadId)?.workspaceId ?? head.workspaceId, first.threadId);
  };
  return (
    <button
      type="button"
      onClick={go}
      title="Go to what has waited longest"
      className="flex h-6 min-w-0 items-center gap-1.5 rounded-full bg-warn-soft px-2.5 font-medium text-warn hover:underline"
    >
      <MessageCircleWarning aria-hidden size={13} className="shrink-0" />
      <span className="truncate">{count(amount, "thread needs you", "threads need you")}</span>
    </button>
  );
}

/** Not part of the status: a number that changes every second is no news. */
function Time() {
  const startedAtMs = useRun((copy) => copy.head.startedAtMs);
  const running = useRun((copy) => isUnderWay(copy.head.state));
  // When a run was cut off nobody was there to see.
  const endedAtMs = useRun(({ head }) => (head.state === "cut off" ? null : head.endedAtMs));
  const age = agoWords(useAge(endedAtMs ?? startedAtMs));
  const took = tookWords({ startedAtMs, endedAtMs });
  const ended = endedAtMs === null ? "" : `, ended ${instantWords(endedAtMs)}`;
  return (
    <time
      dateTime={new Date(startedAtMs).toISOString()}
      title={`Begun ${instantWords(startedAtMs)}${ended}`}
      className="min-w-0 truncate text-ink-3 tabular"
    >
      · {running && <Elapsed sinceMs={startedAtMs} />}
      {!running && (took === null ? `begun ${age}` : `${took} · ${age}`)}
    </time>
  );
}
