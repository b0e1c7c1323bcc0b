// The output of a command or a tool, from its end: as much as one reads at once, more on demand, never all of a flood.

import { Fragment, useLayoutEffect, useRef, useState } from "react";
import { call } from "../../state/connection";
import { useThreadKey } from "../../state/threadStore";
import { attempt } from "../../state/toasts";
import { Button } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { AnsiText } from "../ansi/AnsiText";
import { tailOf } from "../ansi/ansi";
import { byteWords } from "../time/durations";
import { useIsRevealed } from "./Article";
import { outputBetween, outputGapWords } from "./gaps";
import { GapMark } from "./StatusMark";

const firstLines = 300;
const moreLines = 2_000;
const revealedLines = 20_000;
const mostUnitsPerLine = 200;
const noGaps: readonly number[] = [];

export interface OutputViewProps {
  itemId: string;
  /** Which text of the item this is, for loading all of it. */
  part: string;
  text: string;
  droppedUnits: number;
  /** Where some of the text is missing. */
  gaps?: readonly number[];
  /** More is coming: the end stays in view unless one has scrolled up. */
  running?: boolean;
  className?: string;
}

export function OutputView({
  itemId,
  part,
  text,
  droppedUnits,
  gaps = noGaps,
  running = false,
  className,
}: OutputViewProps) {
  const threadKey = useThreadKey();
  const [whole, setWhole] = useState<{ text: string; complete: boolean } | null>(null);
  const [loading, setLoading] = useState(false);
  const [asked, setLines] = useState(firstLines);
  // All that is held, when something of it was found.
  const lines = useIsRevealed() ? Math.max(asked, revealedLines) : asked;
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  const shown = whole?.text ?? text;
  const { tail, hidden } = tailOf(shown, lines, lines * mostUnitsPerLine);
  const hiddenUnits = shown.length - tail.length;
  // The whole may be from a record that misses nothing, or the text as it is held here.
  const missed = whole === null || text.startsWith(whole.text) ? gaps : noGaps;
  const parts = outputBetween(
    tail,
    missed.flatMap((gap) => (gap > hiddenUnits || !hidden ? gap - hiddenUnits : [])),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in the box decides where its end is
  useLayoutEffect(() => {
    const element = box.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [tail]);

  const loadWhole = async () => {
    setLoading(true);
    const loaded = await attempt(call("items.fullText", { threadKey, itemId, part }));
    setLoading(false);
    if (loaded) setWhole(loaded);
  };
  const more = hidden || (droppedUnits > 0 && whole === null);
  return (
    <div className={cx("border-t border-line bg-canvas", className)}>
      {more && (
        <div className="flex flex-wrap items-center gap-1 border-b border-line px-1.5 py-0.5 text-s text-ink-3">
          {hidden && (
            <Button size="s" tone="quiet" onClick={() => setLines(lines + moreLines)}>
              Show earlier lines
            </Button>
          )}
          {droppedUnits > 0 && whole === null && (
            <Button size="s" tone="quiet" busy={loading} onClick={() => void loadWhole()}>
              Load full output
            </Button>
          )}
          {droppedUnits > 0 && whole === null && (
            <span>{byteWords(droppedUnits)} before this are not shown</span>
          )}
        </div>
      )}
      {whole && !whole.complete && (
        <p className="border-b border-line px-3 py-1 text-s text-warn">
          Even this is not all: the output was too long to be kept whole.
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: not a group of fields */}
      <pre
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard
        tabIndex={0}
        role="group"
        aria-label={running ? "Output so far" : "Output"}
        onScroll={(event) => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
          atEnd.current = scrollHeight - clientHeight - scrollTop < 8;
        }}
        className="ring-inset max-h-70 overflow-auto overscroll-x-contain px-3 py-2 text-s leading-[18px] whitespace-pre text-ink-2 selectable"
      >
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place, its text may still grow
          <Fragment key={index}>
            {index > 0 && <GapMark words={outputGapWords(running)} />}
            <AnsiText text={part} />
          </Fragment>
        ))}
      </pre>
    </div>
  );
}
