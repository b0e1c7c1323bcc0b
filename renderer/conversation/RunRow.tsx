import { Hourglass, TriangleAlert } from "lucide-react";
import type { Item } from "../../preload/contract/items";
import { useWorkspace } from "../state/appStore";
import { useHead, useThread } from "../state/threadStore";
import { Spinner } from "../ui/Spinner";
import { Elapsed } from "./items/Elapsed";
import { runWords } from "./runWords";

/** At the end while a turn goes on: what it is doing, and since when. */
export function RunRow() {
  const run = useHead((head) => head.run);
  const workspaceId = useHead((head) => head.workspaceId);
  const step = useHead((head) => head.plan?.steps.findIndex((each) => each.status === "inProgress") ?? -1);
  const plan = useHead((head) => head.plan);
  const session = useWorkspace(workspaceId)?.session.state;
  // The item that runs last: it changes far less often than the text in it.
  const running = useThread((copy) => {
    for (let at = copy.order.length - 1; at >= 0; at--) {
      const item = copy.byId[copy.order[at] ?? ""];
      if (item?.status === "running") return describing(item);
    }
    return "";
  });
  if (!run) return null;
  const gone = session === "reconnecting" || session === "disconnected";
  const { words, subject, tone } = runWords(run, lastRunning(running), gone);
  return (
    <div role="status" aria-label="Turn" className="flex min-h-6 min-w-0 items-center gap-2 text-s text-ink-2">
      <span className="grid w-4 shrink-0 place-items-center">
        {tone === "busy" && <Spinner />}
        {tone === "waiting" && <Hourglass aria-hidden size={13} className="text-warn" />}
        {tone === "warning" && <TriangleAlert aria-hidden size={13} className="text-warn" />}
      </span>
      <span className={tone === "busy" ? "shrink-0" : "shrink-0 text-warn"}>{words}</span>
      {subject !== null && <span className="min-w-0 truncate font-mono text-ink">{subject}</span>}
      {plan !== null && step >= 0 && tone === "busy" && (
        <span className="shrink-0 text-ink-3">
          step {step + 1} of {plan.steps.length}
        </span>
      )}
      {/* Not spoken: a number that changes every second is no news. */}
      <span aria-hidden className="shrink-0 text-ink-3 tabular">
        <Elapsed sinceMs={run.startedAtMs} />
      </span>
    </div>
  );
}

/** What the words depend on, as one string, so that streaming text does not draw this row again. */
function describing(item: Item): string {
  return JSON.stringify({ ...item, ...blank });
}

const blank = { text: "", summary: "", content: "", output: null, resultText: null, argumentsText: null, json: null };

function lastRunning(described: string): Item[] {
  return described === "" ? [] : [JSON.parse(described) as Item];
}
