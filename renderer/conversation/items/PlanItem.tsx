import { ListChecks } from "lucide-react";
import type { Item } from "../../../preload/contract/items";
import { GappedMarkdown } from "./GappedMarkdown";

export function PlanItem({ item }: { item: Extract<Item, { kind: "plan" }> }) {
  return (
    <section className="overflow-hidden rounded-m border border-line bg-raised">
      <h3 className="flex h-8 items-center gap-2 border-b border-line px-2.5 text-s font-semibold text-ink-2">
        <ListChecks aria-hidden size={14} className="text-accent" />
        Plan
      </h3>
      <div className="quiet-prose grid grid-cols-[minmax(0,1fr)] gap-1.5 px-3.5 py-2.5 [&_.prose]:text-ink">
        <GappedMarkdown text={item.text} gaps={item.gaps} open={item.status === "running"} what="plan" />
      </div>
    </section>
  );
}
