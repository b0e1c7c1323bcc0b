import { Server, Terminal } from "lucide-react";
import { memo } from "react";
import { useThreadRow } from "../state/appStore";
import { isForkTitle } from "../state/forks";
import { renameThread } from "../state/threadActions";
import { startRenaming, uiStore } from "../state/uiStore";
import { useAge } from "../state/useAge";
import { lookOf } from "../state/words";
import { useOnEnvironment } from "../threadPlace/usePlace";
import { cx } from "../ui/cx";
import { Drawn } from "../ui/Drawn";
import { ForkMark } from "../ui/ForkMark";
import { StatusDot } from "../ui/StatusDot";
import { TitleText } from "../ui/TitleText";
import { RenameField } from "./RenameField";
import { matchRanges } from "./rows";

export interface ThreadRowProps {
  threadId: string;
  level: number;
  filter: string;
}

/** What is inside the treeitem of a thread: dot, title, and the state in a word or the age. */
export const ThreadRowView = memo(function ThreadRowView({ threadId, level, filter }: ThreadRowProps) {
  const row = useThreadRow(threadId);
  const renaming = uiStore(
    (store) =>
      store.renaming?.what === "thread" &&
      store.renaming.where === "list" &&
      store.renaming.threadKey === threadId,
  );
  const age = useAge(row?.updatedAtMs ?? 0);
  if (!row) return null;
  const look = lookOf(row);
  const child = level > 2;
  return (
    <span
      className="grid h-full grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-2 pr-2.5"
      style={{ paddingLeft: 12 + (level - 2) * 22 }}
    >
      <StatusDot tone={look.tone} className="justify-self-center" />
      {renaming ? (
        <RenameField
          label={`Rename ${row.title}`}
          name={row.title}
          onRename={(title) => void renameThread(threadId, title)}
          onDone={() => startRenaming(null)}
          className="col-span-2"
        />
      ) : (
        <>
          <span
            className={cx(
              "flex min-w-0 items-center gap-1.5",
              child && "text-s",
              row.unread ? "font-semibold" : row.archived ? "text-ink-3" : child && "text-ink-2",
            )}
          >
            {(row.forkedFromId !== undefined || isForkTitle(row.title)) && <ForkMark size={12} />}
            <TitleText title={row.title} part={(text) => <Marked text={text} filter={filter} />} />
          </span>
          <span className="flex items-center gap-1.5 text-xs text-ink-3 tabular">
            {/* The name of the row says it in words. */}
            {row.leftRunning && <Terminal aria-hidden size={11} />}
            <ElsewhereMark environmentId={row.environmentId} />
            {row.hasDraft && look.brief === null && <Drawn text="draft" className="text-accent" />}
            <Drawn text={look.brief ?? age} />
          </span>
        </>
      )}
    </span>
  );
});

/** The name of the row says it in words. */
function ElsewhereMark({ environmentId }: { environmentId: string | undefined }) {
  const where = useOnEnvironment(environmentId);
  if (where === null) return null;
  return (
    <span aria-hidden title={`Runs ${where}`}>
      <Server size={11} />
    </span>
  );
}

/** A title with the words of the filter marked. */
export function Marked({ text, filter }: { text: string; filter: string }) {
  if (filter === "") return text;
  const ranges = matchRanges(text, filter);
  if (ranges.length === 0) return text;
  const parts: { at: number; text: string; hit: boolean }[] = [];
  let end = 0;
  for (const [from, to] of ranges) {
    if (from > end) parts.push({ at: end, text: text.slice(end, from), hit: false });
    parts.push({ at: from, text: text.slice(from, to), hit: true });
    end = to;
  }
  if (end < text.length) parts.push({ at: end, text: text.slice(end), hit: false });
  return parts.map((part) =>
    part.hit ? (
      <mark key={part.at} className="rounded-xs bg-accent-soft text-accent">
        {part.text}
      </mark>
    ) : (
      <span key={part.at}>{part.text}</span>
    ),
  );
}
