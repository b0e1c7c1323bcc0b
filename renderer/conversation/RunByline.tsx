import { Workflow } from "lucide-react";
import type { RunRef } from "../../preload/contract/cells";
import { goToRun } from "../state/navigation";
import { cx } from "../ui/cx";

/** Which script has done it; leads to the run. */
export function RunByline({ run, className }: { run: RunRef; className?: string }) {
  return (
    <button
      type="button"
      title="Show this run"
      onClick={() => goToRun(run.runId)}
      className={cx(
        "flex max-w-full min-w-0 items-center gap-1 rounded-xs text-xs text-ink-3 transition-colors hover:text-ink-2 hover:underline",
        className,
      )}
    >
      <Workflow aria-hidden size={12} className="shrink-0" />
      <span className="truncate">{run.scriptName}</span>
      <span className="shrink-0">· script</span>
    </button>
  );
}
