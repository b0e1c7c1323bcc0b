import { GitFork } from "lucide-react";

/** Before the title of a fork, whose own mark may be out of sight. */
export function ForkMark({ size }: { size: number }) {
  return <GitFork role="img" aria-label="Fork" size={size} className="shrink-0 text-ink-3" />;
}
