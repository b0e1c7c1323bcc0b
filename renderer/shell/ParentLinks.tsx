import { ChevronRight, Ellipsis } from "lucide-react";
import type { ThreadRow } from "../../preload/contract/app";
import { useRows } from "../state/appStore";
import { goToThread } from "../state/navigation";
import { parentsOf } from "../state/parentsOf";
import { useParents } from "../state/threadKinship";
import { useHead } from "../state/threadStore";

/** The way back from an agent to the threads that it works for. Nothing for a thread that is no agent. */
export function ParentLinks() {
  const { top, parent } = useParents();
  const threadId = useHead((head) => head.threadId);
  const depth = useRows((rows) => parentsOf(rows, threadId).length);
  if (parent === null) return null;
  return (
    <nav aria-label="Works for" className="flex min-w-0 shrink-[6] items-center gap-1 text-ink-2">
      {top !== null && <ParentLink row={top} />}
      {depth > 2 && <Ellipsis aria-hidden size={14} className="shrink-0 text-ink-3" />}
      <ParentLink row={parent} />
    </nav>
  );
}

function ParentLink({ row }: { row: ThreadRow }) {
  return (
    <>
      <button
        type="button"
        aria-label={`Back to ${row.title}`}
        title={row.title}
        onClick={() => goToThread(row.workspaceId, row.threadId)}
        className="min-w-8 max-w-60 truncate rounded-xs hover:text-ink hover:underline"
      >
        {row.title}
      </button>
      <ChevronRight aria-hidden size={14} className="shrink-0 text-ink-3" />
    </>
  );
}
