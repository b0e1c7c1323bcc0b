import { ListChecks, Play } from "lucide-react";
import { useState } from "react";
import type { Item } from "../../../preload/contract/items";
import { useBlocked } from "../../composer/useBlocked";
import { send } from "../../state/signals";
import { useThread } from "../../state/threadStore";
import { Button } from "../../ui/Button";
import { CopyButton } from "../CopyButton";
import { carryOut, planToCarryOut } from "./carryOut";
import { GappedMarkdown } from "./GappedMarkdown";

export function PlanItem({ item }: { item: Extract<Item, { kind: "plan" }> }) {
  const isNext = useThread((copy) => planToCarryOut(copy) === item.id);
  return (
    <section className="overflow-hidden rounded-m border border-line bg-raised">
      <h3 className="flex h-8 items-center gap-2 border-b border-line pr-1 pl-2.5 text-s font-semibold text-ink-2">
        <ListChecks aria-hidden size={14} className="text-accent" />
        <span className="flex-1">Plan</span>
        {item.text !== "" && <CopyButton label="Copy plan" text={() => item.text} />}
      </h3>
      <div className="quiet-prose grid grid-cols-[minmax(0,1fr)] gap-1.5 px-3.5 py-2.5 [&_.prose]:text-ink">
        <GappedMarkdown text={item.text} gaps={item.gaps} open={item.status === "running"} what="plan" />
      </div>
      {isNext && <Next />}
    </section>
  );
}

function Next() {
  const blocked = useBlocked();
  const plans = useThread((copy) => copy.head.settings.mode === "plan");
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    // The button goes once it is carried out.
    send("focus-composer");
    await carryOut();
    setBusy(false);
  };
  return (
    <div className="flex items-center gap-3 border-t border-line px-2.5 py-2 text-s text-ink-3">
      <Button
        size="s"
        tone="primary"
        icon={<Play aria-hidden size={12} />}
        busy={busy}
        disabled={blocked !== null}
        aria-description={blocked?.reason}
        onClick={() => void start()}
      >
        Carry out
      </Button>
      <span className="min-w-0 text-pretty">
        {blocked?.reason ??
          (plans
            ? "Leaves plan mode and starts. Or write what should be different."
            : "Or write what should be different.")}
      </span>
    </div>
  );
}
