import type { ReactNode } from "react";
import { saidPieces } from "./saidPieces";

/** What main says, with the commands that it names as code. Anything but text is shown as it is. */
export function Said({ children }: { children: ReactNode }) {
  if (typeof children !== "string") return children;
  let at = 0;
  return saidPieces(children).map(({ text, code }) => {
    const key = at;
    at += text.length;
    return code ? (
      <code key={key} className="rounded-xs bg-hover px-1 py-px font-mono text-[0.92em]">
        {text}
      </code>
    ) : (
      <span key={key}>{text}</span>
    );
  });
}
