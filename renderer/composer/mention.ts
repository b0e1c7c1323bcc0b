// "@" followed by a part of a file's name, at the cursor. Pure.

export interface Mention {
  /** Where the "@" is. */
  start: number;
  query: string;
}

const longestQuery = 120;

/** The mention that the cursor stands in; null elsewhere, or when text is selected. */
export function mentionAt(
  text: string,
  selectionStart: number,
  selectionEnd = selectionStart,
): Mention | null {
  if (selectionStart !== selectionEnd) return null;
  const before = text.slice(Math.max(0, selectionStart - longestQuery - 1), selectionStart);
  const match = /(?:^|[\s(["'`])@([^\s@]*)$/.exec(before);
  if (!match) return null;
  const query = match[1] ?? "";
  const start = selectionStart - query.length - 1;
  // What looks like the beginning of the text may only be where the look back was cut.
  if (match[0].startsWith("@") && start > 0) return null;
  return { start, query };
}

export interface Edited {
  text: string;
  cursor: number;
}

/** Puts the chosen path in the place of what was written of it, with a blank behind it. */
export function insertPath(text: string, mention: Mention, path: string): Edited {
  const end = mention.start + 1 + mention.query.length;
  const shown = /\s/.test(path) ? `"${path}"` : path;
  const rest = text.slice(end);
  const blank = /^\s/.test(rest) ? "" : " ";
  const head = `${text.slice(0, mention.start)}${shown}${blank}`;
  return { text: head + rest, cursor: head.length + (blank === "" ? 1 : 0) };
}

/** Puts paths at the cursor, for files that were dropped. */
export function insertAtCursor(text: string, cursor: number, paths: readonly string[]): Edited {
  const words = paths.map((path) => (/\s/.test(path) ? `"${path}"` : path)).join(" ");
  const before = text.slice(0, cursor);
  const lead = before === "" || /\s$/.test(before) ? "" : " ";
  const head = `${before}${lead}${words} `;
  return { text: head + text.slice(cursor).replace(/^ /, ""), cursor: head.length };
}
