// The rows of the list that are neither a workspace nor a thread.

import { ChevronsDown, TextSearch } from "lucide-react";
import type { ThreadHit } from "../../preload/contract/thread";
import { CleanupActions } from "../inspector/CleanupActions";
import { useApp, useWorkspace } from "../state/appStore";
import { isCleanupPending } from "../state/cleanupPending";
import { call } from "../state/connection";
import { locateWorkspace, removeWorkspace } from "../state/threadActions";
import { attempt } from "../state/toasts";
import { useAge } from "../state/useAge";
import { Button } from "../ui/Button";
import { Spinner } from "../ui/Spinner";
import { StatusDot } from "../ui/StatusDot";
import { TitleText } from "../ui/TitleText";
import { recreateWorktree } from "../worktrees/actions";
import { startBrief, startTitle } from "../worktrees/starting/startWords";
import { listStore } from "./listStore";
import type { ListRow } from "./rows";
import { Marked } from "./ThreadRowView";

export function MoreRowView({ workspaceId, archived }: { workspaceId: string; archived: boolean }) {
  const listing = useWorkspace(workspaceId)?.listing ?? false;
  return (
    <span className="grid h-full grid-cols-[16px_minmax(0,1fr)] items-center gap-2 pl-3 text-s text-ink-3">
      {listing ? <Spinner className="justify-self-center" /> : <ChevronsDown aria-hidden size={13} />}
      <span className="truncate">{archived ? "Show more archived" : "Show more"}</span>
    </span>
  );
}

export function searchWords(query: string): string {
  return `Search in all messages for “${query}”`;
}

export function SearchRowView({ query }: { query: string }) {
  return (
    <span className="grid h-full grid-cols-[16px_minmax(0,1fr)] items-center gap-2 pr-2.5 pl-3 text-s text-ink-2">
      <TextSearch aria-hidden size={13} className="justify-self-center text-ink-3" />
      <span className="truncate">{searchWords(query)}</span>
    </span>
  );
}

/** A thread that is still to begin in a worktree. */
export function StartRowView({ startId }: { startId: string }) {
  const start = useApp((app) => app.worktreeStarts.find((each) => each.startId === startId));
  if (!start) return null;
  const { tone, words } = startBrief(start);
  return (
    <span className="grid h-full grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-2 pr-2.5 pl-3">
      <StatusDot tone={tone} className="justify-self-center" />
      <span className="truncate">{startTitle(start)}</span>
      <span className="text-xs text-ink-3">{words}</span>
    </span>
  );
}

type Note = Extract<ListRow, { kind: "note" }>["note"];
type Heading = Extract<ListRow, { kind: "heading" }>["heading"];

export function NoteRowView({ workspaceId, note }: { workspaceId: string; note: Note }) {
  const workspace = useWorkspace(workspaceId);
  if (!workspace) return null;
  const listAgain = () => attempt(call("threads.loadMore", { workspaceId, archived: false }));
  switch (note) {
    case "empty":
      return (
        <span className="flex h-full items-center pl-9 text-s text-ink-3">
          <span>No threads yet</span>
        </span>
      );
    case "listing":
      return (
        <span className="grid h-full grid-cols-[16px_minmax(0,1fr)] items-center gap-2 pl-3 text-s text-ink-3">
          <Spinner className="justify-self-center" />
          Listing threads
        </span>
      );
    case "fault":
      return (
        <span className="grid h-full grid-cols-[minmax(0,1fr)] content-center gap-1 pr-2 pl-9 text-s">
          <span className="truncate text-bad" title={workspace.listFault?.message}>
            {workspace.listFault?.message ?? "The threads could not be listed."}
          </span>
          <span className="flex gap-1.5">
            {isCleanupPending(workspace.listFault) ? (
              <CleanupActions size="s" workspaceId={workspaceId} goOn={listAgain} />
            ) : (
              <Button size="s" onClick={() => void listAgain()}>
                Try again
              </Button>
            )}
          </span>
        </span>
      );
    case "gone":
      return (
        <span className="grid h-full grid-cols-[minmax(0,1fr)] content-center gap-1 pr-2 pl-9 text-s">
          <span className="truncate text-warn" title={workspace.path}>
            The folder is not there any more.
          </span>
          <span className="flex gap-1.5">
            <Button size="s" onClick={() => void locateWorkspace(workspaceId)}>
              Locate…
            </Button>
            {workspace.parentWorkspaceId === null ? (
              <Button size="s" tone="quiet" onClick={() => void removeWorkspace(workspaceId)}>
                Remove from list
              </Button>
            ) : (
              <Button
                size="s"
                tone="quiet"
                aria-label="Recreate from branch"
                title="Recreate from branch"
                onClick={() => void recreateWorktree(workspaceId)}
              >
                Recreate
              </Button>
            )}
          </span>
        </span>
      );
    default: {
      const unknown: never = note;
      return unknown;
    }
  }
}

export function HeadingRowView({ heading }: { heading: Heading }) {
  const searching = listStore((store) => store.searching);
  if (heading === "nothing") {
    return (
      <span className="grid h-full content-center justify-items-center gap-2 px-4 text-center text-s text-ink-3">
        {searching ? "Searching…" : "Nothing has these words."}
      </span>
    );
  }
  return (
    <span className="flex h-full items-end px-3 pb-1 text-xs font-semibold text-ink-3">
      {heading === "archived" ? <span className="pl-6">Archived</span> : "In the text of threads"}
    </span>
  );
}

export function HitRowView({ hit, filter }: { hit: ThreadHit; filter: string }) {
  const age = useAge(hit.updatedAtMs);
  const folder = hit.cwd.split(/[\\/]/).filter(Boolean).at(-1) ?? hit.cwd;
  return (
    <span className="grid h-full grid-cols-[minmax(0,1fr)_auto] content-center gap-x-2 pr-2.5 pl-3">
      <TitleText title={hit.title} part={(text) => <Marked text={text} filter={filter} />} />
      <span className="text-xs leading-5 text-ink-3 tabular">{age}</span>
      <span className="col-span-2 truncate text-s text-ink-3">
        {hit.workspaceId === null && <span className="text-ink-2">{folder} · </span>}
        <Marked text={hit.snippet} filter={filter} />
      </span>
    </span>
  );
}
