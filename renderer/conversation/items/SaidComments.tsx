import { useMemo } from "react";
import { readReviewMessage, type SaidComment } from "../../../preload/contract/reviewMessage";
import { Button } from "../../ui/Button";
import { languageOfPath } from "../highlight/languageNames";
import { useHighlight } from "../highlight/useHighlight";
import { CodeText } from "../markdown/CodeText";
import { count } from "../time/durations";
import { useKeptFold } from "./Article";

/** More of them are folded to the first ones. */
const shownFolded = 3;
const longestUnfolded = 4;

/** The comments that a message consists of; null: it is another message. */
export function useSaidComments(text: string): SaidComment[] | null {
  return useMemo(() => readReviewMessage(text), [text]);
}

/** Comments on lines of a change, as they were sent: where, what stood there, what was said of it. */
export function SaidComments({ comments }: { comments: readonly SaidComment[] }) {
  const [open, setOpen] = useKeptFold("prompt", false);
  const isLong = comments.length > longestUnfolded;
  const shown = isLong && !open ? comments.slice(0, shownFolded) : comments;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 py-0.5">
      <p
        data-not-found
        className="text-s text-ink-2"
      >{`${count(comments.length, "comment")} on the changes`}</p>
      {shown.map((comment, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was sent does not change
        <SaidCommentView key={at} comment={comment} />
      ))}
      {isLong && (
        <Button
          size="s"
          tone="quiet"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="-ml-2 justify-self-start"
        >
          {open ? "Show less" : `Show all ${comments.length} comments`}
        </Button>
      )}
    </div>
  );
}

function SaidCommentView({ comment }: { comment: SaidComment }) {
  const { path, quote, text } = comment;
  const highlight = useHighlight(quote, languageOfPath(path), false);
  const where = placeWords(comment);
  return (
    // biome-ignore lint/a11y/useSemanticElements: one of several, no group of fields
    <div
      role="group"
      aria-label={`Comment on ${path}, ${where}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-1.5"
    >
      <div className="overflow-hidden rounded-s border border-line bg-raised">
        <p className="flex items-baseline gap-2 border-b border-line px-2.5 py-1 text-xs text-ink-2">
          <span className="min-w-0 truncate font-mono text-ink" title={path}>
            {path}
          </span>
          <span data-not-found className="shrink-0 tabular">
            {where}
          </span>
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: not a group of fields */}
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard
          tabIndex={0}
          role="group"
          aria-label="What stood there"
          className="ring-inset overflow-x-auto px-2.5 py-1.5 font-mono text-s leading-[18px] whitespace-pre text-ink [tab-size:4]"
        >
          <code>
            <CodeText code={quote} highlight={highlight} />
          </code>
        </pre>
      </div>
      <p className="break-words whitespace-pre-wrap">{text}</p>
    </div>
  );
}

function placeWords({ side, firstLine, lastLine }: SaidComment): string {
  const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine}–${lastLine}`;
  return side === "old" ? `${lines} before the change` : lines;
}
