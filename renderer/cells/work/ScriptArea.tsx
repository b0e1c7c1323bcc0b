// One script: what there is to say about it, its text, and below it the run that is shown.

import { useEffect, useRef, useState } from "react";
import { useApp } from "../../state/appStore";
import { runStore } from "../../state/runStore";
import { changeLayout, uiStore, useLayout } from "../../state/uiStore";
import { ErrorBoundary } from "../../ui/ErrorBoundary";
import { Later, LaterPart } from "../../ui/later";
import { Spinner } from "../../ui/Spinner";
import { Splitter } from "../../ui/Splitter";
import { runScript } from "../actions";
import { RunView } from "../run/RunView";
import type { EditedScript, ReadyScript, ScriptView } from "../saving/editedScript";
import { useEditedScript } from "../saving/useEditedScript";
import { useWorkspaceForRuns } from "../whereRuns";
import { ScriptNotices, UnreadableScript } from "./ScriptNotices";
import { NoWorkspace } from "./Start";

/** Not before the page is shown: it is the largest part of it. */
export const editor = new LaterPart(async () => (await import("../editor/ScriptEditor")).ScriptEditor);

/** `askingPx`: with a question below the output there is room for both. */
const runLimits = { minPx: 120, usualPx: 300, askingPx: 420 };
const editorMinPx = 120;

export function ScriptArea({ scriptId, runId }: { scriptId: string; runId: string | null }) {
  const { script, view } = useEditedScript(scriptId);
  const { box, heightPx } = useHeight();
  useLeaveUnknown(view);
  const panes = useLayout((layout) => layout.cellPanes);
  const canRun = useWorkspaceForRuns() !== null;
  const runMaxPx = Math.max(runLimits.minPx, heightPx - editorMinPx);
  const asks = useApp((app) => app.cellQuestions.some((question) => question.runId === runId));
  // Whoever gives it another height while it asks means that one.
  const [sizedRun, setSizedRun] = useState<string | null>(null);
  const leastPx = asks && sizedRun !== runId ? runLimits.askingPx : 0;
  const runPx = Math.min(Math.max(panes.runPx, leastPx), runMaxPx);
  return (
    <div ref={box} className="flex min-h-0 flex-1 flex-col">
      {!canRun && (
        <div className="shrink-0 p-3 pb-0">
          <NoWorkspace />
        </div>
      )}
      {view.phase === "ready" && <ScriptNotices script={script} view={view} />}
      <div data-pane="cells-script" className="flex min-h-0 flex-1 flex-col">
        {view.phase === "ready" && <Editor script={script} view={view} runId={runId} />}
        {view.phase === "loading" && <Opening />}
        {view.phase === "unreadable" && <UnreadableScript script={script} fault={view.fault} />}
      </div>
      {runId !== null && (
        <>
          <Splitter
            label="Height of the run"
            controls="cells-run"
            pane="bottom"
            valuePx={runPx}
            minPx={runLimits.minPx}
            maxPx={runMaxPx}
            usualPx={runLimits.usualPx}
            onChange={(px) => {
              if (asks) setSizedRun(runId);
              changeLayout({ cellPanes: { ...panes, runPx: px } });
            }}
          />
          <div
            id="cells-run"
            data-pane="cells-run"
            className="relative flex shrink-0 flex-col bg-panel"
            style={{ height: runPx }}
          >
            <ErrorBoundary what="The run" resetKey={runId}>
              <RunView
                key={runId}
                runId={runId}
                onClose={() => changeLayout({ cells: { scriptId, runId: null } })}
              />
            </ErrorBoundary>
          </div>
        </>
      )}
    </div>
  );
}

interface EditorProps {
  script: EditedScript;
  view: ReadyScript;
  runId: string | null;
}

function Editor({ script, view, runId }: EditorProps) {
  const { scriptId } = script;
  const error = runStore(({ shown }) =>
    shown.phase === "shown" && shown.runId === runId && shown.copy.head.scriptId === scriptId
      ? shown.copy.head.error
      : null,
  );
  const ranSource = runStore(({ shown }) => (shown.phase === "shown" ? shown.copy.head.source : null));
  return (
    <ErrorBoundary what="The editor" resetKey={scriptId}>
      <Later
        part={editor}
        props={{
          scriptId,
          source: view.source,
          // What was at that line then need not be there now.
          error: error !== null && ranSource === view.source ? error : null,
          onEdit: (source) => script.edit(source),
          onLeave: () => script.flush(),
          onRun: () => void runScript(scriptId),
        }}
        meanwhile={<Opening />}
      />
    </ErrorBoundary>
  );
}

/** A script of the last time that is gone meanwhile is nothing to trouble anyone with. */
function useLeaveUnknown(view: ScriptView): void {
  const isUnknown = view.phase === "unreadable" && view.fault.code === "script_unknown";
  useEffect(() => {
    if (!isUnknown) return;
    const { cells } = uiStore.getState().layout;
    changeLayout({ cells: { ...cells, scriptId: null } });
  }, [isUnknown]);
}

function Opening() {
  return (
    <div className="grid min-h-0 flex-1 place-content-center p-6">
      <p role="status" className="flex animate-late items-center gap-2 text-ink-2">
        <Spinner />
        Opening the script…
      </p>
    </div>
  );
}

function useHeight() {
  const box = useRef<HTMLDivElement>(null);
  const [heightPx, setHeightPx] = useState(800);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setHeightPx(entry.contentRect.height));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, heightPx };
}
