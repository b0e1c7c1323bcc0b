import { CircleSlash, Hourglass, Terminal } from "lucide-react";
import { heldGaps, type Item } from "../../../preload/contract/items";
import { useHead } from "../../state/threadStore";
import { stripAnsi } from "../ansi/ansi";
import { CopyButton } from "../CopyButton";
import { between, count, durationWords } from "../time/durations";
import { useThrottled } from "../time/useThrottled";
import { useKeptFold } from "./Article";
import { Card } from "./Card";
import { Elapsed } from "./Elapsed";
import { copiedOutput, outputGapWords } from "./gaps";
import { LeftRunningStop, useLeftRunning } from "./LeftRunningStop";
import { OutputView } from "./OutputView";
import { GapMark, StatusMark, useStatusWords } from "./StatusMark";

type CommandItemData = Extract<Item, { kind: "command" }>;

/** Output of a command that went well stays in view up to this many lines; more is folded away. */
const mostLinesLeftOpen = 6;
const streamingPauseMs = 60;

export function CommandItem({ item }: { item: CommandItemData }) {
  const { status, output, exitCode } = item;
  const running = status === "running";
  // The text together with where it is missing: the one says nothing without the other.
  const { output: shown, gaps } = useThrottled(item, running ? streamingPauseMs : 0);
  const lines = lineCount(output.text);
  const hasOutput = output.text !== "" || output.droppedUnits > 0;
  const firstLine = item.command.split("\n", 1)[0] ?? "";
  const moreCommand = item.command.length > firstLine.length || firstLine.length > 90;
  const [open, setOpen] = useKeptFold("output", status !== "completed" || lines <= mostLinesLeftOpen);
  const canFold = hasOutput || moreCommand;
  const waiting = useHead(
    ({ requests }) => running && requests.some((request) => request.itemId === item.id),
  );
  const left = useLeftRunning(item.id);
  const ended = useStatusWords(item);
  const outcome = waiting ? "waiting for you" : outcomeWords(item, ended);
  return (
    <Card
      mark={waiting ? <Hourglass aria-hidden size={13} className="text-warn" /> : <CommandMark item={item} />}
      title={
        <span className="grid min-w-0">
          <span className="truncate font-mono text-s text-ink">
            {firstLine}
            {item.command.length > firstLine.length && <span className="text-ink-3"> …</span>}
          </span>
          {item.purpose !== null && <span className="truncate text-xs text-ink-3">{item.purpose}</span>}
        </span>
      }
      facts={
        <>
          {!item.byAgent && <span>run by you</span>}
          {left && <span className="text-ink-2">still runs</span>}
          {!open && hasOutput && !running && <span>{count(lines, "line")}</span>}
          <Outcome item={item} words={outcome} waiting={waiting} />
        </>
      }
      beside={left && <LeftRunningStop left={left} />}
      tools={<CopyButton label="Copy command" size="xs" text={() => item.command} />}
      fold={
        canFold
          ? { open, setOpen, label: [firstLine, item.purpose, outcome].filter(Boolean).join(", ") }
          : undefined
      }
    >
      {open && moreCommand && (
        <pre className="flex gap-2 border-t border-line px-3 py-2 text-s leading-[18px] break-words whitespace-pre-wrap text-ink selectable">
          <Terminal aria-hidden size={13} className="mt-0.5 shrink-0 text-ink-3" />
          <span className="min-w-0">{item.command}</span>
        </pre>
      )}
      {/* Of a command that has printed nothing, nothing can be said to be missing; how it ended stands in its head. */}
      {item.gaps.length > 0 && hasOutput && !open && (
        <div className="border-t border-line px-3 py-1.5">
          <GapMark words={outputGapWords(running)} />
        </div>
      )}
      {open && hasOutput && (
        <div className="relative">
          <OutputView
            itemId={item.id}
            part="output"
            text={shown.text}
            droppedUnits={shown.droppedUnits}
            gaps={heldGaps(shown, gaps)}
            running={running}
          />
          <span className="absolute top-1 right-1 opacity-0 transition-opacity group-hover/card:opacity-100 has-focus-visible:opacity-100">
            <CopyButton
              label="Copy output"
              size="xs"
              text={() => copiedOutput(output.text, heldGaps(output, item.gaps), stripAnsi)}
              className="bg-raised"
            />
          </span>
        </div>
      )}
      {open && exitCode !== null && exitCode !== 0 && !hasOutput && (
        <p className="border-t border-line px-3 py-1.5 text-s text-ink-3">It printed nothing.</p>
      )}
    </Card>
  );
}

/** What a person has had ended did not fail. */
export function CommandMark({ item }: { item: Pick<CommandItemData, "status" | "turnId" | "stopped"> }) {
  if (item.stopped && item.status === "failed")
    return <CircleSlash aria-hidden size={13} className="text-ink-3" />;
  return <StatusMark item={item} />;
}

function Outcome({ item, words, waiting }: { item: CommandItemData; words: string; waiting: boolean }) {
  if (waiting) return <span className="text-warn">{words}</span>;
  if (item.status === "running") {
    return item.startedAtMs === null ? <span>running</span> : <Elapsed sinceMs={item.startedAtMs} />;
  }
  const bad = item.status === "failed" && !item.stopped;
  const lost = item.status === "lost";
  return <span className={bad ? "text-bad" : lost ? "text-warn" : undefined}>{words}</span>;
}

/** "0.2 s · exit 0", "exit 2", "declined". */
export function outcomeWords(item: CommandItemData, status: string | null): string {
  if (item.status === "running") return "running";
  const took = item.durationMs ?? between(item.startedAtMs, item.completedAtMs);
  const words = [
    took !== null && item.status !== "declined" && item.status !== "lost" ? durationWords(took) : null,
    item.stopped && item.exitCode !== 0
      ? "stopped"
      : item.exitCode === null
        ? status
        : `exit ${item.exitCode}`,
  ].filter((each) => each !== null);
  return words.length === 0 ? "done" : words.join(" · ");
}

function lineCount(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
