import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useMemo, useRef } from "react";
import { languageOfPath } from "../conversation/highlight/languageNames";
import { piecesOf, type TokenLine } from "../conversation/highlight/tokens";
import { useHighlight } from "../conversation/highlight/useHighlight";
import { cx } from "../ui/cx";
import { type Block, blockAt, blocksOf, lineIndex, shownLineCount } from "./fileText";

const lineHeightPx = 19;
/** So many lines are drawn together. */
const groupLines = 40;
/** A longer line is cut: drawing it would hold the window up. */
const mostLineUnits = 5_000;

export interface FileLinesProps {
  /** What it is, to whoever does not see it. */
  label: string;
  path: string;
  lines: readonly string[];
  /** The line to go to, from 1, and a number that counts up with each time that it is to be gone to. */
  line: number | null;
  goes: number;
}

export function FileLines({ label, path, lines, line, goes }: FileLinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const language = languageOfPath(path);
  const count = shownLineCount(lines);
  const blocks = useMemo(() => blocksOf(lines.slice(0, count)), [lines, count]);
  const longest = useMemo(
    () =>
      Math.min(
        mostLineUnits + 40,
        lines.reduce((most, each) => Math.max(most, each.length), 0),
      ),
    [lines],
  );
  const list = useVirtualizer({
    count: Math.ceil(count / groupLines),
    getScrollElement: () => scroller.current,
    estimateSize: (index) => Math.min(groupLines, count - index * groupLines) * lineHeightPx,
    overscan: 2,
    paddingStart: 8,
    paddingEnd: 24,
  });
  const digits = Math.max(3, String(count).length);
  const marked = line === null || line > count ? null : lineIndex(line, count);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is gone to each time that it is asked for
  useEffect(() => {
    const element = scroller.current;
    if (!element || line === null) return;
    const top = 8 + lineIndex(line, count) * lineHeightPx;
    element.scrollTop = Math.max(0, top - element.clientHeight / 3);
  }, [line, goes, marked === null]);
  return (
    <div className="ring-over flex min-h-0 flex-1 flex-col">
      {/* biome-ignore lint/a11y/useSemanticElements: not a group of fields */}
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard
        tabIndex={0}
        role="group"
        aria-label={label}
        data-file-text
        className="min-h-0 flex-1 overflow-auto bg-canvas font-mono text-s selectable"
      >
        <div
          className="relative min-w-full"
          style={{ height: list.getTotalSize(), width: `calc(${digits + longest + 4}ch + 32px)` }}
        >
          {list.getVirtualItems().map((item) => {
            const from = item.index * groupLines;
            return (
              <div
                key={item.key}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <LineGroup
                  lines={lines}
                  from={from}
                  to={Math.min(count, from + groupLines)}
                  blocks={blocks}
                  language={language}
                  digits={digits}
                  marked={marked !== null && marked >= from && marked < from + groupLines ? marked : null}
                />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface LineGroupProps {
  lines: readonly string[];
  from: number;
  to: number;
  blocks: readonly Block[];
  language: string | null;
  digits: number;
  marked: number | null;
}

/** A group may lie across two blocks. */
const LineGroup = memo(function LineGroup(props: LineGroupProps) {
  const { lines, from, to, blocks, language, digits, marked } = props;
  const first = blockAt(blocks, from);
  const last = blockAt(blocks, to - 1);
  const firstTokens = useHighlight(first?.code ?? "", language, false)?.lines;
  const lastTokens = useHighlight(last?.code ?? "", language, false)?.lines;
  return Array.from({ length: to - from }, (_, offset) => {
    const index = from + offset;
    const inLast = last !== undefined && index >= last.from;
    const tokens = inLast ? lastTokens?.[index - last.from] : firstTokens?.[index - (first?.from ?? 0)];
    return (
      <Line
        key={index}
        number={index + 1}
        text={lines[index] ?? ""}
        tokens={tokens}
        digits={digits}
        isMarked={index === marked}
      />
    );
  });
});

interface LineProps {
  number: number;
  text: string;
  tokens: TokenLine | undefined;
  digits: number;
  isMarked: boolean;
}

const Line = memo(function Line({ number, text, tokens, digits, isMarked }: LineProps) {
  const shown = text.length > mostLineUnits ? text.slice(0, mostLineUnits) : text;
  let at = 0;
  return (
    <div
      data-line={number}
      aria-current={isMarked ? "location" : undefined}
      className={cx("flex whitespace-pre", isMarked && "bg-sel")}
      style={{ height: lineHeightPx, lineHeight: `${lineHeightPx}px` }}
    >
      <span
        aria-hidden
        className={cx(
          "sticky left-0 shrink-0 pr-4 pl-4 text-right text-ink-3 tabular select-none",
          isMarked ? "bg-sel" : "bg-canvas",
        )}
        style={{ width: `calc(${digits}ch + 32px)` }}
      >
        {number}
      </span>
      <span>
        {piecesOf(shown, tokens).map((piece) => {
          const key = at;
          at += piece.text.length;
          return (
            <span key={key} className={piece.token === "plain" ? undefined : `tok-${piece.token}`}>
              {piece.text}
            </span>
          );
        })}
        {shown.length < text.length && (
          <span className="text-ink-3">
            {" "}
            … {(text.length - shown.length).toLocaleString("en")} more characters
          </span>
        )}
      </span>
    </div>
  );
});
