import { Clock, RotateCcw, ScrollText } from "lucide-react";
import { useId, useState } from "react";
import type { CleanupView } from "../../preload/contract/app";
import type { FaultView } from "../../preload/contract/fault";
import { useTicking } from "../conversation/time/useNow";
import { instantWords } from "../state/age";
import { useApp } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { showDialog } from "../state/uiStore";
import { Button } from "../ui/Button";
import { Spinner } from "../ui/Spinner";
import { type NextTry, nextWords, owedForWords, placeWords, triedWords } from "./cleanupWords";
import { PlaceFault } from "./PlaceFault";

export function CleanupRow({ cleanup }: { cleanup: CleanupView }) {
  const { id, title, reason, fault, hasLog, trying } = cleanup;
  const titleId = useId();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<FaultView | null>(null);
  const retry = async () => {
    setBusy(true);
    setFailed(null);
    try {
      // Whether it is still owed is seen in the list: it goes, or says anew why it failed.
      await call("cleanups.retry", { id });
    } catch (error) {
      setFailed(faultOf(error));
    }
    setBusy(false);
  };
  return (
    <li
      data-row={id}
      aria-labelledby={titleId}
      className="grid grid-cols-[minmax(0,1fr)] gap-1.5 rounded-m border border-line bg-raised px-3 py-2.5"
    >
      <div className="grid min-w-0">
        <h3 id={titleId} className="font-semibold text-pretty break-words selectable">
          {title}
        </h3>
        <p className="text-s text-pretty break-words text-ink-2 selectable">{reason}</p>
        <Place workspaceId={cleanup.workspaceId} sinceMs={cleanup.sinceMs} />
      </div>
      {fault && (
        <div className="border-l-2 border-bad/50 pl-2.5">
          <h4 className="text-xs text-ink-3">Why it failed</h4>
          <PlaceFault fault={fault} />
        </div>
      )}
      <Tries attempts={cleanup.attempts} trying={trying} nextAttemptAtMs={cleanup.nextAttemptAtMs} />
      <div className="flex flex-wrap gap-2">
        <Button
          data-row-stop
          aria-describedby={titleId}
          busy={busy}
          disabled={trying && !busy}
          icon={<RotateCcw aria-hidden size={13} />}
          onClick={() => void retry()}
        >
          Retry now
        </Button>
        {hasLog && (
          <Button
            tone="quiet"
            aria-describedby={titleId}
            icon={<ScrollText aria-hidden size={13} />}
            onClick={() => showDialog({ kind: "log", log: { log: "cleanup", id }, title: `Log · ${title}` })}
          >
            Show log
          </Button>
        )}
      </div>
      {failed && <PlaceFault fault={failed} live />}
    </li>
  );
}

function Place({ workspaceId, sinceMs }: { workspaceId: string | null; sinceMs: number }) {
  const place = useApp((app) => placeWords(workspaceId, app.workspaces));
  const owedFor = useTicking((nowMs) => owedForWords(sinceMs, nowMs));
  return (
    <p className="text-s break-words text-ink-3">
      In {place} · owed for{" "}
      <time
        dateTime={new Date(sinceMs).toISOString()}
        title={`Since ${instantWords(sinceMs)}`}
        className="whitespace-nowrap tabular"
      >
        {owedFor}
      </time>
    </p>
  );
}

/** One line whatever it says, and its mark has a place of its own: what it counts moves nothing. */
function Tries({ attempts, ...next }: NextTry & { attempts: number }) {
  const words = useTicking((nowMs) => nextWords(next, nowMs));
  return (
    <p className="flex h-[18px] min-w-0 items-center gap-1.5 text-s whitespace-nowrap text-ink-2 tabular">
      <span className="grid w-3 shrink-0 place-items-center">
        {next.trying ? <Spinner /> : <Clock aria-hidden size={12} className="text-ink-3" />}
      </span>
      <span className="truncate">
        {capital(triedWords(attempts))} · {words}
      </span>
    </p>
  );
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
