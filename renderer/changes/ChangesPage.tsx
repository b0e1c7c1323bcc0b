// The page of changes: what differs in the workspace's folder, file by file, and what becomes of it.

import { FolderX, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef } from "react";
import type { WorkspaceView } from "../../preload/contract/app";
import { PaneHead } from "../shell/PaneHead";
import { openWorkspace } from "../state/navigation";
import { onSignal } from "../state/signals";
import { locateWorkspace } from "../state/threadActions";
import { toast } from "../state/toasts";
import { changeLayout, uiStore, useLayout } from "../state/uiStore";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconButton } from "../ui/IconButton";
import { ListOver } from "../ui/ListOver";
import { Splitter } from "../ui/Splitter";
import { useKeyboardStays } from "../ui/useKeyboardStays";
import { useWidth } from "../ui/useWidth";
import { ChangesHead } from "./ChangesHead";
import { CommentsStrip } from "./comments/CommentsStrip";
import { DiffHead } from "./diff/DiffHead";
import { FolderDiff, NoFile, ThreadDiff } from "./diff/DiffPane";
import { focusNextGrid } from "./diff/gridFocus";
import { comparisonOf, fileKey, listRows, orderedEntries, shownFile } from "./list/files";
import { ListPane } from "./list/ListPane";
import { NoRepository, NothingListed } from "./NothingHere";
import { PageNotices } from "./PageNotices";
import { changesStore, useChanges } from "./state/changesStore";
import { useAgainst } from "./state/useAgainst";
import { useChangesWorkspace, useGroups, useThreadFiles } from "./state/useShown";

const closeList = () => changesStore.setState({ listOver: false });
const listLimits = { minPx: 264, usualPx: 300, mostPx: 520 };
const restMinPx = 400;

export function ChangesPage() {
  const workspace = useChangesWorkspace();
  if (!workspace) {
    return (
      <Empty
        title="No workspace is open"
        action={<Button onClick={() => void openWorkspace()}>Open workspace</Button>}
      >
        Changes are those of a workspace's folder.
      </Empty>
    );
  }
  if (workspace.gone) {
    return (
      <Empty
        title="The folder is gone"
        action={<Button onClick={() => void locateWorkspace(workspace.id)}>Locate…</Button>}
      >
        {workspace.path} is not there any more. If it was moved, say where it is now.
      </Empty>
    );
  }
  return <Page key={workspace.id} workspace={workspace} />;
}

function Empty({
  title,
  action,
  children,
}: {
  title: string;
  action: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PaneHead inspector={false}>
        <h1 className="truncate text-l font-semibold tracking-[-0.01em]">Changes</h1>
      </PaneHead>
      <div className="grid min-h-0 flex-1 content-center">
        <EmptyState icon={<FolderX aria-hidden size={20} />} title={title} actions={action}>
          {children}
        </EmptyState>
      </div>
    </div>
  );
}

function Page({ workspace }: { workspace: WorkspaceView }) {
  const workspaceId = workspace.id;
  const { listing, fault, looks } = useChanges(workspaceId);
  const { source, base, file: wanted } = useLayout((layout) => layout.changes);
  const panes = useLayout((layout) => layout.changesPanes);
  const filter = changesStore((store) => store.filter);
  const closed = changesStore((store) => store.closed);
  const listOver = changesStore((store) => store.listOver);
  const page = useRef<HTMLDivElement>(null);
  const { box, widthPx } = useWidth(1000);
  useKeyboardStays(page);

  const changes = listing?.state === "repository" ? listing.changes : null;
  const against = useAgainst(workspaceId, source === "base" && changes ? base : null, looks);
  const threadFiles = useThreadFiles(changes?.root ?? workspace.path);
  const groups = useGroups(source, listing, threadFiles, against);
  const options = useMemo(() => ({ filter, tree: panes.tree, closed }), [filter, panes.tree, closed]);
  const rows = useMemo(() => listRows(groups, options), [groups, options]);
  const entries = useMemo(() => orderedEntries(groups, options), [groups, options]);
  const lastKeys = useRef<readonly string[]>([]);
  const entry = shownFile(entries, wanted, lastKeys.current);
  useEffect(() => {
    lastKeys.current = entries.map(({ key }) => key);
  }, [entries]);
  // What is shown in the place of a file that is gone is what the page goes on from.
  const shownKey = entry?.key ?? null;
  useEffect(() => {
    if (shownKey !== null && shownKey !== wanted) show(shownKey);
  }, [shownKey, wanted]);
  const comparison = entry && comparisonOf(entry, base);
  const threadFile = entry?.group === "thread" ? threadFiles.get(entry.path) : undefined;

  const onFile = useCallback(
    (by: 1 | -1) => {
      const at = entries.findIndex(({ key }) => key === shownKey);
      const next = entries[at + by];
      if (next) show(next.key);
      else toast(by === 1 ? "That was the last change" : "That was the first change", { shownMs: 2_500 });
    },
    [entries, shownKey],
  );
  const focusDiff = useCallback(() => {
    focusNextGrid("as it is");
    requestAnimationFrame(() => page.current?.querySelector<HTMLElement>('[role="grid"]')?.focus());
  }, []);
  const focusList = useCallback(() => {
    page.current?.querySelector<HTMLElement>('[role="tree"]')?.focus();
  }, []);
  useEffect(() => onSignal("focus-changes", focusList), [focusList]);

  const isNarrow = widthPx < listLimits.minPx + restMinPx;
  const listMaxPx = Math.max(listLimits.minPx, Math.min(listLimits.mostPx, widthPx - restMinPx));
  const listPx = Math.min(panes.listPx, listMaxPx);
  const hasList = listing === null || listing.state === "repository" || source === "thread";
  const listShown = hasList && (isNarrow ? listOver : panes.listOpen);
  const list = (
    <ListPane
      workspace={workspace}
      rows={rows}
      groups={groups}
      against={against}
      shown={shownKey}
      onShow={({ key }) => {
        show(key);
        if (isNarrow) closeList();
      }}
      onEnter={focusDiff}
      onFile={onFile}
    />
  );
  return (
    <div ref={page} className="flex min-h-0 flex-1 flex-col">
      <PaneHead inspector={false}>
        {hasList && (
          <IconButton
            label={listShown ? "Hide the list of files" : "Show the list of files"}
            aria-expanded={listShown}
            icon={listShown ? <PanelLeftClose size={16} /> : <PanelLeftOpen size={16} />}
            onClick={() => {
              if (isNarrow) changesStore.setState({ listOver: !listOver });
              else changeLayout({ changesPanes: { ...panes, listOpen: !panes.listOpen } });
            }}
            className="-ml-2"
          />
        )}
        <ChangesHead workspace={workspace} />
      </PaneHead>
      <PageNotices workspaceId={workspaceId} fault={listing === null ? null : fault} />
      <div ref={box} className="relative flex min-h-0 flex-1">
        {listShown && !isNarrow && (
          <>
            <div id="changes-list" className="flex shrink-0 flex-col" style={{ width: listPx }}>
              {list}
            </div>
            <Splitter
              label="Width of the list of files"
              controls="changes-list"
              pane="left"
              valuePx={listPx}
              minPx={listLimits.minPx}
              maxPx={listMaxPx}
              usualPx={listLimits.usualPx}
              onChange={(px) => changeLayout({ changesPanes: { ...panes, listPx: px } })}
            />
          </>
        )}
        <section
          data-pane="changes"
          aria-label="Difference"
          className="flex min-w-0 flex-1 flex-col bg-raised"
        >
          {entry === null ? (
            listing?.state === "none" && source !== "thread" ? (
              <NoRepository workspace={workspace} fault={listing.fault} />
            ) : (
              <NothingListed
                listing={listing}
                fault={fault}
                source={source}
                filter={filter}
                against={against}
              />
            )
          ) : (
            <>
              <DiffHead workspaceId={workspaceId} entry={entry} onFile={onFile} />
              {comparison !== null ? (
                <FolderDiff
                  key={entry.key}
                  workspaceId={workspaceId}
                  entry={entry}
                  comparison={comparison}
                  looks={looks}
                  onFile={onFile}
                />
              ) : threadFile ? (
                <ThreadDiff
                  key={entry.key}
                  workspaceId={workspaceId}
                  entry={entry}
                  file={threadFile}
                  onFile={onFile}
                />
              ) : (
                <NoFile />
              )}
            </>
          )}
          <CommentsStrip
            isLast
            onShow={(path) =>
              showFileOf(
                path,
                entries.map(({ key }) => key),
              )
            }
          />
        </section>
        {isNarrow && listShown && <ListOver onClose={closeList}>{list}</ListOver>}
      </div>
    </div>
  );
}

function show(file: string): void {
  changeLayout({ changes: { ...uiStore.getState().layout.changes, file } });
}

/** The file of a comment, in whichever group it is. */
function showFileOf(path: string, keys: readonly string[]): void {
  const groups = ["unstaged", "staged", "conflicts", "base", "thread"] as const;
  const key = groups.map((group) => fileKey(group, path)).find((each) => keys.includes(each));
  if (key !== undefined) show(key);
}
