// A run without its script beside it.

import { FileCode } from "lucide-react";
import { useApp } from "../../state/appStore";
import { changeLayout } from "../../state/uiStore";
import { Button } from "../../ui/Button";
import { ErrorBoundary } from "../../ui/ErrorBoundary";
import { RunView } from "../run/RunView";

export function RunHead({ runId, scriptId }: { runId: string; scriptId: string | null }) {
  const name = useApp((app) => app.runs.find((run) => run.runId === runId)?.scriptName);
  const hasScript = useApp((app) => app.scripts.some((script) => script.scriptId === scriptId));
  return (
    <>
      <h1 className="truncate text-l font-semibold tracking-[-0.01em]">{name ?? "Run"}</h1>
      <span className="flex-1" />
      {scriptId !== null && hasScript && (
        <Button
          icon={<FileCode aria-hidden size={14} />}
          onClick={() => changeLayout({ cells: { scriptId, runId } })}
        >
          Open script
        </Button>
      )}
    </>
  );
}

export function RunArea({ runId }: { runId: string }) {
  return (
    <div data-pane="cells-run" className="flex min-h-0 flex-1 flex-col">
      <ErrorBoundary what="The run" resetKey={runId}>
        <RunView key={runId} runId={runId} />
      </ErrorBoundary>
    </div>
  );
}
