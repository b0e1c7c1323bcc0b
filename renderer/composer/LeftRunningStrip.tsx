import { Terminal } from "lucide-react";
import { LeftRunningStop } from "../conversation/items/LeftRunningStop";
import { useHead } from "../state/threadStore";
import { oneLine } from "../state/words";
import { Drawn } from "../ui/Drawn";

/** More than these are told by their number; all of them are in the conversation. */
const mostShown = 3;

/** Above the composer: the commands that agents have left running, each with a way to end it. */
export function LeftRunningStrip() {
  const leftRunning = useHead((head) => head.leftRunning);
  if (leftRunning.length === 0) return null;
  const shown = leftRunning.slice(-mostShown);
  const words =
    leftRunning.length === 1 ? "1 command still runs" : `${leftRunning.length} commands still run`;
  return (
    <section aria-label={words} className="mb-1.5 grid animate-appear gap-0.5 pl-1 text-s">
      {shown.map((left, index) => (
        <div key={left.itemId} className="flex h-7 min-w-0 items-center gap-2">
          <span className="w-36 shrink-0 text-ink-3">{index === 0 && <Drawn text={words} />}</span>
          <span className="flex min-w-0 flex-1 items-center gap-1.5">
            <Terminal aria-hidden size={12} className="shrink-0 text-ink-3" />
            <span title={left.command} className="truncate font-mono text-ink-2">
              {oneLine(left.command)}
            </span>
          </span>
          <LeftRunningStop left={left} />
        </div>
      ))}
    </section>
  );
}
