// Code with its colours, line by line. Plain until the worker has answered; then only lines whose tokens changed are drawn
// again.

import { Fragment, memo } from "react";
import { piecesOf, type TokenLine } from "../highlight/tokens";
import type { Highlight } from "../highlight/useHighlight";

const CodeLine = memo(function CodeLine({ text, tokens }: { text: string; tokens: TokenLine | undefined }) {
  if (!tokens) return text;
  let at = 0;
  return piecesOf(text, tokens).map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.token === "plain" ? (
      <Fragment key={key}>{piece.text}</Fragment>
    ) : (
      <span key={key} className={`tok-${piece.token}`}>
        {piece.text}
      </span>
    );
  });
});

export interface CodeTextProps {
  code: string;
  highlight: Highlight | null;
  /** Which lines are drawn: from the first, or only the last ones. */
  mostLines?: number;
  fromEnd?: boolean;
}

export function CodeText({ code, highlight, mostLines, fromEnd = false }: CodeTextProps) {
  const lines = code.split("\n");
  const cut = mostLines !== undefined && lines.length > mostLines;
  const first = cut && fromEnd ? lines.length - mostLines : 0;
  const last = cut && !fromEnd ? mostLines : lines.length;
  if (!highlight?.lines) return lines.slice(first, last).join("\n");
  const { lines: tokens } = highlight;
  // While code streams, the last line that was tokenised may have grown since.
  const known = highlight.code.length === code.length ? tokens.length : tokens.length - 1;
  return lines.slice(first, last).map((line, offset) => {
    const index = first + offset;
    return (
      <Fragment key={index}>
        <CodeLine text={line} tokens={index < known ? tokens[index] : undefined} />
        {index < last - 1 && "\n"}
      </Fragment>
    );
  });
}
