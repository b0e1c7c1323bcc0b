import { useEffect, useRef, useState } from "react";
import { useApp, useRows } from "../state/appStore";
import { uiStore } from "../state/uiStore";
import { useAge } from "../state/useAge";
import { Drawn } from "../ui/Drawn";
import { StatusDot } from "../ui/StatusDot";
import { goToNeed } from "./goToNeed";
import { type Need, needsOf, sameNeeds } from "./needs";
import { useHeldWhilePointing } from "./useHeldWhilePointing";

const words: Record<Need["why"], string> = {
  approve: "waiting for approval",
  answer: "waiting for answer",
  failed: "failed",
};

function useNeeds(): Need[] {
  const waiting = useApp((app) => app.waiting);
  const questions = useApp((app) => app.cellQuestions);
  const last = useRef<Need[]>([]);
  return useRows((rows) => {
    const next = needsOf(waiting, questions, rows);
    if (!sameNeeds(last.current, next)) last.current = next;
    return last.current;
  });
}

/** Everything that waits for the person, wherever it is. The list keeps still while someone points at it. */
export function NeedsYou() {
  const needs = useNeeds();
  const [shown, setShown] = useState(needs);
  const pointed = useRef(false);
  const newest = useRef(needs);
  newest.current = needs;
  useEffect(() => {
    if (!pointed.current) setShown(needs);
  }, [needs]);
  const pointing = useHeldWhilePointing((held) => {
    pointed.current = held;
    if (!held) setShown(newest.current);
  });
  const filtering = uiStore((store) => store.filter !== "");
  if (shown.length === 0 || filtering) return null;
  return (
    <section aria-label="Needs you" className="shrink-0 pb-1 pl-1.5" {...pointing}>
      <h2 className="flex h-7 items-center pt-1 pr-3 pl-1.5 text-xs font-semibold text-ink-3">
        Needs you
        <span className="ml-auto pr-1 font-medium tabular">{needs.length}</span>
      </h2>
      <ul className="scroll-slim max-h-[154px] overflow-y-auto">
        {shown.map((need) => (
          <li key={need.key}>
            <NeedRow need={need} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function NeedRow({ need }: { need: Need }) {
  const { title, within, what, why, question, sinceMs } = need;
  const age = useAge(sinceMs);
  const of = within === null ? "" : `, agent of ${within}`;
  const about = [what, question].filter((each) => each !== null).map((each) => `, ${each}`);
  const beside = within ?? question;
  return (
    <button
      type="button"
      aria-label={`${title}${of}, ${words[why]}${about.join("")}, ${age}`}
      title={beside === null ? title : `${title} · ${beside}`}
      onClick={() => goToNeed(need)}
      className="ring-inset grid h-(--h-row) w-full grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-2 rounded-s pr-2.5 pl-3 text-left hover:bg-hover"
    >
      <StatusDot tone={why === "failed" ? "bad" : "warn"} className="justify-self-center" />
      <span className="flex min-w-0 items-baseline gap-1.5">
        <span className={beside === null ? "truncate" : "max-w-full shrink-0 truncate"}>{title}</span>
        {beside !== null && <Drawn text={beside} className="min-w-0 truncate text-xs text-ink-3" />}
      </span>
      <span className="flex gap-1.5 text-xs text-ink-3">
        <Drawn text={what ?? why} />
        <Drawn text={age} className="tabular" />
      </span>
    </button>
  );
}
