// The part of the text that asks for a file: "@" at the start of a word, up to the caret. Pure.

export interface MentionQuery {
  /** Where the "@" stands. */
  start: number;
  query: string;
}

const longest = 200;

export function mentionAt(text: string, caret: number): MentionQuery | null {
  const from = Math.max(0, caret - longest);
  const match = /(^|[\s([{"'`])@([^\s@]*)$/.exec(text.slice(from, caret));
  const query = match?.[2];
  if (query === undefined) return null;
  // What looks like the start of the text may only be where the look back was cut.
  if (match?.[1] === "" && from > 0) return null;
  return { start: caret - query.length - 1, query };
}

/** How a path is written into the text: in quotation marks where it would fall apart. */
export function writtenPath(path: string): string {
  return /\s/.test(path) ? `"${path}" ` : `${path} `;
}
