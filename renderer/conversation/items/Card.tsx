import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../ui/cx";

export interface CardProps {
  /** The first thing in the head: a mark for the state. */
  mark: ReactNode;
  title: ReactNode;
  /** At the right end of the head: duration, exit code, counts. */
  facts?: ReactNode;
  /** Small buttons that appear with the pointer or the keyboard. */
  tools?: ReactNode;
  /** Left out: there is nothing to unfold. */
  fold?: { open: boolean; setOpen(open: boolean): void; label: string };
  children?: ReactNode;
}

/** One piece of work: a head that says what it was and how it went, and below it what came of it. */
export function Card({ mark, title, facts, tools, fold, children }: CardProps) {
  const head = (
    <>
      <span className="grid size-4 shrink-0 place-items-center">{mark}</span>
      <span className="min-w-0 flex-1">{title}</span>
      {facts !== undefined && (
        <span className="flex shrink-0 items-center gap-2 text-xs text-ink-3 tabular">{facts}</span>
      )}
    </>
  );
  const headClass = "flex min-h-8 w-full min-w-0 items-center gap-2 py-1 pr-2 pl-2.5 text-left text-s";
  return (
    <div className="group/card relative overflow-hidden rounded-m border border-line bg-raised">
      <div className="flex items-stretch">
        {fold ? (
          <button
            type="button"
            aria-expanded={fold.open}
            aria-label={fold.label}
            onClick={() => fold.setOpen(!fold.open)}
            className={cx(headClass, "ring-inset transition-colors hover:bg-hover")}
          >
            {head}
            <ChevronRight
              aria-hidden
              size={14}
              className={cx("shrink-0 text-ink-3 transition-transform", fold.open && "rotate-90")}
            />
          </button>
        ) : (
          <div className={headClass}>
            {head}
            <span className="w-3.5 shrink-0" />
          </div>
        )}
        {tools !== undefined && <div className="flex shrink-0 items-center pr-1">{tools}</div>}
      </div>
      {children}
    </div>
  );
}
