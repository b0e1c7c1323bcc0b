import { type ReactNode, useId } from "react";
import { Drawn } from "../ui/Drawn";

/** One matter in a panel, under a small heading. `aside` stands at the end of the heading's line. */
export function Section({
  title,
  aside,
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 grid-cols-1 gap-1.5">
      <div className="flex min-h-4 items-baseline justify-between gap-3 text-xs">
        <h2 id={id} className="font-semibold tracking-[0.02em] text-ink-3">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Facts as pairs: what it is, and how it stands. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-1 text-s">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-5 items-baseline justify-between gap-4">
      <dt className="shrink-0 text-ink-2">{name}</dt>
      <dd className="min-w-0 text-right break-words text-ink tabular">{children}</dd>
    </div>
  );
}

/** Lines added and removed, in words for those who do not see them. */
export function LineCounts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="shrink-0 tabular">
      <Drawn className="text-ok" text={`+${added.toLocaleString("en")}`} />{" "}
      <Drawn className="text-bad" text={`−${removed.toLocaleString("en")}`} />
      <span className="sr-only">
        {added} added, {removed} removed
      </span>
    </span>
  );
}
