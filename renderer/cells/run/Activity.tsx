import { useCallback, useMemo, useState } from "react";
import type { RunCall } from "../../../preload/contract/cells";
import { Elapsed } from "../../conversation/items/Elapsed";
import { between, count, durationWords } from "../../conversation/time/durations";
import { useThreadRow } from "../../state/appStore";
import { goToThread } from "../../state/navigation";
import { useRun } from "../../state/runStore";
import { isUnderWay } from "../../state/words";
import { cx } from "../../ui/cx";
import { EmptyState } from "../../ui/EmptyState";
import { StatusDot } from "../../ui/StatusDot";
import { FollowedList } from "./FollowedList";
import { callLooks, callName, toolName, waitingFor } from "./runWords";

interface CallRow {
  key: string;
  call: RunCall;
}

/** What the script has asked for, in the order in which it did. What is pending is marked, and can be had alone. */
export function Activity() {
  const calls = useRun((copy) => copy.calls);
  const earlier = useRun((copy) => copy.earlierCalls);
  const running = useRun((copy) => isUnderWay(copy.head.state));
  const [onlyPending, setOnlyPending] = useState(false);
  const pending = useMemo(() => calls.filter(({ state }) => state === "pending"), [calls]);
  const shown = onlyPending && pending.length > 0 ? pending : calls;
  const rows = useMemo(() => shown.map((call): CallRow => ({ key: String(call.callId), call })), [shown]);
  const draw = useCallback(({ call }: CallRow) => <CallView call={call} />, []);
  if (calls.length === 0) {
    return (
      <EmptyState compact title={running ? "Nothing asked for yet" : "It has asked for nothing"}>
        {running
          ? "What the script does with tools.* appears here."
          : "A script starts threads, runs commands and asks you with tools.*."}
      </EmptyState>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {pending.length > 0 && (
        <button
          type="button"
          aria-pressed={onlyPending}
          title={onlyPending ? "Show all" : "Show only what is pending"}
          onClick={() => setOnlyPending(!onlyPending)}
          className={cx(
            "ring-inset mx-2.5 mb-1 flex h-7 shrink-0 items-center gap-2 rounded-s px-2 text-left text-s transition-colors hover:bg-hover",
            onlyPending ? "bg-sel text-ink" : "text-ink-2",
          )}
        >
          <StatusDot tone="busy" />
          <span className="truncate">Waits for {waitingFor(pending)}</span>
          <span className="ml-auto shrink-0 text-xs text-ink-3">
            {onlyPending ? "only these" : "show only"}
          </span>
        </button>
      )}
      <FollowedList
        label="Activity"
        rows={rows}
        total={earlier + calls.length}
        guessPx={guessPx}
        draw={draw}
        head={
          earlier > 0 && !onlyPending ? (
            <p className="truncate px-4 text-s text-ink-3 tabular">
              {count(earlier, "earlier call")} not shown
            </p>
          ) : null
        }
        headPx={earlier > 0 && !onlyPending ? 26 : 2}
        running={running}
      />
    </div>
  );
}

function guessPx(row: CallRow | undefined): number {
  return row?.call.error ? 66 : 48;
}

const wordLooks: Partial<Record<RunCall["state"], string>> = {
  pending: "font-medium text-accent",
  failed: "text-bad",
};

function CallView({ call }: { call: RunCall }) {
  const { tool, state, error, threadId } = call;
  const { tone, word } = callLooks[state];
  const row = useThreadRow(threadId);
  const about = useCallSubject(call);
  return (
    <article
      aria-label={callName({ ...call, summary: about })}
      className="mx-2.5 grid grid-cols-[16px_minmax(0,1fr)] gap-x-2 rounded-s px-2 py-1"
    >
      <span className="grid h-5 place-items-center">
        <StatusDot tone={tone} />
      </span>
      <span className="flex min-w-0 items-baseline gap-2 leading-5">
        <span className="shrink-0 truncate" title={`tools.${tool}`}>
          {toolName(tool)}
        </span>
        <span className="ml-auto shrink-0 text-xs text-ink-3 tabular">
          {word !== null && <span className={wordLooks[state]}>{word} · </span>}
          <CallTime call={call} />
        </span>
      </span>
      {about !== "" && (
        <span className="col-start-2 flex min-w-0 text-s text-ink-2">
          {row ? (
            <button
              type="button"
              title={`Go to ${row.title}`}
              onClick={() => goToThread(row.workspaceId, row.threadId)}
              className="min-w-0 truncate rounded-xs hover:text-ink hover:underline"
            >
              {about}
            </button>
          ) : (
            <span className="min-w-0 truncate selectable" title={about}>
              {about}
            </span>
          )}
        </span>
      )}
      {error !== null && (
        <span className="col-start-2 text-s text-pretty break-words text-bad selectable">{error}</span>
      )}
    </article>
  );
}

/** A thread's title says more than its id, which is all that a wait for it is called with. */
function useCallSubject({ summary, threadId }: RunCall): string {
  const title = useThreadRow(threadId)?.title ?? "";
  const own = useRun(({ head }) => head.threads.find(({ threadKey }) => threadKey === threadId)?.title ?? "");
  return summary === threadId ? title || own || summary : summary;
}

function CallTime({ call: { startedAtMs, endedAtMs, state } }: { call: RunCall }) {
  const took = between(startedAtMs, endedAtMs);
  if (took !== null) return <>{durationWords(took)}</>;
  return state === "pending" ? <Elapsed sinceMs={startedAtMs} /> : null;
}
