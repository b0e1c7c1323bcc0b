import { limitLine } from "../codex/usageWords";
import { useTicking } from "../conversation/time/useNow";
import { useApp } from "../state/appStore";
import { goToCodex } from "../state/navigation";
import { cx } from "../ui/cx";
import { StatusDot } from "../ui/StatusDot";

/** Of the limit that is nearest to its end; nothing at all while codex has not said anything. */
export function LimitStatus() {
  const limits = useApp((app) => app.limits);
  const words = useTicking((nowMs) => limitLine(limits, nowMs)?.words ?? "");
  if (words === "") return null;
  const level = limitLine(limits, Date.now())?.level ?? "calm";
  return (
    <output aria-label="Limit" className="flex min-w-0">
      <button
        type="button"
        title="Show usage and limits"
        onClick={() => goToCodex("usage")}
        className={cx(
          "ring-inset flex h-5 min-w-0 items-center gap-1.5 rounded-xs px-1.5 transition-colors hover:bg-hover",
          level === "high" && "text-warn",
          level === "full" && "text-bad",
        )}
      >
        {level !== "calm" && <StatusDot tone={level === "high" ? "warn" : "bad"} className="size-[7px]" />}
        <span className="truncate">
          {level === "calm" ? words : `${level === "full" ? "Reached" : "Almost reached"}: ${words}`}
        </span>
      </button>
    </output>
  );
}
