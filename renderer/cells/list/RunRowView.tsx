import type { RunRow } from "../../../preload/contract/cells";
import { elapsedWords } from "../../conversation/time/durations";
import { useTicking } from "../../conversation/time/useNow";
import { useAge } from "../../state/useAge";
import { runTones } from "../../state/words";
import { Drawn } from "../../ui/Drawn";
import { StatusDot } from "../../ui/StatusDot";
import { runStateWords } from "../runLook";

export function RunRowView({ run }: { run: RunRow }) {
  const { state, scriptName, workspaceName, startedAtMs, endedAtMs } = run;
  return (
    <div className="grid h-full grid-cols-[14px_minmax(0,1fr)] content-center gap-x-2 px-2.5">
      <StatusDot tone={runTones[state]} className="self-center justify-self-center" />
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="min-w-0 flex-1 truncate">{scriptName}</span>
        {endedAtMs === null ? <Elapsed sinceMs={startedAtMs} /> : <Age thenMs={endedAtMs} />}
      </span>
      <span className="col-start-2 flex min-w-0 gap-1 text-xs text-ink-3 tabular">
        <Drawn
          className={state === "waiting for answer" ? "shrink-0 text-warn" : "shrink-0"}
          text={runStateWords(run)}
        />
        <Drawn className="truncate" text={`· ${workspaceName}`} />
      </span>
    </div>
  );
}

const timeLook = "shrink-0 text-xs text-ink-3 tabular";

function Elapsed({ sinceMs }: { sinceMs: number }) {
  return <Drawn className={timeLook} text={useTicking((nowMs) => elapsedWords(nowMs - sinceMs))} />;
}

function Age({ thenMs }: { thenMs: number }) {
  return <Drawn className={timeLook} text={useAge(thenMs)} />;
}
