import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../ui/cx";

export interface CardProps {
  /** The first thing in the head: a mark for the state. */
  mark: ReactNode;
  title: ReactNode;
  /** At the right end of the head: duration, exit code, counts. */
  facts?: ReactNode;
  /** Small buttons that appear with the pointer or the keyboard; they take room from the title alone. */
  tools?: ReactNode;
  /** A button that is always there. */
  beside?: ReactNode;
  /** Left out: there is nothing to unfold. */
  fold?: { open: boolean; setOpen(open: boolean): void; label: string };
  children?: ReactNode;
}

/** One piece of work: a head that says what it was and how it went, and below it what came of it. */
export function Card({ mark, title, facts, tools, beside, fold, children }: CardProps) {
  const toggle = fold && (() => fold.setOpen(!fold.open));
  const name = (
    <>
      <span className="grid size-4 shrink-0 place-items-center">{mark}</span>
      <span className="min-w-0 flex-1">{title}</span>
    </>
  );
  const nameClass = "flex min-h-8 min-w-0 flex-1 items-center gap-2 py-1 pl-2.5 text-left text-s";
  const end = (
    <>
      {facts}
      {fold && (
        <ChevronRight
          aria-hidden
          size={14}
          className={cx("shrink-0 text-ink-3 transition-transform", fold.open && "rotate-90")}
        />
      )}
    </>
  );
  const endClass = "flex shrink-0 items-center gap-2 pr-2.5 pl-2 text-xs text-ink-3 tabular";
  return (
    <div className="group/card overflow-hidden rounded-m border border-line bg-raised">
      <div className={cx("group/head flex items-stretch", fold && "transition-colors hover:bg-hover")}>
        {fold ? (
          <button
            type="button"
            aria-expanded={fold.open}
            aria-label={fold.label}
            onClick={toggle}
            className={cx(nameClass, "ring-inset")}
          >
            {name}
          </button>
        ) : (
          <div className={nameClass}>{name}</div>
        )}
        {tools !== undefined && (
          <span className="flex w-0 items-center overflow-hidden group-hover/head:w-auto group-hover/head:pl-1 has-focus-visible:w-auto has-focus-visible:pl-1">
            {tools}
          </span>
        )}
        {beside !== undefined && <span className="flex shrink-0 items-center">{beside}</span>}
        {fold ? (
          // The same as the button before it, for the pointer: the whole head opens.
          <button type="button" tabIndex={-1} aria-hidden onClick={toggle} className={endClass}>
            {end}
          </button>
        ) : (
          facts !== undefined && <span className={endClass}>{end}</span>
        )}
      </div>
      {children}
    </div>
  );
}
