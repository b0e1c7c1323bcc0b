import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cx } from "./cx";

export interface FoldProps {
  summary: ReactNode;
  children: ReactNode;
  /** For a fold that keeps itself; give `open` and `onOpenChange` for one that is kept elsewhere. */
  defaultOpen?: boolean;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
}

/** Something that can be opened. What is folded away is not drawn. */
export function Fold({ summary, children, defaultOpen = false, open, onOpenChange, className }: FoldProps) {
  const [own, setOwn] = useState(defaultOpen);
  const isOpen = open ?? own;
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => {
          setOwn(!isOpen);
          onOpenChange?.(!isOpen);
        }}
        className="-ml-1 inline-flex max-w-[calc(100%+4px)] items-center gap-1 rounded-xs pr-1 text-s text-ink-3 transition-colors hover:text-ink-2"
      >
        <ChevronRight
          aria-hidden
          size={14}
          className={cx("shrink-0 transition-transform", isOpen && "rotate-90")}
        />
        <span className="truncate">{summary}</span>
      </button>
      {isOpen && children}
    </div>
  );
}
