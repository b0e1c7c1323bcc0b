import { ChevronRight } from "lucide-react";
import type { Item } from "../../../preload/contract/items";
import { cx } from "../../ui/cx";
import { between, durationWords } from "../time/durations";
import { useKeptFold } from "./Article";
import { GappedMarkdown } from "./GappedMarkdown";
import { lastThought } from "./reasoningText";
import { useStatusWords } from "./StatusMark";

/** While it goes on, its seconds and its ring are those of the line at the end of the conversation. */
export function ReasoningItem({ item }: { item: Extract<Item, { kind: "reasoning" }> }) {
  const [open, setOpen] = useKeptFold("thoughts", false);
  const running = item.status === "running";
  const [text, gaps] =
    item.content.trim() === "" ? [item.summary, item.summaryGaps] : [item.content, item.contentGaps];
  const thought = running ? lastThought(item.summary || item.content) : null;
  const took = between(item.startedAtMs, item.completedAtMs);
  const ended = useStatusWords(item);
  const hasText = text.trim() !== "";
  const words = (
    <>
      {running ? (
        <>
          <span className="shrink-0">Thinking</span>
          {thought !== null && !open && <span className="min-w-0 truncate text-ink-2">{thought}</span>}
        </>
      ) : (
        <span>
          {took === null ? "Thought" : `Thought for ${durationWords(took)}`}
          {ended !== null && `, ${ended}`}
        </span>
      )}
    </>
  );
  const lineClass = "flex h-6 max-w-full min-w-0 items-center gap-1.5 text-s text-ink-3";
  return (
    <div>
      {hasText ? (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={cx(lineClass, "-ml-1 rounded-xs pr-1.5 pl-1 transition-colors hover:text-ink-2")}
        >
          <ChevronRight
            aria-hidden
            size={14}
            className={cx("-mx-px shrink-0 transition-transform", open && "rotate-90")}
          />
          {words}
        </button>
      ) : (
        <p className={lineClass}>{words}</p>
      )}
      {open && hasText && (
        <div className="quiet-prose mt-1 grid grid-cols-[minmax(0,1fr)] gap-1.5 ml-1.5 border-l-2 border-line pl-3.5">
          <GappedMarkdown text={text} gaps={gaps} open={running} what="thought" />
        </div>
      )}
    </div>
  );
}
