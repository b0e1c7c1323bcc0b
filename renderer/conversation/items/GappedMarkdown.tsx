import { Fragment, useMemo } from "react";
import { Markdown } from "../markdown/Markdown";
import { type GapEnd, gapWords, markdownBetween } from "./gaps";
import { GapMark } from "./StatusMark";

export interface GappedMarkdownProps {
  text: string;
  gaps: readonly number[];
  /** More of it is coming. */
  open: boolean;
  /** What brings the whole text with its end. */
  what: GapEnd;
  /** The end of the text has a mark of its own, which says as well that something is missing there. */
  endIsMarked?: boolean;
}

/** A text of markdown, with a mark wherever some of it was missed. The parts above the last mark stay as they are. */
export function GappedMarkdown({ text, gaps, open, what, endIsMarked = false }: GappedMarkdownProps) {
  const parts = useMemo(() => markdownBetween(text, gaps), [text, gaps]);
  const last = parts.length - 1;
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place, its text may still grow
    <Fragment key={index}>
      {index > 0 && !(endIsMarked && index === last && part === "") && (
        <GapMark words={gapWords(open && index === last ? what : null)} />
      )}
      {(part !== "" || last === 0) && <Markdown text={part} open={open && index === last} />}
    </Fragment>
  ));
}
