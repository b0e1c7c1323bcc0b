// A diff in unified form: one column of line numbers, the words that changed inside a changed line, colours of the language.
// Long ones are drawn in pieces that the browser skips while they are out of sight.

import { memo, useMemo } from "react";
import { languageOfPath } from "../highlight/languageNames";
import { markPieces, piecesOf, type TokenLine } from "../highlight/tokens";
import { useHighlight } from "../highlight/useHighlight";
import { type DiffHunk, type DiffLine, type ParsedDiff, shownNumber } from "./parseDiff";
import { pairLines, type TextRange, wordDiff } from "./wordDiff";

const linesPerPiece = 80;
const lineHeightPx = 19;

interface DrawnLine {
  line: DiffLine;
  marks: readonly TextRange[];
  /** Where its tokens are: on the side that it is on. */
  side: "old" | "new";
  index: number;
}

interface Drawn {
  hunks: { heading: string; lines: DrawnLine[] }[];
  oldText: string;
  newText: string;
}

const noMarks: readonly TextRange[] = [];

function drawnOf(diff: ParsedDiff): Drawn {
  const oldLines: string[] = [];
  const newLines: string[] = [];
  const hunks = diff.hunks.map((hunk) => ({
    heading: hunk.heading,
    lines: drawnHunk(hunk, oldLines, newLines),
  }));
  return { hunks, oldText: oldLines.join("\n"), newText: newLines.join("\n") };
}

function drawnHunk(hunk: DiffHunk, oldLines: string[], newLines: string[]): DrawnLine[] {
  const marks = new Map<number, readonly TextRange[]>();
  for (const { removed, added } of pairLines(hunk.lines)) {
    const words = wordDiff(hunk.lines[removed]?.text ?? "", hunk.lines[added]?.text ?? "");
    if (!words) continue;
    marks.set(removed, words.removed);
    marks.set(added, words.added);
  }
  return hunk.lines.map((line, at) => {
    if (line.kind !== "added") oldLines.push(line.text);
    if (line.kind !== "removed") newLines.push(line.text);
    const side = line.kind === "removed" ? "old" : "new";
    const index = (side === "old" ? oldLines.length : newLines.length) - 1;
    return { line, marks: marks.get(at) ?? noMarks, side, index };
  });
}

const looks = {
  context: { row: "", sign: " ", mark: "", name: "" },
  added: { row: "bg-add", sign: "+", mark: "bg-add-strong", name: "added" },
  removed: { row: "bg-del", sign: "−", mark: "bg-del-strong", name: "removed" },
} as const;

const Line = memo(function Line({
  line,
  marks,
  tokens,
}: {
  line: DiffLine;
  marks: readonly TextRange[];
  tokens: TokenLine | undefined;
}) {
  const look = looks[line.kind];
  let at = 0;
  return (
    <span className={`diff-line ${look.row}`}>
      <span aria-hidden className="diff-number">
        {shownNumber(line) ?? ""}
      </span>
      <span aria-hidden className="diff-sign">
        {look.sign}
      </span>
      {look.name !== "" && <span className="sr-only">{look.name}: </span>}
      <span className="diff-text">
        {markPieces(piecesOf(line.text, tokens), marks).map((piece) => {
          const key = at;
          at += piece.text.length;
          const names = [
            piece.token !== "plain" && `tok-${piece.token}`,
            piece.marked && `rounded-[2px] ${look.mark}`,
          ];
          return (
            <span key={key} className={names.filter(Boolean).join(" ") || undefined}>
              {piece.text}
            </span>
          );
        })}
        {line.noLineEnd && <span className="text-ink-3"> (no line end)</span>}
      </span>
    </span>
  );
});

export interface DiffViewProps {
  diff: ParsedDiff;
  path: string;
  /** How many lines are drawn from the start. */
  mostLines: number;
}

export const DiffView = memo(function DiffView({ diff, path, mostLines }: DiffViewProps) {
  const drawn = useMemo(() => drawnOf(diff), [diff]);
  const language = languageOfPath(path);
  const oldSide = useHighlight(drawn.oldText, language, false);
  const newSide = useHighlight(drawn.newText, language, false);
  let left = mostLines;
  return (
    <div className="ring-over min-w-0">
      {/* biome-ignore lint/a11y/useSemanticElements: not a group of fields */}
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard
        tabIndex={0}
        role="group"
        aria-label={`Changes in ${path}`}
        className="diff overflow-x-auto selectable"
      >
        {drawn.hunks.map((hunk, at) => {
          if (left <= 0) return null;
          const lines = hunk.lines.slice(0, left);
          left -= lines.length;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a hunk is its place
            <div key={at} className="diff-hunk">
              {(at > 0 || hunk.heading !== "") && (
                <p className="diff-heading">
                  <span aria-hidden>⋯</span> {hunk.heading}
                </p>
              )}
              {piecesOfLines(lines).map((piece) => (
                <div
                  key={piece[0]?.index}
                  className="diff-piece"
                  style={{ containIntrinsicHeight: `auto ${piece.length * lineHeightPx}px` }}
                >
                  {piece.map(({ line, marks, side, index }) => (
                    <Line
                      key={`${side}${index}`}
                      line={line}
                      marks={marks}
                      tokens={(side === "old" ? oldSide : newSide)?.lines?.[index]}
                    />
                  ))}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
});

function piecesOfLines(lines: DrawnLine[]): DrawnLine[][] {
  const pieces: DrawnLine[][] = [];
  for (let at = 0; at < lines.length; at += linesPerPiece) pieces.push(lines.slice(at, at + linesPerPiece));
  return pieces;
}
