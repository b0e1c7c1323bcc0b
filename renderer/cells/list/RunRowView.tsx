import type { RunRow } from "../../../preload/contract/cells";
import { elapsedWords } from "../../conversation/time/durations";
import { useTicking } from "../../conversation/time/useNow";
import { useAge } from "../../state/useAge";
import { runTones } from "../../state/words";
import { StatusDot } from "../../ui/StatusDot";
import { runStateWords } from "../runLook";

export function RunRowView({ run }: { run: RunRow }) {
  const { state, scriptName, workspaceName, startedAtMs, endedAtMs } = run;
  return (
    <div className="grid h-full grid-cols-[14px_minmax(0,1fr)] content-center gap-x-2 px-2.5">
      <StatusDot tone={runTones[state]} className="self-center justify-self-center" />
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="min-w-0 flex-1 truncate">{scriptName}</span>
        <span className="shrink-0 text-xs text-ink-3 tabular">
          {endedAtMs === null ? <Elapsed sinceMs={startedAtMs} /> : <Age thenMs={endedAtMs} />}
        </span>
      </span>
      <span className="col-start-2 flex min-w-0 gap-1 text-xs text-ink-3 tabular">
        <span className={state === "waiting for answer" ? "shrink-0 text-warn" : "shrink-0"}>
          {runStateWords(run)}
        </span>
        <span className="truncate">· {workspaceName}</span>
      </span>
    </div>
  );
}

function Elapsed({ sinceMs }: { sinceMs: number }) {
  return useTicking((nowMs) => elapsedWords(nowMs - sinceMs));
}

function Age({ thenMs }: { thenMs: number }) {
  return useAge(thenMs);
}
