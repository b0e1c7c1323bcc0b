import { Workflow } from "lucide-react";
import { runCounts } from "../cells/cellsView";
import { useApp } from "../state/appStore";
import { goToCells } from "../state/navigation";
import { useLayout } from "../state/uiStore";
import { cx } from "../ui/cx";
import { Drawn } from "../ui/Drawn";
import { ariaKeys } from "../ui/keys";
import { StatusDot } from "../ui/StatusDot";

/** The way to the page of scripts and runs, with how many run and whether one waits for the person. */
export function CellsEntry() {
  const live = useApp((app) => runCounts(app.runs).live);
  const waiting = useApp((app) => runCounts(app.runs).waiting);
  const isHere = useLayout((layout) => layout.page === "cells");
  const state = waiting > 0 ? `${waiting} waiting for an answer` : live > 0 ? `${live} running` : null;
  return (
    <div className="shrink-0 px-1.5 pb-1.5">
      <button
        type="button"
        aria-label={state === null ? "Cells" : `Cells, ${state}`}
        aria-current={isHere ? "page" : undefined}
        aria-keyshortcuts={ariaKeys("mod+shift+c")}
        title="Scripts that steer agents, and their runs"
        onClick={goToCells}
        className={cx(
          "ring-inset grid h-(--h-row) w-full grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-2 rounded-s pr-2.5 pl-3 text-left transition-colors",
          isHere ? "bg-sel" : "text-ink-2 hover:bg-hover hover:text-ink",
        )}
      >
        <Workflow aria-hidden size={14} className="justify-self-center" />
        <span className="truncate">Cells</span>
        {waiting > 0 ? (
          <span className="flex items-center gap-1.5 text-xs text-warn">
            <Drawn text="answer" />
            <StatusDot tone="warn" />
          </span>
        ) : (
          live > 0 && <Drawn text={`${live} running`} className="text-xs text-ink-3 tabular" />
        )}
      </button>
    </div>
  );
}
