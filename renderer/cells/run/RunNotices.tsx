import { RotateCcw } from "lucide-react";
import { useState } from "react";
import type { RunError } from "../../../preload/contract/cells";
import { cleanupIdOfRun } from "../../../preload/contract/cells";
import { useTicking } from "../../conversation/time/useNow";
import { nextWords } from "../../inspector/cleanupWords";
import { useApp } from "../../state/appStore";
import { showCleanup } from "../../state/cleanups";
import { call } from "../../state/connection";
import { runStore, shownRun, useRun } from "../../state/runStore";
import { askForLine } from "../../state/scriptLines";
import { attempt } from "../../state/toasts";
import { showDialog } from "../../state/uiStore";
import { Button } from "../../ui/Button";
import { Details } from "../../ui/Details";
import { Notice } from "../../ui/Notice";
import { errorWords } from "./runWords";

/** What is to be known about a run before its output is read. */
export function RunNotices() {
  const error = useRun((copy) => copy.head.error);
  const cutOff = useRun((copy) => copy.head.state === "cut off");
  const stopped = useRun((copy) => copy.head.state === "stopped");
  const owed = useRun((copy) => copy.head.cleanup !== null);
  const stale = runStore(({ shown }) => shown.phase === "shown" && shown.stale);
  if (!error && !cutOff && !owed && !stale) return null;
  return (
    <div className="grid max-h-[45%] shrink-0 grid-cols-[minmax(0,1fr)] gap-2 overflow-y-auto border-b border-line px-3 py-2">
      {stale && (
        <Notice
          tone="warning"
          title="This window lost its connection to Holdfast."
          hint="What you see is the last that was known. The script goes on."
          actions={<Button onClick={() => window.location.reload()}>Reload the window</Button>}
        />
      )}
      {cutOff && (
        <Notice
          tone="warning"
          title="Cut off: Holdfast went away while it ran."
          hint="Its threads went on. What it had written by then is below."
        />
      )}
      {error && stopped && (
        <Notice tone="warning" title={error.text} hint="What it had written by then is below." />
      )}
      {error && !stopped && <Failure error={error} />}
      {owed && <CleanupOwed />}
    </div>
  );
}

function Failure({ error }: { error: RunError }) {
  const source = useRun((copy) => copy.head.source);
  const { text, trace, line } = errorWords(error, source);
  const scriptId = useRun((copy) => copy.head.scriptId);
  const hasScript = useApp((app) => app.scripts.some((script) => script.scriptId === scriptId));
  const goToLine = () => {
    const head = shownRun()?.head;
    if (!head || head.scriptId === null || !line) return;
    askForLine({ scriptId: head.scriptId, source: head.source, line: line.number, column: line.column });
  };
  return (
    <section
      aria-label="Error"
      className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-m border border-bad/40 bg-bad-soft px-3 py-2"
    >
      <p className="font-medium text-pretty break-words whitespace-pre-wrap selectable">{text}</p>
      {line && (
        <p className="flex min-w-0 items-baseline gap-2 text-s">
          {hasScript ? (
            <button
              type="button"
              onClick={goToLine}
              title="Show this line in the script"
              className="min-h-6 shrink-0 rounded-xs font-medium text-accent hover:underline"
            >
              Line {line.number}
            </button>
          ) : (
            <span className="shrink-0 text-ink-2">Line {line.number}</span>
          )}
          <code className="min-w-0 truncate font-mono text-s text-ink-2 selectable">{line.source}</code>
        </p>
      )}
      {error.isLimit && (
        <div>
          <Button size="s" onClick={() => showDialog({ kind: "settings", section: "cells" })}>
            Change the limits…
          </Button>
        </div>
      )}
      {trace !== null && <Details text={trace} />}
    </section>
  );
}

/** What the run had begun could not be ended yet. It is tried again by itself, and here. */
function CleanupOwed() {
  const runId = useRun((copy) => copy.head.runId);
  const fault = useRun((copy) => copy.head.cleanup);
  const owed = useApp((app) => app.cleanups.find(({ id }) => id === cleanupIdOfRun(runId)));
  const [busy, setBusy] = useState(false);
  const next = useTicking((nowMs) => (owed ? nextWords(owed, nowMs) : ""));
  if (!fault) return null;
  const retry = async () => {
    setBusy(true);
    await attempt(call("cleanups.retry", { id: cleanupIdOfRun(runId) }));
    setBusy(false);
  };
  return (
    <Notice
      tone="warning"
      title="What this run had begun is not ended yet."
      hint={`${fault.message}${next === "" ? "" : ` Tried ${next}.`}`}
      detail={fault.detail}
      actions={
        <>
          <Button
            busy={busy}
            disabled={owed?.trying === true && !busy}
            icon={<RotateCcw aria-hidden size={13} />}
            onClick={() => void retry()}
          >
            Retry now
          </Button>
          <Button tone="quiet" onClick={showCleanup}>
            Show cleanup
          </Button>
        </>
      }
    />
  );
}
