import { GitFork } from "lucide-react";
import type { RunHead } from "../../../preload/contract/cells";
import { useThreadRow } from "../../state/appStore";
import { goToThread } from "../../state/navigation";
import { useRun } from "../../state/runStore";
import { lookOf } from "../../state/words";
import { Drawn } from "../../ui/Drawn";
import { EmptyState } from "../../ui/EmptyState";
import { StatusDot } from "../../ui/StatusDot";

/** The threads that the run has started, as they are now. */
export function Threads() {
  const threads = useRun((copy) => copy.head.threads);
  const workspaceId = useRun((copy) => copy.head.workspaceId);
  if (threads.length === 0) {
    return (
      <EmptyState compact icon={<GitFork aria-hidden size={20} />} title="No threads started">
        Those that the script starts are listed here; they stay when it has ended.
      </EmptyState>
    );
  }
  return (
    <ul aria-label="Threads" className="min-h-0 overflow-y-auto px-2.5 pt-1 pb-2">
      {threads.map((thread) => (
        <li key={thread.threadKey}>
          <ThreadLink thread={thread} workspaceId={workspaceId} />
        </li>
      ))}
    </ul>
  );
}

interface ThreadLinkProps {
  thread: RunHead["threads"][number];
  workspaceId: string;
}

function ThreadLink({ thread: { threadKey, title }, workspaceId }: ThreadLinkProps) {
  const row = useThreadRow(threadKey);
  const name = row?.title ?? title;
  const state = row?.state ?? "not loaded";
  const { tone } = lookOf({ state, unread: row?.unread ?? false, cutOff: row?.cutOff });
  return (
    <button
      type="button"
      aria-label={`${name}, ${state}`}
      title={name}
      onClick={() => goToThread(row?.workspaceId ?? workspaceId, threadKey)}
      className="ring-inset grid h-(--h-row) w-full grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-2 rounded-s px-2 text-left hover:bg-hover"
    >
      <StatusDot tone={tone} className="justify-self-center" />
      <span className="truncate">{name}</span>
      <Drawn text={state} className="text-xs text-ink-3" />
    </button>
  );
}
