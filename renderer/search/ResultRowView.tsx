import { Archive, ChevronRight, Folder, FolderPlus } from "lucide-react";
import { memo } from "react";
import type { ThreadHit } from "../../preload/contract/thread";
import { Marked } from "../sidebar/ThreadRowView";
import { useApp, useThreadRow } from "../state/appStore";
import { useAge } from "../state/useAge";
import { shortPath } from "../state/words";
import { Button } from "../ui/Button";
import { Chip } from "../ui/Chip";
import { cx } from "../ui/cx";
import { Said } from "../ui/Said";
import { TitleText } from "../ui/TitleText";
import type { ResultRow } from "./resultRows";

export interface ResultRowViewProps {
  row: ResultRow;
  query: string;
  /** The keyboard comes to this one. */
  isStop: boolean;
  onActivate: (row: ResultRow) => void;
  onOpenFolder: (cwd: string) => void;
}

const rowClass =
  "ring-inset w-full rounded-s px-2.5 text-left transition-colors hover:bg-hover focus-visible:bg-hover";

export const ResultRowView = memo(function ResultRowView(props: ResultRowViewProps) {
  const { row, query, isStop, onActivate } = props;
  const stop = { "data-row": row.key, tabIndex: isStop ? 0 : -1 };
  switch (row.kind) {
    case "heading":
      return (
        <h2 className="flex h-full items-end px-2.5 pb-1 text-xs font-semibold text-ink-3">{row.words}</h2>
      );
    case "folder":
      return <FolderRow {...props} row={row} />;
    case "hit":
      return (
        <button
          type="button"
          {...stop}
          onClick={() => onActivate(row)}
          className={cx(rowClass, "grid h-[62px] grid-cols-[minmax(0,1fr)_auto] content-center gap-x-3")}
        >
          <span className="truncate font-medium">
            <Marked text={row.hit.title} filter={query} />
          </span>
          <span className="flex items-center gap-2 text-s text-ink-3">
            <span className="max-w-50 truncate">{row.where}</span>
            <Facts hit={row.hit} />
          </span>
          <span className="col-span-2 line-clamp-2 text-s leading-[17px] break-words text-ink-2">
            <Marked text={row.hit.snippet} filter={query} />
          </span>
        </button>
      );
    case "thread":
      return (
        <button
          type="button"
          {...stop}
          onClick={() => onActivate(row)}
          className={cx(rowClass, "flex h-(--h-row) items-center gap-3 pl-9")}
        >
          <span className="flex min-w-0 flex-1">
            <TitleText title={row.hit.title} />
          </span>
          <span className="flex shrink-0 items-center gap-2 text-s text-ink-3">
            <Facts hit={row.hit} />
          </span>
        </button>
      );
    case "more":
      return (
        <div className="flex h-full items-center px-1">
          <Button {...stop} size="s" tone="quiet" busy={row.loading} onClick={() => onActivate(row)}>
            {row.which === "archived" ? "More archived threads" : "More threads"}
          </Button>
        </div>
      );
    case "fault":
      return (
        <div role="alert" className="flex min-h-16 items-center gap-3 px-2.5 py-2 text-s">
          <span className="min-w-0 flex-1 text-bad">
            <Said>{row.fault.message}</Said>
            {row.fault.hint !== undefined && (
              <span className="block text-ink-2">
                <Said>{row.fault.hint}</Said>
              </span>
            )}
          </span>
          <Button {...stop} size="s" onClick={() => onActivate(row)}>
            Try again
          </Button>
        </div>
      );
    case "nothing":
      return <p className="grid h-full place-items-center text-ink-3">{row.words}</p>;
    default:
      return row satisfies never;
  }
});

function Facts({ hit }: { hit: ThreadHit }) {
  // codex counts it as a change when a thread is only opened; the list, which is beside this one, does not.
  const listed = useThreadRow(hit.threadId);
  const age = useAge(listed?.updatedAtMs ?? hit.updatedAtMs);
  return (
    <>
      {hit.archived && (
        <Chip icon={<Archive aria-hidden size={11} />} className="shrink-0">
          archived
        </Chip>
      )}
      <span className="tabular">{age}</span>
    </>
  );
}

function FolderRow({
  row,
  isStop,
  onActivate,
  onOpenFolder,
}: ResultRowViewProps & { row: Extract<ResultRow, { kind: "folder" }> }) {
  const home = useApp((app) => app.home);
  const count = `${row.count.toLocaleString("en")}${row.atLeast ? "+" : ""}`;
  const words = `${count} ${row.count === 1 && !row.atLeast ? "thread" : "threads"}`;
  return (
    <div className="flex h-full items-end gap-2 pb-0.5">
      <button
        type="button"
        data-row={row.key}
        tabIndex={isStop ? 0 : -1}
        aria-expanded={row.expanded}
        aria-label={`${row.name}, ${row.cwd}, ${words}`}
        onClick={() => onActivate(row)}
        className={cx(rowClass, "flex h-(--h-row) min-w-0 items-center gap-2")}
      >
        <ChevronRight
          aria-hidden
          size={14}
          className={cx("shrink-0 text-ink-3 transition-transform", row.expanded && "rotate-90")}
        />
        <Folder aria-hidden size={14} className="shrink-0 text-ink-3" />
        <span className="shrink-0 font-semibold">{row.name}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs text-ink-3">
          {shortPath(row.cwd, home)}
        </span>
        <span className="shrink-0 text-s text-ink-3 tabular">{words}</span>
      </button>
      {row.workspaceId === null && (
        <Button
          size="s"
          icon={<FolderPlus aria-hidden size={13} />}
          aria-label={`Open ${row.name} as a workspace`}
          className="mb-0.5 shrink-0"
          onClick={() => onOpenFolder(row.cwd)}
        >
          Open
        </Button>
      )}
    </div>
  );
}
