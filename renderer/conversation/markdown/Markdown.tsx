// A message as it is being written. The text is cut into blocks; a block that is done is never parsed again, the last one
// a few times a second. Raw HTML in it stays text.

import { memo, useDeferredValue, useRef } from "react";
import { Streamdown } from "streamdown";
import { useThrottled } from "../time/useThrottled";
import { type Blocks, cutBlocks, fenceOf, firstHeadingRank, noBlocks } from "./blocks";
import { CodeBlock } from "./CodeBlock";
import { FirstRank, markdownParts } from "./MarkdownParts";
import { rehypePlainPaths } from "./rehypePlainPaths";

const streamingPauseMs = 50;
/** A table or quote that is larger stays as it was written: parsing it would hold the window up. */
const largestParsedUnits = 24_000;
/** How much of a long message is drawn at once; the rest follows in pieces between which the window stays usable. */
const firstBlocks = 8;

const wholeBlock = (text: string) => [text];
const plugins = [rehypePlainPaths];

const Block = memo(function Block({ text, open }: { text: string; open: boolean }) {
  // A block that is done is parsed once more, without what was made up for its missing end: later, when there is time.
  const unfinished = useDeferredValue(open);
  const fence = fenceOf(text);
  if (fence) return <CodeBlock info={fence.info} code={fence.code} open={open && !fence.closed} />;
  if (text.trim() === "") return null;
  if (text.length > largestParsedUnits) return <p className="whitespace-pre-wrap">{text}</p>;
  return (
    <Streamdown
      mode={open || unfinished ? "streaming" : "static"}
      components={markdownParts}
      rehypePlugins={plugins}
      parseMarkdownIntoBlocksFn={wholeBlock}
      controls={false}
    >
      {text}
    </Streamdown>
  );
});

export interface MarkdownProps {
  text: string;
  /** More of it is coming. */
  open: boolean;
}

export function Markdown({ text, open }: MarkdownProps) {
  const shown = useThrottled(text, open ? streamingPauseMs : 0);
  const cut = useRef<Blocks>(noBlocks);
  // Cutting gives the same blocks for the same text, whatever was cut before: a render that is thrown away does no harm.
  cut.current = cutBlocks(cut.current, shown);
  const { blocks } = cut.current;
  const drawn = useDeferredValue(blocks.length, Math.min(blocks.length, firstBlocks));
  const firstRank = firstHeadingRank(blocks);
  return (
    <FirstRank value={firstRank}>
      <div className="prose selectable">
        {blocks.slice(0, Math.max(drawn, firstBlocks)).map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place, its text may still grow
          <Block key={index} text={block} open={open && index === blocks.length - 1} />
        ))}
      </div>
    </FirstRank>
  );
}
