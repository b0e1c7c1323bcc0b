// The head of a hunk: where it is, and what can be done with it, or with the lines of it that are chosen.

import { cx } from "../../ui/cx";
import { ariaKeys } from "../../ui/keys";
import { GridCell } from "./GridCell";
import type { PartAction } from "./partAction";
import type { GridHunk } from "./rows";

export interface HunkRowProps {
  hunk: GridHunk;
  /** The keyboard is in it: its buttons are reached with Tab. */
  isActive: boolean;
  /** How many changed lines of it are chosen. */
  chosen: number;
  actions: readonly PartAction[];
  onAction: (action: PartAction) => void;
}

export function HunkRow({ hunk, isActive, chosen, actions, onAction }: HunkRowProps) {
  const what = chosen === 0 ? "hunk" : chosen === 1 ? "line" : `${chosen} lines`;
  return (
    <GridCell className="flex h-7 items-center gap-2 border-y border-line bg-panel pr-2 pl-3 text-xs text-ink-3">
      <span className="shrink-0 font-sans first-letter:uppercase inline-block">{hunk.title}</span>
      <span className="min-w-0 flex-1 truncate">{hunk.heading}</span>
      {actions.map((action) => (
        <button
          key={action.id}
          type="button"
          tabIndex={isActive ? 0 : -1}
          aria-label={`${action.label} ${what}, ${hunk.title}`}
          aria-keyshortcuts={ariaKeys(action.key)}
          title={`${action.label} ${what} (${action.key.toUpperCase()})`}
          onClick={() => onAction(action)}
          className={cx(
            "h-5 shrink-0 rounded-s px-1.5 font-sans text-xs font-medium transition-colors hover:bg-hover",
            action.tone === "danger" ? "text-ink-2 hover:text-bad" : "text-ink-2 hover:text-ink",
          )}
        >
          {action.label} {what}
        </button>
      ))}
    </GridCell>
  );
}
