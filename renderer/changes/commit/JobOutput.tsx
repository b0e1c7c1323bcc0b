// What a commit, a push or the like prints, while it goes on and when it has failed.

import { useEffect, useRef } from "react";
import type { FaultView } from "../../../preload/contract/fault";
import { AnsiText } from "../../conversation/ansi/AnsiText";
import { Notice } from "../../ui/Notice";

/** Its newest lines. */
export function JobOutput({ output }: { output: string }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is printed is what scrolls
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [output]);
  if (output.trim() === "") return null;
  return (
    <div
      ref={box}
      role="log"
      aria-label="Output"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard
      tabIndex={0}
      className="ring-inset max-h-[min(10rem,20vh)] scroll-slim overflow-auto rounded-s border border-line bg-raised px-2 py-1.5 font-mono text-xs whitespace-pre-wrap text-ink-2 selectable"
    >
      <AnsiText text={output} />
    </div>
  );
}

export function JobFault({
  fault,
  output,
  onDismiss,
}: {
  fault: FaultView;
  output: string;
  onDismiss: () => void;
}) {
  return (
    <div className="grid gap-1.5">
      <Notice live tone="error" title={fault.message} hint={fault.hint} onDismiss={onDismiss} />
      <JobOutput output={fault.detail ?? output} />
    </div>
  );
}
