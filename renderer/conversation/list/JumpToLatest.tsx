import { ArrowDown } from "lucide-react";
import { Drawn } from "../../ui/Drawn";
import { count } from "../time/durations";

export interface JumpToLatestProps {
  newCount: number;
  /** More is to come. */
  running: boolean;
  onJump: () => void;
}

/** Over the end of a list while one reads further up: the way back, and what has come meanwhile. */
export function JumpToLatest({ newCount, running, onJump }: JumpToLatestProps) {
  const news = newCount > 0 ? `${count(newCount, "new item")}` : running ? "still going on" : null;
  return (
    <button
      type="button"
      aria-label={news === null ? "Jump to latest" : `Jump to latest, ${news}`}
      onClick={onJump}
      className="absolute bottom-3 left-1/2 flex h-7 -translate-x-1/2 animate-appear items-center gap-1.5 rounded-full border border-line-strong bg-raised pr-3 pl-2 text-s text-ink-2 shadow-pop transition-colors hover:bg-hover hover:text-ink"
    >
      <ArrowDown aria-hidden size={14} />
      Jump to latest
      {newCount > 0 && (
        <Drawn
          text={newCount > 99 ? "99+" : String(newCount)}
          className="rounded-full bg-accent px-1.5 text-xs leading-4 font-semibold text-accent-ink tabular"
        />
      )}
    </button>
  );
}
