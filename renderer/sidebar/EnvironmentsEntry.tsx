import { Server } from "lucide-react";
import { sidebarLook } from "../environments/environmentLook";
import { useApp, useRows } from "../state/appStore";
import { goToEnvironments } from "../state/navigation";
import { useLayout } from "../state/uiStore";
import { cx } from "../ui/cx";
import { Drawn } from "../ui/Drawn";
import { ariaKeys } from "../ui/keys";
import { StatusDot } from "../ui/StatusDot";

const separator = "\n";

/** The way to the page of environments, with what is in the way of a thread, or how many are connected. */
export function EnvironmentsEntry() {
  const environments = useApp((app) => app.environments);
  const used = useRows((rows) => {
    const ids = new Set<string>();
    for (const { environmentId } of rows.values()) if (environmentId !== undefined) ids.add(environmentId);
    return [...ids].sort().join(separator);
  });
  const isHere = useLayout((layout) => layout.page === "environments");
  const look = sidebarLook(environments, new Set(used.split(separator)));
  return (
    <div className="shrink-0 px-1.5 pb-1.5">
      <button
        type="button"
        aria-label={look === null ? "Environments" : `Environments, ${look.words}`}
        aria-current={isHere ? "page" : undefined}
        aria-keyshortcuts={ariaKeys("mod+shift+e")}
        title="Where commands run: other machines, and exec-servers on this one"
        onClick={() => goToEnvironments()}
        className={cx(
          "ring-inset grid h-(--h-row) w-full grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-2 rounded-s pr-2.5 pl-3 text-left transition-colors",
          isHere ? "bg-sel" : "text-ink-2 hover:bg-hover hover:text-ink",
        )}
      >
        <Server aria-hidden size={14} className="justify-self-center" />
        <span className="truncate">Environments</span>
        {look !== null && (
          <span className={cx("flex items-center gap-1.5 text-xs tabular", sidebarInk(look.tone))}>
            <Drawn text={look.words} />
            {look.tone !== "idle" && <StatusDot tone={look.tone} />}
          </span>
        )}
      </button>
    </div>
  );
}

function sidebarInk(tone: string): string {
  if (tone === "bad") return "text-bad";
  return tone === "warn" ? "text-warn" : "text-ink-3";
}
