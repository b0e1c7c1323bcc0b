import { ListChecks } from "lucide-react";
import type { Item, PlanStep } from "../../../preload/contract/items";
import { cx } from "../../ui/cx";
import { Markdown } from "../markdown/Markdown";

export function PlanItem({ item }: { item: Extract<Item, { kind: "plan" }> }) {
  return (
    <section className="overflow-hidden rounded-m border border-line bg-raised">
      <h3 className="flex h-8 items-center gap-2 border-b border-line px-2.5 text-s font-semibold text-ink-2">
        <ListChecks aria-hidden size={14} className="text-accent" />
        Plan
      </h3>
      <div className="quiet-prose px-3.5 py-2.5 [&_.prose]:text-ink">
        <Markdown text={item.text} open={item.status === "running"} />
      </div>
    </section>
  );
}

const stepWords: Record<PlanStep["status"], string> = {
  completed: "done",
  inProgress: "now",
  pending: "to do",
};

/** The steps of the plan that is being worked on, as a checklist. */
function PlanSteps({ steps }: { steps: readonly PlanStep[] }) {
  return (
    <ol className="grid">
      {steps.map((step, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place, its words may be rewritten
          key={index}
          className={cx(
            "grid grid-cols-[18px_minmax(0,1fr)] gap-2 py-[3px]",
            step.status === "completed" && "text-ink-3",
            step.status === "inProgress" && "font-medium",
          )}
        >
          <StepBox status={step.status} />
          <span className="break-words">
            {step.step}
            <span className="sr-only">, {stepWords[step.status]}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function StepBox({ status }: { status: PlanStep["status"] }) {
  return (
    <span
      aria-hidden
      className={cx(
        "mt-0.5 grid size-[15px] place-items-center rounded-[4px] border-[1.5px] text-[10px] leading-none",
        status === "completed" && "border-dot-ok bg-dot-ok text-canvas",
        status === "inProgress" && "border-accent",
        status === "pending" && "border-line-strong",
      )}
    >
      {status === "completed" && "✓"}
      {status === "inProgress" && <span className="size-[7px] rounded-[2px] bg-accent" />}
    </span>
  );
}
