// What differs in the thread's folder, in short: the files, each a way to its difference on the page of changes.

import { FolderGit2 } from "lucide-react";
import { entryWords, type FileEntry, folderGroups, splitPath } from "../changes/list/files";
import { stateLook } from "../changes/list/stateLook";
import { lookAgain, useChanges } from "../changes/state/changesStore";
import { count } from "../conversation/time/durations";
import { goToChanges } from "../state/navigation";
import { useHead } from "../state/threadStore";
import { Button } from "../ui/Button";
import { cx } from "../ui/cx";
import { EmptyState } from "../ui/EmptyState";
import { Spinner } from "../ui/Spinner";
import { LineCounts } from "./Section";

/** More are on the page. */
const mostListed = 200;

export function FolderChanges() {
  const workspaceId = useHead((head) => head.workspaceId);
  const { listing, fault } = useChanges(workspaceId);
  if (listing === null) {
    if (fault) return <Wrong workspaceId={workspaceId} title={fault.message} hint={fault.hint} />;
    return (
      <p role="status" className="flex animate-late items-center gap-2 px-4 py-4 text-s text-ink-3">
        <Spinner />
        Looking at the folder…
      </p>
    );
  }
  if (listing.state === "none") {
    return <Wrong workspaceId={workspaceId} title={listing.fault.message} hint={listing.fault.hint} />;
  }
  const groups = folderGroups(listing.changes);
  if (groups.length === 0) {
    return (
      <EmptyState compact icon={<FolderGit2 aria-hidden size={20} />} title="Nothing has changed">
        The folder is as it was at the last commit.
      </EmptyState>
    );
  }
  let left = mostListed;
  const all = groups.reduce((sum, { entries }) => sum + entries.length, listing.changes.more);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] py-2">
      {groups.map(({ id, label, entries }) => {
        const shown = entries.slice(0, Math.max(0, left));
        left -= shown.length;
        if (shown.length === 0) return null;
        return (
          <section key={id} aria-label={label}>
            <h2 className="flex gap-2 px-4 py-1.5 text-xs font-semibold tracking-[0.02em] text-ink-3">
              {label} <span className="font-normal tabular">{entries.length}</span>
            </h2>
            <ul>
              {shown.map((entry) => (
                <Row key={entry.key} entry={entry} />
              ))}
            </ul>
          </section>
        );
      })}
      {all > mostListed && (
        <p className="px-4 pt-2 text-s text-ink-3">
          {count(all - mostListed, "more file")} on the page of changes.
        </p>
      )}
    </div>
  );
}

function Row({ entry }: { entry: FileEntry }) {
  const { icon: Icon, className } = stateLook(entry.state);
  const { folder, name } = splitPath(entry.path);
  return (
    <li>
      <button
        type="button"
        aria-label={entryWords(entry)}
        title={entry.path}
        onClick={() => goToChanges(null, { source: "folder", file: entry.key })}
        className="ring-inset flex min-h-(--h-row) w-full min-w-0 items-center gap-2 py-1 pr-4 pl-4 text-left text-s transition-colors hover:bg-hover"
      >
        <Icon aria-hidden size={14} className={cx("shrink-0", className)} />
        <span className="flex min-w-0 flex-1 items-baseline font-mono">
          <span className="min-w-0 truncate text-ink-3">{folder}</span>
          <span
            className={cx(
              "max-w-full shrink-0 truncate text-ink",
              entry.state === "deleted" && "line-through decoration-ink-3",
            )}
          >
            {name}
          </span>
        </span>
        {entry.state !== "modified" && <span className="shrink-0 text-xs text-ink-3">{entry.state}</span>}
        {entry.added !== null && entry.removed !== null && (
          <LineCounts added={entry.added} removed={entry.removed} />
        )}
      </button>
    </li>
  );
}

interface WrongProps {
  workspaceId: string;
  title: string;
  hint: string | undefined;
}

function Wrong({ workspaceId, title, hint }: WrongProps) {
  return (
    <EmptyState
      compact
      icon={<FolderGit2 aria-hidden size={20} />}
      title={title}
      actions={
        <Button size="s" onClick={() => lookAgain(workspaceId)}>
          Look again
        </Button>
      }
    >
      {hint}
    </EmptyState>
  );
}
