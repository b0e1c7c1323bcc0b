import { Workflow } from "lucide-react";
import { send } from "../state/signals";
import { useHead } from "../state/threadStore";
import { Drawn } from "../ui/Drawn";
import { ContinueButton } from "./HeldNotice";
import { byWords, heldWords, lineOf, waitingWords } from "./words";

/** Above the composer: that follow-ups wait, which one is next, and what holds them. All of it is in the inspector's tab. */
export function FollowUpStrip() {
  const followUps = useHead((head) => head.followUps);
  const { entries, held } = followUps;
  const [first, ...others] = entries;
  if (!first) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a form's look and rules
    <div
      role="group"
      aria-label="Waiting follow-ups"
      className="mb-1.5 flex h-7 animate-appear items-center gap-2 pl-1 text-s"
    >
      <button
        type="button"
        aria-label={`${waitingWords(followUps)}. Show follow-ups`}
        onClick={() => send("show-follow-ups")}
        className="group flex h-6 min-w-0 flex-1 items-center gap-2 rounded-s text-left"
      >
        {held === null ? (
          <Drawn className="shrink-0 text-ink-3" text="Next" />
        ) : (
          <span className="shrink-0 font-medium text-warn">
            <Drawn text="Held" />
            <Drawn className="hidden font-normal @[34rem]:inline" text={`: ${heldWords(held).brief}`} />
          </span>
        )}
        <span className="flex min-w-0 items-center gap-1.5 rounded-full border border-line bg-raised px-2.5 leading-[22px] text-ink-2 transition-colors group-hover:border-line-strong group-hover:text-ink">
          {first.byRun && (
            <span title={byWords(first) ?? undefined} className="shrink-0 text-ink-3">
              <Workflow aria-hidden size={12} />
            </span>
          )}
          <span className="truncate">{lineOf(first)}</span>
        </span>
        {others.length > 0 && (
          <Drawn className="shrink-0 text-ink-3 tabular" text={`and ${others.length} more`} />
        )}
      </button>
      {held !== null && <ContinueButton />}
    </div>
  );
}
