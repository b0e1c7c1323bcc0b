import { Check } from "lucide-react";
import type { PlanStep } from "../../preload/contract/items";
import { useHead } from "../state/threadStore";
import { cx } from "../ui/cx";
import { doneOf, stepWords } from "./progressWords";
import { Section } from "./Section";

const boxes: Record<PlanStep["status"], string> = {
  completed: "border-ok bg-ok text-panel",
  inProgress: "border-accent",
  pending: "border-line-strong",
};

export function Plan() {
  const plan = useHead((head) => head.plan);
  const running = useHead((head) => head.run !== null);
  if (plan === null || plan.steps.length === 0) return null;
  const { steps, explanation } = plan;
  return (
    <Section title={`Plan · ${doneOf(steps)} of ${steps.length}`}>
      {explanation !== null && explanation !== "" && (
        <p className="text-s text-pretty text-ink-2 selectable">{explanation}</p>
      )}
      <ol className="grid gap-0.5">
        {steps.map((step, index) => (
          // A plan is replaced whole; a step is its place in it.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Step key={index} step={step} running={running} />
        ))}
      </ol>
    </Section>
  );
}

function Step({ step: { step, status }, running }: { step: PlanStep; running: boolean }) {
  const now = status === "inProgress";
  return (
    <li aria-current={now ? "step" : undefined} className="flex gap-2.5 py-0.5">
      <span
        aria-hidden
        className={cx(
          "mt-[2.5px] grid size-[15px] shrink-0 place-items-center rounded-xs border-[1.5px] transition-colors",
          boxes[status],
        )}
      >
        {status === "completed" && <Check size={11} strokeWidth={3} />}
        {now && <span className={cx("size-[7px] rounded-[1px] bg-accent", running && "animate-breathe")} />}
      </span>
      <span
        className={cx(
          "min-w-0 break-words selectable",
          status === "completed" && "text-ink-3",
          now && "font-semibold",
        )}
      >
        <span className="sr-only">{stepWords[status]}: </span>
        {step}
      </span>
    </li>
  );
}
