import { Workflow } from "lucide-react";
import { send } from "../state/signals";
import { useHead } from "../state/threadStore";
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
          <span className="shrink-0 text-ink-3">Next</span>
        ) : (
          <span className="shrink-0 font-medium text-warn">
            Held<span className="hidden font-normal @[34rem]:inline">: {heldWords(held).brief}</span>
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
        {others.length > 0 && <span className="shrink-0 text-ink-3 tabular">and {others.length} more</span>}
      </button>
      {held !== null && <ContinueButton />}
    </div>
  );
}
