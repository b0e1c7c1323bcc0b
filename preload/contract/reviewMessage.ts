// Comments on changed lines as one message that an agent can work with: where, what stands there, what is said of it. And
// such a message read again, to be drawn as the comments that it is. Pure.

import type { ReviewComment } from "./comments";

/** A comment as far as the message has it. */
export type SaidComment = Omit<ReviewComment, "commentId" | "revision">;

/** Longer quotes are cut in the middle: the agent can read the file. */
const mostQuotedLines = 24;
const shownAtEachEnd = 10;

export function reviewMessage(comments: readonly SaidComment[]): string {
  const head =
    comments.length === 1
      ? "I have a comment on the changes."
      : `I have ${comments.length} comments on the changes.`;
  return [head, ...comments.map((comment, at) => entry(comment, at + 1, comments.length))].join("\n\n");
}

function entry(comment: SaidComment, number: number, of: number): string {
  const title = of === 1 ? placeWords(comment) : `${number}. ${placeWords(comment)}`;
  const quote = shownQuote(comment.quote);
  const fence = "`".repeat(Math.max(3, longestRun(quote) + 1));
  return [title, "", fence, quote, fence, "", comment.text.trim()].join("\n");
}

function placeWords({ path, side, firstLine, lastLine }: SaidComment): string {
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

const headForm = /^I have (?:a comment|(\d{1,4}) comments) on the changes\.\n\n/;
const placeForm =
  /^(`+)(.+)\1, (?:line (\d{1,9})|lines (\d{1,9})-(\d{1,9}))( of the version before the change)?:$/;

/** Null: it is no such message, to the letter. A long quote comes back as it was cut. */
export function readReviewMessage(message: string): SaidComment[] | null {
  const head = headForm.exec(message);
  if (head === null) return null;
  const count = Number(head[1] ?? 1);
  const lines = message.slice(head[0].length).split("\n");
  const comments: SaidComment[] = [];
  let at = 0;
  for (let number = 1; number <= count; number++) {
    const place = placeAt(lines, at, number, count);
    if (place === null) return null;
    const quoteEnd = lines.indexOf(place.fence, at + 3);
    if (quoteEnd === -1) return null;
    let next = quoteEnd + 2;
    while (next < lines.length && (number === count || placeAt(lines, next, number + 1, count) === null))
      next++;
    const { fence: _, ...where } = place;
    comments.push({
      ...where,
      quote: lines.slice(at + 3, quoteEnd).join("\n"),
      text: lines.slice(quoteEnd + 2, next === lines.length ? next : next - 1).join("\n"),
    });
    at = next;
  }
  return reviewMessage(comments) === message ? comments : null;
}

function placeAt(lines: readonly string[], at: number, number: number, of: number) {
  const title = lines[at] ?? "";
  const prefix = of === 1 ? "" : `${number}. `;
  const fence = lines[at + 2] ?? "";
  if (!title.startsWith(prefix) || lines[at + 1] !== "" || !/^`{3,}$/.test(fence)) return null;
  const found = placeForm.exec(title.slice(prefix.length));
  if (found === null) return null;
  const [, , path = "", only, first, last, isOld] = found;
  const side: SaidComment["side"] = isOld === undefined ? "new" : "old";
  return {
    path: path.includes("`") ? path.slice(1, -1) : path,
    side,
    firstLine: Number(only ?? first),
    lastLine: Number(only ?? last),
    fence,
  };
}
