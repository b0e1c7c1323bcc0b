// Lines that are the same in both versions and are not shown, and how to see them.

import { ArrowDown, ArrowUp, UnfoldVertical } from "lucide-react";
import { GridCell } from "./GridCell";
import {
  type Direction,
  type Gap,
  gapWords,
  type LineSpan,
  mostAtOnce,
  showAllWords,
  sizeOf,
  step,
  waysOf,
} from "./gaps";

export interface GapRowProps {
  gap: Gap;
  hidden: LineSpan;
  /** The keyboard is on it: its buttons are reached with Enter and Tab. */
  isActive: boolean;
  busy: boolean;
  onMore: (direction: Direction) => void;
}

export function GapRow({ gap, hidden, isActive, busy, onMore }: GapRowProps) {
  const { firstLine, lastLine } = hidden;
  const looks = {
    down: { icon: ArrowDown, words: `${step} more`, name: `Show ${step} more down from line ${firstLine}` },
    up: { icon: ArrowUp, words: `${step} more`, name: `Show ${step} more up from line ${lastLine}` },
    all:
      sizeOf(hidden) > mostAtOnce
        ? {
            icon: UnfoldVertical,
            words: `${mostAtOnce} more`,
            name: `Show ${mostAtOnce} more from line ${firstLine}`,
          }
        : { icon: UnfoldVertical, words: "All", name: showAllWords(hidden) },
  } as const;
  return (
    <GridCell className="flex h-6 items-center gap-1 bg-panel pr-2 pl-3 font-sans text-xs text-ink-3">
      <span className="min-w-0 truncate pr-1">… {gapWords(hidden)} …</span>
      {waysOf(gap).map((way) => {
        const { icon: Icon, words, name } = looks[way];
        return (
          <button
            key={way}
            type="button"
            tabIndex={isActive ? 0 : -1}
            aria-label={name}
            aria-disabled={busy || undefined}
            title={way === "all" ? `${name} (E)` : name}
            onClick={() => !busy && onMore(way)}
            className="flex h-5 shrink-0 items-center gap-1 rounded-s px-1.5 font-medium text-ink-2 transition-colors hover:bg-hover hover:text-ink"
          >
            <Icon aria-hidden size={12} />
            {words}
          </button>
        );
      })}
    </GridCell>
  );
}
