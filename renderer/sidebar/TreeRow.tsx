import { type MouseEvent, memo } from "react";
import { count } from "../conversation/time/durations";
import { useApp, useThreadRow, useWorkspace } from "../state/appStore";

import { isForkTitle } from "../state/forks";
import { uiStore } from "../state/uiStore";
import { branchOf } from "../state/words";
import { useOnEnvironment } from "../threadPlace/usePlace";
import { cx } from "../ui/cx";
import { startBrief, startTitle } from "../worktrees/starting/startWords";
import {
  HeadingRowView,
  HitRowView,
  MoreRowView,
  NoteRowView,
  SearchRowView,
  StartRowView,
  searchWords,
} from "./OtherRows";
import type { ListRow } from "./rows";
import { ThreadRowView } from "./ThreadRowView";
import { WorkspaceRowView } from "./WorkspaceRowView";

export interface TreeRowProps {
  id: string;
  row: ListRow;
  top: number;
  height: number;
  active: boolean;
  selected: boolean;
  onOpen: (row: ListRow) => void;
  onContextMenu: (event: MouseEvent, row: ListRow) => void;
  onMenu: (event: MouseEvent) => void;
}

/** The accessible name of a row: for a thread its title, then its state, then what else there is to know. */
function useName(row: ListRow): string {
  const thread = useThreadRow(row.kind === "thread" ? row.threadId : null);
  const workspace = useWorkspace(row.kind === "workspace" ? row.workspaceId : null);
  const parent = useWorkspace(workspace?.parentWorkspaceId ?? null);
  const where = useOnEnvironment(thread?.environmentId);
  const startId = row.kind === "start" ? row.startId : null;
  const start = useApp((app) => app.worktreeStarts.find((each) => each.startId === startId));
  if (thread) {
    return [
      thread.title,
      thread.state,
      thread.forkedFromId !== undefined && !isForkTitle(thread.title) && "fork",
      where !== null && `runs ${where}`,
      thread.leftRunning && `${count(thread.leftRunning.length, "command")} left running`,
      thread.unread && "unread",
      thread.hasDraft && "has a draft",
      thread.archived && "archived",
    ]
      .filter(Boolean)
      .join(", ");
  }
  if (workspace) {
    const branch = branchOf(workspace);
    return [
      workspace.name,
      workspace.parentWorkspaceId !== null && (parent ? `worktree of ${parent.name}` : "worktree"),
      branch !== null && `branch ${branch}`,
      workspace.demo && "demo",
      workspace.gone && "folder is not there any more",
      workspace.session.state === "disconnected" && "disconnected",
    ]
      .filter(Boolean)
      .join(", ");
  }
  if (start) return `${startTitle(start)}, ${startBrief(start).words}`;
  if (row.kind === "hit") return `${row.hit.title}: ${row.hit.snippet}`;
  if (row.kind === "search") return searchWords(row.query);
  return row.kind === "more" && row.archived ? "Show more archived" : "Show more";
}

function Content({ row, onMenu }: { row: ListRow; onMenu: (event: MouseEvent) => void }) {
  const filter = uiStore((store) => store.filter.trim());
  switch (row.kind) {
    case "workspace":
      return (
        <WorkspaceRowView
          workspaceId={row.workspaceId}
          expanded={row.expanded}
          filter={filter}
          onMenu={onMenu}
        />
      );
    case "thread":
      return <ThreadRowView threadId={row.threadId} level={row.level} filter={filter} />;
    case "start":
      return <StartRowView startId={row.startId} />;
    case "hit":
      return <HitRowView hit={row.hit} filter={filter} />;
    case "search":
      return <SearchRowView query={row.query} />;
    case "more":
      return <MoreRowView workspaceId={row.workspaceId} archived={row.archived} />;
    case "note":
      return <NoteRowView workspaceId={row.workspaceId} note={row.note} />;
    case "heading":
      return <HeadingRowView heading={row.heading} />;
    default: {
      const unknown: never = row;
      return unknown;
    }
  }
}

export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { id, row, top, height, active, selected, onOpen, onContextMenu, onMenu } = props;
  const name = useName(row);
  const cutOff = useThreadRow(row.kind === "thread" ? row.threadId : null)?.cutOff;
  const place = { transform: `translateY(${top}px)`, height };
  if (row.kind === "note" || row.kind === "heading") {
    return (
      <div role="presentation" className="absolute inset-x-0 top-0" style={place}>
        <Content row={row} onMenu={onMenu} />
      </div>
    );
  }
  const placed = "level" in row ? row : null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the tree names the active row instead of focusing it
    <div
      id={id}
      role="treeitem"
      aria-label={name}
      aria-level={placed?.level ?? 2}
      aria-posinset={placed?.position}
      aria-setsize={placed?.setSize}
      aria-expanded={
        row.kind === "workspace" ? row.expanded : row.kind === "thread" && row.children > 0 ? true : undefined
      }
      aria-selected={selected}
      aria-keyshortcuts={row.kind === "thread" ? "Enter F2 Delete Shift+Delete Shift+F10" : undefined}
      aria-description={cutOff}
      title={
        row.kind === "thread" || row.kind === "hit" || row.kind === "search"
          ? [name, cutOff].filter(Boolean).join("\n")
          : undefined
      }
      onClick={() => onOpen(row)}
      onContextMenu={(event) => onContextMenu(event, row)}
      className={cx("absolute inset-x-0 top-0", row.kind === "workspace" && "pt-2")}
      style={place}
    >
      <div
        role="presentation"
        className={cx(
          "h-full rounded-s",
          selected ? "bg-sel" : "hover:bg-hover",
          active &&
            "group-focus-visible/tree:outline-2 group-focus-visible/tree:-outline-offset-2 group-focus-visible/tree:outline-focus",
        )}
      >
        <Content row={row} onMenu={onMenu} />
      </div>
    </div>
  );
});
