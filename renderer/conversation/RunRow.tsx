import { Hourglass, TriangleAlert } from "lucide-react";
import { useWorkspace } from "../state/appStore";
import type { ThreadCopy } from "../state/threadCopy";
import { useHead, useThread } from "../state/threadStore";
import { Spinner } from "../ui/Spinner";
import { Elapsed } from "./items/Elapsed";
import { type RunWords, runWords } from "./runWords";

/** What the turn is doing, in words; null while none goes on. */
export function useRunWords(): RunWords | null {
  const session = useWorkspace(useHead((head) => head.workspaceId))?.session.state;
  const gone = session === "reconnecting" || session === "disconnected";
  // As text: it is compared by what it says, so text that streams into an item draws nothing here again.
  const said = useThread((copy) =>
    copy.head.run === null ? null : JSON.stringify(runWords(copy.head.run, runningItems(copy), gone)),
  );
  return said === null ? null : (JSON.parse(said) as RunWords);
}

/** Items that run are near the end: what started before these has ended. */
const mostLookedAt = 200;

function runningItems({ order, byId, head }: ThreadCopy) {
  return order.slice(-mostLookedAt).flatMap((id) => {
    const item = byId[id];
    // A review has begun at once, and goes on until its turn ends.
    const isReviewing = item?.kind === "review" && item.turnId === head.run?.turnId;
    return item && (item.status === "running" || isReviewing) ? [item] : [];
  });
}

/** At the end of the conversation while a turn goes on: what it is doing, and since when. */
export function RunRow() {
  const startedAtMs = useHead((head) => head.run?.startedAtMs ?? null);
  const steps = useHead((head) => head.plan?.steps);
  const run = useRunWords();
  if (!run || startedAtMs === null) return null;
  const { words, subject, tone } = run;
  const step = steps?.findIndex((each) => each.status === "inProgress") ?? -1;
  return (
    <div
      role="status"
      aria-label="Turn"
      className="flex min-h-6 min-w-0 items-center gap-2 text-s text-ink-2"
    >
      <span className="grid w-4 shrink-0 place-items-center">
        {tone === "busy" && <Spinner />}
        {tone === "waiting" && <Hourglass aria-hidden size={13} className="text-warn" />}
        {tone === "warning" && <TriangleAlert aria-hidden size={13} className="text-warn" />}
      </span>
      <span className={tone === "busy" ? "shrink-0" : "min-w-0 text-warn"}>{words}</span>
      {subject !== null && <span className="min-w-0 truncate font-mono text-ink">{subject}</span>}
      {steps && step >= 0 && tone === "busy" && (
        <span className="shrink-0 text-ink-3">
          · step {step + 1} of {steps.length}
        </span>
      )}
      {/* Not spoken: a number that changes every second is no news. */}
      <span aria-hidden className="shrink-0 text-ink-3 tabular">
        · <Elapsed sinceMs={startedAtMs} />
      </span>
    </div>
  );
}
