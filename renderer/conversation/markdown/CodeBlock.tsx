import { memo, useState } from "react";
import { Button } from "../../ui/Button";
import { CopyButton } from "../CopyButton";
import { languageOfFence } from "../highlight/languageNames";
import { useHighlight } from "../highlight/useHighlight";
import { useIsRevealed } from "../items/Article";
import { CodeText } from "./CodeText";

/** Longer code is folded to its beginning, or while it is being written to its end. */
const foldedLines = 60;
const longestUnfoldedLines = 90;
/** What is copied, and what a screen can show of one block, before it becomes a file rather than an example. */
const mostDrawnLines = 3_000;

export interface CodeBlockProps {
  /** What stands after the opening fence. */
  info: string;
  code: string;
  /** The closing fence has not come yet. */
  open: boolean;
}

export const CodeBlock = memo(function CodeBlock({ info, code, open }: CodeBlockProps) {
  const [chosen, setUnfolded] = useState<boolean | null>(null);
  const isRevealed = useIsRevealed();
  const unfolded = chosen ?? isRevealed;
  const highlight = useHighlight(code, languageOfFence(info), open);
  const lineCount = countLines(code);
  const long = lineCount > longestUnfoldedLines;
  const mostLines = long && !unfolded ? foldedLines : mostDrawnLines;
  const title = info.split(/\s/)[0] ?? "";
  return (
    <figure className="code-block group/code">
      <figcaption className="flex h-7 items-center gap-2 border-b border-line pr-1 pl-3 text-xs text-ink-3">
        <span className="truncate font-mono">{title || "text"}</span>
        <span className="flex-1" />
        {long && <span className="tabular">{lineCount.toLocaleString("en")} lines</span>}
        <CopyButton label="Copy code" size="xs" text={() => code} />
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: not a group of fields */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard
        tabIndex={0}
        role="group"
        aria-label={title ? `Code, ${title}` : "Code"}
        className="ring-inset overflow-x-auto px-3 py-2 selectable"
      >
        <code>
          <CodeText code={code} highlight={highlight} mostLines={mostLines} fromEnd={open && !unfolded} />
        </code>
      </pre>
      {long && !open && (
        <div className="border-t border-line px-1 py-0.5">
          <Button size="s" tone="quiet" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {unfolded ? "Show less" : `Show all ${lineCount.toLocaleString("en")} lines`}
          </Button>
        </div>
      )}
    </figure>
  );
});

function countLines(code: string): number {
  let lines = 1;
  for (let at = code.indexOf("\n"); at !== -1; at = code.indexOf("\n", at + 1)) lines++;
  return lines;
}
