import type { LimitsView } from "../../../preload/contract/codexPage";
import { useNow } from "../../conversation/time/useNow";
import { Fact, Facts } from "../../environments/overview/Facts";
import { instantWords } from "../../state/age";
import { cx } from "../../ui/cx";
import { Notice } from "../../ui/Notice";
import {
  creditWords,
  currentWindows,
  inWords,
  isReached,
  levelOf,
  type NamedWindow,
  percentWords,
  resetWords,
} from "../usageWords";

const fills = { calm: "bg-accent", high: "bg-dot-warn", full: "bg-dot-bad" };

/** The windows of each limit, with how full they are and when they begin anew. */
export function Limits({ limits }: { limits: LimitsView | null }) {
  const nowMs = useNow(limits !== null);
  if (limits === null)
    return <p className="text-m text-ink-2">codex has not said what is used. It is not known.</p>;
  const { plan, credits, others, atMs } = limits;
  const reached = isReached(limits, nowMs);
  const windows = currentWindows(limits, nowMs);
  const fullest = Math.max(0, ...windows.map(({ usedPercent }) => usedPercent));
  return (
    <div className="grid grid-cols-1 gap-4">
      {(reached || fullest >= 80) && (
        <Notice
          tone={reached ? "error" : "warning"}
          title={
            reached
              ? "A limit is reached: codex does no work until it begins anew, or more is bought."
              : "A limit is almost reached."
          }
          hint="Threads stay as they are, and what you send then can be sent again."
        />
      )}
      {windows.length === 0 && (
        <p className="text-m text-ink-2">codex names no limit. What is used is not known.</p>
      )}
      {windows.map((window) => (
        <Meter key={window.name} window={window} nowMs={nowMs} />
      ))}
      {others.map((other) =>
        currentWindows(other, nowMs).map((window) => (
          <Meter
            key={`${other.name} ${window.name}`}
            window={{ ...window, name: `${other.name}: ${window.name}` }}
            nowMs={nowMs}
          />
        )),
      )}
      <Facts>
        <Fact name="Plan">{plan ?? "not known"}</Fact>
        <Fact name="Credits">{creditWords(credits)}</Fact>
        <Fact name="As of">{instantWords(atMs)}</Fact>
      </Facts>
    </div>
  );
}

function Meter({ window, nowMs }: { window: NamedWindow; nowMs: number }) {
  const { name, usedPercent, resetsAtMs } = window;
  const percent = percentWords(usedPercent);
  const reset = resetWords(resetsAtMs, nowMs);
  const level = levelOf(usedPercent);
  return (
    <div className="grid grid-cols-1 gap-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium first-letter:uppercase">{name}</span>
        <span
          className={cx(
            "tabular",
            level === "calm" ? "text-ink" : level === "high" ? "text-warn" : "text-bad",
          )}
        >
          {percent} used
        </span>
      </div>
      <meter
        className="sr-only"
        aria-label={name}
        aria-valuetext={`${percent} used`}
        min={0}
        max={100}
        value={Math.min(100, usedPercent)}
      />
      <div aria-hidden className="h-[5px] overflow-hidden rounded-full bg-line">
        <div
          className={cx("h-full rounded-full", fills[level])}
          style={{ width: `${Math.min(100, Math.max(0, usedPercent))}%` }}
        />
      </div>
      <p className="text-s text-ink-3 tabular">
        {resetsAtMs === null
          ? "codex does not say when it begins anew."
          : `${reset ?? ""} · ${inWords(resetsAtMs, nowMs)} · ${instantWords(resetsAtMs)}`}
      </p>
    </div>
  );
}
