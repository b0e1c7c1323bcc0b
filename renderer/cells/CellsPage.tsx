// The page of scripts and their runs: a list, and beside it the script or the run that is shown.

import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useEffect, useRef } from "react";
import { PaneHead } from "../shell/PaneHead";
import { useApp } from "../state/appStore";
import { runStore } from "../state/runStore";
import { onLineAsked } from "../state/scriptLines";
import { onSignal } from "../state/signals";
import { toast } from "../state/toasts";
import { changeLayout, uiStore, useLayout } from "../state/uiStore";
import { IconButton } from "../ui/IconButton";
import { ListOver } from "../ui/ListOver";
import { Splitter } from "../ui/Splitter";
import { useKeyboardStays } from "../ui/useKeyboardStays";
import { useWidth } from "../ui/useWidth";
import { openScript, runScript, stopShownRun } from "./actions";
import { cellsStore } from "./cellsStore";
import { type CellsShown, cellsShown } from "./cellsView";
import { CellsList } from "./list/CellsList";
import { onCopied } from "./saving/scripts";
import { settleWorkspaceForRuns, useWorkspaceForRuns } from "./whereRuns";
import { RunArea, RunHead } from "./work/RunArea";
import { editor, ScriptArea } from "./work/ScriptArea";
import { ScriptHead } from "./work/ScriptHead";
import { StartArea, StartHead } from "./work/Start";

const closeList = () => cellsStore.setState({ listOver: false });
const listLimits = { minPx: 180, usualPx: 240, mostPx: 420 };
const workMinPx = 420;

export function CellsPage() {
  const cells = useLayout((layout) => layout.cells);
  const runs = useApp((app) => app.runs);
  const shown = cellsShown(cells, runs);
  const page = useRef<HTMLDivElement>(null);
  const { box, widthPx } = useWidth(1000);
  const panes = useLayout((layout) => layout.cellPanes);
  const listOver = cellsStore((store) => store.listOver);
  const isNarrow = widthPx < listLimits.minPx + workMinPx;
  const listMaxPx = Math.max(listLimits.minPx, Math.min(listLimits.mostPx, widthPx - workMinPx));
  const listPx = Math.min(panes.listPx, listMaxPx);
  const listShown = isNarrow ? listOver : panes.listOpen;
  useLeaveUnknownRun();
  useFollowCopies();
  useAskedLines();
  useCommands(shown);
  useKeyboardStays(page);
  useSettledWorkspace();
  useEffect(() => void editor.load(), []);
  const toggleList = () => {
    if (isNarrow) cellsStore.setState({ listOver: !listOver });
    else changeLayout({ cellPanes: { ...panes, listOpen: !panes.listOpen } });
  };
  return (
    <div ref={page} className="flex min-h-0 flex-1 flex-col">
      <PaneHead inspector={false}>
        <IconButton
          label={listShown ? "Hide the list of scripts" : "Show the list of scripts"}
          aria-expanded={listShown}
          icon={listShown ? <PanelLeftClose size={16} /> : <PanelLeftOpen size={16} />}
          onClick={toggleList}
          className="-ml-2"
        />
        <Head shown={shown} />
      </PaneHead>
      <div ref={box} className="relative flex min-h-0 flex-1">
        {listShown && !isNarrow && (
          <>
            <div id="cells-list" className="shrink-0" style={{ width: listPx }}>
              <CellsList shown={shown} />
            </div>
            <Splitter
              label="Width of the list of scripts"
              controls="cells-list"
              pane="left"
              valuePx={listPx}
              minPx={listLimits.minPx}
              maxPx={listMaxPx}
              usualPx={listLimits.usualPx}
              onChange={(px) => changeLayout({ cellPanes: { ...panes, listPx: px } })}
            />
          </>
        )}
        <div className="flex min-w-0 flex-1 flex-col">
          <Area shown={shown} />
        </div>
        {isNarrow && listOver && (
          <ListOver onClose={closeList}>
            <CellsList shown={shown} />
          </ListOver>
        )}
      </div>
    </div>
  );
}

function Head({ shown }: { shown: CellsShown }) {
  switch (shown.kind) {
    case "start":
      return <StartHead />;
    case "script":
      return <ScriptHead key={shown.scriptId} scriptId={shown.scriptId} />;
    case "run":
      return <RunHead runId={shown.runId} scriptId={shown.scriptId} />;
    default: {
      const unknown: never = shown;
      return unknown;
    }
  }
}

function Area({ shown }: { shown: CellsShown }) {
  switch (shown.kind) {
    case "start":
      return <StartArea />;
    case "script":
      return <ScriptArea scriptId={shown.scriptId} runId={shown.runId} />;
    case "run":
      return <RunArea runId={shown.runId} />;
    default: {
      const unknown: never = shown;
      return unknown;
    }
  }
}

/** Keys and commands of the whole window reach what is shown here. */
function useCommands(shown: CellsShown): void {
  const newest = useRef(shown);
  newest.current = shown;
  useEffect(() => {
    const stop = [
      onSignal("run-script", () => {
        if (newest.current.kind === "script") void runScript(newest.current.scriptId);
      }),
      onSignal("stop-run", stopShownRun),
    ];
    return () => {
      for (const each of stop) each();
    };
  }, []);
}

/** Where scripts run is what the page has said, whatever is looked at meanwhile. */
function useSettledWorkspace(): void {
  const chosen = useLayout((layout) => layout.cellsWorkspaceId);
  const workspaceId = useWorkspaceForRuns();
  useEffect(() => {
    if (workspaceId !== chosen) settleWorkspaceForRuns();
  }, [workspaceId, chosen]);
}

/** A run that is not kept any more is nothing to show: the page goes on without it. */
function useLeaveUnknownRun(): void {
  const cells = useLayout((layout) => layout.cells);
  const gone = runStore(
    ({ shown }) =>
      shown.phase === "failed" && shown.runId === cells.runId && shown.fault.code === "run_unknown",
  );
  useEffect(() => {
    if (gone) changeLayout({ cells: { ...cells, runId: null } });
  }, [gone, cells]);
}

/** The copy that typing into a script has made is shown in its place. */
function useFollowCopies(): void {
  const scriptId = useLayout((layout) => layout.cells.scriptId);
  useEffect(
    () =>
      onCopied((from, to) => {
        if (from === scriptId) openScript(to);
        toast("You are editing a copy", { hint: "The script that came with Holdfast stays as it is." });
      }),
    [scriptId],
  );
}

/** A line that was asked for is shown in its script, with the run that it was asked from below it. */
function useAskedLines(): void {
  useEffect(
    () =>
      onLineAsked((asked) => {
        const { scriptId } = asked;
        const { cells } = uiStore.getState().layout;
        changeLayout({ cells: { ...cells, scriptId } });
        cellsStore.setState({ asked });
      }),
    [],
  );
}
