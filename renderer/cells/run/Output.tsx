import { ArrowUp, BellRing, ChevronRight, Copy, FileText } from "lucide-react";
import { memo, useCallback, useMemo, useState } from "react";
import { AnsiText } from "../../conversation/ansi/AnsiText";
import { count } from "../../conversation/time/durations";
import { loadEarlierOutput, useRun } from "../../state/runStore";
import { attempt } from "../../state/toasts";
import { isUnderWay } from "../../state/words";
import { Button } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { EmptyState } from "../../ui/EmptyState";
import { IconButton } from "../../ui/IconButton";
import { Spinner } from "../../ui/Spinner";
import { copyOutput } from "./copyOutput";
import { FollowedList } from "./FollowedList";
import { type Folded, guessedHeightPx, type OutputRow, outputRowKeeper } from "./outputRows";
import { emptyWords } from "./runWords";

/** Above the first item: with the way to what is before it, or only some air. */
const headPx = { more: 36, all: 2 };

/** What the script has written, from its end, as it comes. */
export function Output() {
  const output = useRun((copy) => copy.output);
  const earlier = useRun((copy) => copy.earlierOutput);
  const running = useRun((copy) => isUnderWay(copy.head.state));
  const rowsOf = useMemo(outputRowKeeper, []);
  const [folded, setFolded] = useState<Folded>(() => new Map());
  const rows = useMemo(() => rowsOf(output, earlier, folded), [rowsOf, output, earlier, folded]);
  const fold = useCallback(
    (item: number, isFolded: boolean) => setFolded((before) => new Map(before).set(item, isFolded)),
    [],
  );
  const draw = useCallback((row: OutputRow) => <RowView row={row} onFold={fold} />, [fold]);
  if (rows.length === 0 && earlier === 0) return <NothingWritten />;
  return (
    <FollowedList
      label="Output"
      rows={rows}
      total={earlier + output.length}
      guessPx={guessedHeightPx}
      draw={draw}
      head={<Head />}
      headPx={earlier > 0 ? headPx.more : headPx.all}
      running={running}
    />
  );
}

function NothingWritten() {
  const state = useRun((copy) => copy.head.state);
  const { title, text } = emptyWords(state);
  return (
    <div
      role="log"
      aria-label="Output"
      data-keyboard-stop
      data-pane-stop
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard
      tabIndex={0}
      className="ring-inset grid min-h-0 flex-1 content-center-safe overflow-y-auto"
    >
      <EmptyState
        icon={isUnderWay(state) ? <Spinner /> : <FileText aria-hidden size={20} />}
        title={title}
        compact
      >
        {text}
      </EmptyState>
    </div>
  );
}

function Head() {
  const earlier = useRun((copy) => copy.earlierOutput);
  const [busy, setBusy] = useState(false);
  if (earlier === 0) return null;
  const load = async () => {
    setBusy(true);
    await attempt(loadEarlierOutput());
    setBusy(false);
  };
  return (
    <div className="flex min-w-0 items-center gap-2 px-2.5 text-s text-ink-3">
      <Button
        size="s"
        tone="quiet"
        busy={busy}
        icon={<ArrowUp aria-hidden size={13} />}
        onClick={() => void load()}
      >
        Show earlier output
      </Button>
      <span className="truncate tabular">{count(earlier, "item")} before this</span>
    </div>
  );
}

/** Over the output at its upper end, so that it takes room from none of it. */
export function CopyOutput() {
  const empty = useRun((copy) => copy.output.length === 0 && copy.earlierOutput === 0);
  const [busy, setBusy] = useState(false);
  if (empty) return null;
  const copy = async () => {
    setBusy(true);
    await copyOutput();
    setBusy(false);
  };
  return (
    <IconButton
      label="Copy all output"
      size="s"
      icon={busy ? <Spinner /> : <Copy size={14} />}
      onClick={() => void copy()}
    />
  );
}

function Picture({ dataUrl }: { dataUrl: string }) {
  const [broken, setBroken] = useState(false);
  if (broken) return <p className="text-s text-ink-3">A picture that cannot be read.</p>;
  return (
    <img
      src={dataUrl}
      alt="Made by the script"
      onError={() => setBroken(true)}
      className="max-h-120 max-w-full rounded-s border border-line"
    />
  );
}

const textClass = "px-4 font-mono text-s leading-[18px] break-words whitespace-pre-wrap selectable";

interface RowViewProps {
  row: OutputRow;
  onFold(item: number, folded: boolean): void;
}

const RowView = memo(function RowView({ row, onFold }: RowViewProps) {
  switch (row.kind) {
    case "text":
      return <pre className={textClass}>{row.text === "" ? "\n" : <AnsiText text={row.text} />}</pre>;
    case "fold":
      return (
        <button
          type="button"
          aria-expanded={row.open}
          aria-label={`Object, ${count(row.lines, "line")}`}
          onClick={() => onFold(row.item, row.open)}
          className="ring-inset flex h-6 w-full min-w-0 items-center gap-1.5 pr-4 pl-1.5 text-left font-mono text-s text-ink-2 hover:bg-hover"
        >
          <ChevronRight
            aria-hidden
            size={13}
            className={cx("-mr-1 shrink-0 text-ink-3 transition-transform", row.open && "rotate-90")}
          />
          <span className="truncate">{row.open ? "" : row.brief}</span>
          <span className="shrink-0 font-sans text-xs text-ink-3 tabular">{count(row.lines, "line")}</span>
        </button>
      );
    case "image":
      return (
        <div className="px-4 py-1.5">
          <Picture dataUrl={row.dataUrl} />
        </div>
      );
    case "notice":
      return (
        <div className="px-3 py-1">
          <p className="flex items-start gap-2 rounded-s bg-accent-soft px-2.5 py-1 text-m break-words whitespace-pre-wrap">
            <BellRing aria-hidden size={13} className="mt-1 shrink-0 text-accent" />
            <span className="min-w-0 flex-1 selectable">{row.text}</span>
            <span className="shrink-0 text-xs leading-5 text-ink-3">told you</span>
          </p>
        </div>
      );
    default:
      return row satisfies never;
  }
});
