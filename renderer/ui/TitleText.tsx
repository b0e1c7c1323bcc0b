import type { ReactNode } from "react";
import { splitTitle } from "../state/forks";

/** A thread's title where it may be cut off: what tells a fork from its siblings stands at its end, and is not cut. */
export function TitleText({
  title,
  part = (text) => text,
}: {
  title: string;
  part?: (text: string) => ReactNode;
}) {
  const { base, mark } = splitTitle(title);
  if (mark === null) return <span className="truncate">{part(title)}</span>;
  return (
    <span className="flex min-w-0">
      <span className="truncate">{part(base)}</span>
      <span className="shrink-0 whitespace-pre">{part(` ${mark}`)}</span>
    </span>
  );
}
