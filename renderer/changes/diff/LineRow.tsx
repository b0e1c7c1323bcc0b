// One line of a difference, or a line of each version beside each other.

import { MessageSquarePlus } from "lucide-react";
import { memo } from "react";
import { markPieces, piecesOf, type TokenLine } from "../../conversation/highlight/tokens";
import { cx } from "../../ui/cx";
import { GridCell } from "./GridCell";
import type { GridLine } from "./rows";

/** What is longer is data more than text. */
const mostShownUnits = 4_000;

const looks = {
  context: { row: "", sign: "", mark: "", word: "" },
  added: { row: "bg-add", sign: "+", mark: "bg-add-strong", word: "added" },
  removed: { row: "bg-del", sign: "−", mark: "bg-del-strong", word: "removed" },
} as const;

interface TextProps {
  line: GridLine;
  tokens: TokenLine | undefined;
}

const Text = memo(function Text({ line, tokens }: TextProps) {
  const look = looks[line.kind];
  const left = line.text.length - mostShownUnits;
  const text = left > 0 ? line.text.slice(0, mostShownUnits) : line.text;
  let at = 0;
  return (
    <>
      {markPieces(piecesOf(text, tokens), line.marks).map((piece) => {
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
      {left > 0 && <span className="text-ink-3"> … {left.toLocaleString("en")} more characters</span>}
      {line.endNote !== null && <span className="text-ink-3"> ({line.endNote})</span>}
    </>
  );
});

export interface LineProps extends TextProps {
  onComment: (line: GridLine) => void;
  onNumber: (line: GridLine, extend: boolean) => void;
}

function Numbers({ line, which, onNumber }: Pick<LineProps, "line" | "onNumber"> & { which: "old" | "new" }) {
  return (
    <GridCell
      className="change-number"
      // Where there is room for one number, a line that is gone has its old one.
      data-other={which === "new" && line.newLine === null ? (line.oldLine ?? undefined) : undefined}
      onClick={(event) => {
        event.stopPropagation();
        onNumber(line, event.shiftKey);
      }}
    >
      {(which === "old" ? line.oldLine : line.newLine) ?? ""}
    </GridCell>
  );
}

function Sign({ line, onComment }: Pick<LineProps, "line" | "onComment">) {
  const look = looks[line.kind];
  const number = line.newLine ?? line.oldLine;
  return (
    <GridCell className="change-sign relative">
      <span aria-hidden>{look.sign}</span>
      <span className="sr-only">{look.word}</span>
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Comment on line ${number ?? ""}`}
        title="Comment (C)"
        onClick={(event) => {
          event.stopPropagation();
          onComment(line);
        }}
        className="absolute top-0 left-1/2 hidden size-5 -translate-x-1/2 place-items-center rounded-s bg-accent text-accent-ink shadow-low group-hover/row:grid"
      >
        <MessageSquarePlus aria-hidden size={12} />
      </button>
    </GridCell>
  );
}

/** The version before and the one now in one column. */
export function UnifiedLine({ line, tokens, onComment, onNumber }: LineProps) {
  return (
    <div className={cx("change-line", looks[line.kind].row)}>
      <Numbers line={line} which="old" onNumber={onNumber} />
      <Numbers line={line} which="new" onNumber={onNumber} />
      <Sign line={line} onComment={onComment} />
      <Cell line={line} tokens={tokens} />
    </div>
  );
}

function Cell({ line, tokens }: TextProps) {
  return (
    <GridCell className="change-text selectable">
      <Text line={line} tokens={tokens} />
    </GridCell>
  );
}

export interface HalfProps extends Omit<LineProps, "line"> {
  line: GridLine | null;
  which: "old" | "new";
}

/** One of the two versions. */
export function Half({ line, which, tokens, onComment, onNumber }: HalfProps) {
  if (line === null) {
    return <GridCell aria-label="nothing" className="change-half change-half-none" />;
  }
  return (
    <div role="presentation" className={cx("change-half", looks[line.kind].row)}>
      <Numbers line={line} which={which} onNumber={onNumber} />
      <Sign line={line} onComment={onComment} />
      <Cell line={line} tokens={tokens} />
    </div>
  );
}
