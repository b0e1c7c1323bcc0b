import type { ReactNode } from "react";

/** Facts in two columns: what it is, and how it stands. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[minmax(6rem,9rem)_minmax(0,1fr)] gap-x-4 gap-y-1 text-m max-mid:grid-cols-1 max-mid:gap-y-0">
      {children}
    </dl>
  );
}

export function Fact({
  name,
  mono = false,
  children,
}: {
  name: string;
  mono?: boolean;
  children: ReactNode;
}) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd
        className={
          mono
            ? "min-w-0 font-mono text-s leading-5 break-words selectable max-mid:mb-1.5"
            : "min-w-0 break-words selectable tabular max-mid:mb-1.5"
        }
      >
        {children}
      </dd>
    </>
  );
}
