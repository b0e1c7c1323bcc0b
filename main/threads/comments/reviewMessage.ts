// Comments on changed lines as one message that an agent can work with: where, what stands there, what is said of it. Pure.

import type { ReviewComment } from "../../../preload/contract/comments";

/** Longer quotes are cut in the middle: the agent can read the file. */
const mostQuotedLines = 24;
const shownAtEachEnd = 10;

export function reviewMessage(comments: readonly ReviewComment[]): string {
  const head =
    comments.length === 1
      ? "I have a comment on the changes."
      : `I have ${comments.length} comments on the changes.`;
  return [head, ...comments.map((comment, at) => entry(comment, at + 1, comments.length))].join("\n\n");
}

function entry(comment: ReviewComment, number: number, of: number): string {
  const title = of === 1 ? placeWords(comment) : `${number}. ${placeWords(comment)}`;
  const quote = shownQuote(comment.quote);
  const fence = "`".repeat(Math.max(3, longestRun(quote) + 1));
  return [title, "", fence, quote, fence, "", comment.text.trim()].join("\n");
}

function placeWords({ path, side, firstLine, lastLine }: ReviewComment): string {
  const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine}-${lastLine}`;
  const code = "`".repeat(longestRun(path) + 1);
  const padded = path.includes("`") ? ` ${path} ` : path;
  return `${code}${padded}${code}, ${lines}${side === "old" ? " of the version before the change" : ""}:`;
}

function shownQuote(quote: string): string {
  const lines = quote.split("\n");
  if (lines.length <= mostQuotedLines) return quote;
  const left = lines.length - 2 * shownAtEachEnd;
  return [
    ...lines.slice(0, shownAtEachEnd),
    `[${left} more lines]`,
    ...lines.slice(lines.length - shownAtEachEnd),
  ].join("\n");
}

/** How many backticks stand beside each other at most. */
function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
