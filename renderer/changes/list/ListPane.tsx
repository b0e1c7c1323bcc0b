// The list at the left of the page: what is compared with what, the files, and the next commit.

import { FolderTree, List, Search } from "lucide-react";
import { useEffect } from "react";
import type { WorkspaceView } from "../../../preload/contract/app";
import { count } from "../../conversation/time/durations";
import { threadStore } from "../../state/threadStore";
import { changeLayout, useLayout } from "../../state/uiStore";
import { IconButton } from "../../ui/IconButton";
import { Notice } from "../../ui/Notice";
import { Segmented } from "../../ui/Segmented";
import { Select } from "../../ui/Select";
import { Spinner } from "../../ui/Spinner";
import { TextField } from "../../ui/TextField";
import { CommitBox } from "../commit/CommitBox";
import { changesStore, useChangesView } from "../state/changesStore";
import { type AgainstState, useBranches, usualBase } from "../state/useAgainst";
import { FileList } from "./FileList";
import type { FileEntry, FileGroup, ListRow } from "./files";

const sources = [
  { value: "folder", label: "Working tree" },
  { value: "thread", label: "Thread" },
  { value: "base", label: "Branch" },
] as const;

export interface ListPaneProps {
  workspace: WorkspaceView;
  rows: readonly ListRow[];
  groups: readonly FileGroup[];
  against: AgainstState;
  shown: string | null;
  onShow: (entry: FileEntry) => void;
  onEnter: () => void;
  onFile: (by: 1 | -1) => void;
}

export function ListPane({
  workspace,
  rows,
  groups,
  against,
  shown,
  onShow,
  onEnter,
  onFile,
}: ListPaneProps) {
  const { listing } = useChangesView(workspace.id);
  const changes = useLayout((layout) => layout.changes);
  const panes = useLayout((layout) => layout.changesPanes);
  const filter = changesStore((store) => store.filter);
  const hasThread = threadStore(({ shown: thread }) => thread.phase === "shown");
  const repository = listing?.state === "repository" ? listing.changes : null;
  const more = changes.source === "base" ? (against.against?.more ?? 0) : (repository?.more ?? 0);
  return (
    <section
      data-pane="changes-list"
      aria-label="List of changes"
      className="flex h-full min-h-0 flex-1 flex-col bg-panel"
    >
      <div className="grid shrink-0 gap-1.5 border-b border-line p-2">
        <Segmented
          label="What is shown"
          value={changes.source}
          options={sources.filter(
            ({ value }) => value !== "thread" || hasThread || changes.source === "thread",
          )}
          onChange={(source) => changeLayout({ changes: { ...changes, source } })}
        />
        {changes.source === "base" && (
          <BaseChoice workspaceId={workspace.id} current={repository?.branch ?? null} against={against} />
        )}
        <div className="flex items-center gap-1">
          <TextField
            label="Filter the files"
            hideLabel
            value={filter}
            placeholder="Filter files"
            onChange={(text) => changesStore.setState({ filter: text })}
            before={<Search aria-hidden size={13} />}
            className="min-w-0 flex-1"
            onKeyDown={(event) => {
              if (event.key === "Escape" && filter !== "") {
                event.preventDefault();
                changesStore.setState({ filter: "" });
              }
            }}
          />
          <IconButton
            label={panes.tree ? "List the files without folders" : "List the files in their folders"}
            size="s"
            icon={panes.tree ? <List size={14} /> : <FolderTree size={14} />}
            onClick={() => changeLayout({ changesPanes: { ...panes, tree: !panes.tree } })}
          />
        </div>
      </div>
      {rows.length > 0 ? (
        <FileList
          workspaceId={workspace.id}
          rows={rows}
          groups={groups}
          shown={shown}
          onShow={onShow}
          onEnter={onEnter}
          onFile={onFile}
        />
      ) : (
        <p className="min-h-0 flex-1 px-3 py-3 text-s text-ink-3">
          {groups.length > 0 ? "No file fits the filter." : listing === null ? "" : "No file is changed."}
        </p>
      )}
      {more > 0 && (
        <p className="shrink-0 border-t border-line px-3 py-1.5 text-s text-ink-3">
          {count(more, "more file is", "more files are")} not listed. Stage or commit with git on the command
          line, or tell git to ignore what does not belong.
        </p>
      )}
      {changes.source === "folder" && repository && (
        <CommitBox workspaceId={workspace.id} changes={repository} />
      )}
    </section>
  );
}

interface BaseChoiceProps {
  workspaceId: string;
  current: string | null;
  against: AgainstState;
}

function BaseChoice({ workspaceId, current, against }: BaseChoiceProps) {
  const changes = useLayout((layout) => layout.changes);
  const branches = useBranches(workspaceId, true);
  const { base } = changes;
  const usual = branches && usualBase(branches, current);
  useEffect(() => {
    // One that is not there any more gives way to the usual one.
    const isThere = base !== null && (branches === null || branches.includes(base));
    if (!isThere && usual !== null) changeLayout({ changes: { ...changes, base: usual } });
  }, [base, branches, usual, changes]);
  if (branches === null) {
    return (
      <p className="flex h-(--h-control) animate-late items-center gap-2 text-s text-ink-3">
        <Spinner />
        Looking for branches…
      </p>
    );
  }
  if (branches.length === 0) return <p className="text-s text-ink-3">There is no branch to compare with.</p>;
  return (
    <>
      <div className="flex items-center gap-2">
        <Select
          label="Compared with"
          value={base ?? branches[0] ?? ""}
          options={branches.map((name) => ({ value: name, label: name }))}
          onChange={(name) => changeLayout({ changes: { ...changes, base: name } })}
          className="min-w-0 flex-1"
        />
        {against.loading && <Spinner />}
      </div>
      {against.fault && (
        <Notice live tone="warning" title={against.fault.message} hint={against.fault.hint} />
      )}
    </>
  );
}
