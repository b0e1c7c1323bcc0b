// Highlighted code as it goes from the worker to the window: for each line, lengths and classes by turns. Colours are not
// part of it: a class is a role ("keyword"), and the style sheet gives it a colour in each theme.

export const tokenClasses = [
  "plain",
  "keyword",
  "string",
  "constant",
  "comment",
  "function",
  "type",
  "property",
  "tag",
  "punctuation",
  "inserted",
  "deleted",
  "heading",
  "link",
] as const;
export type TokenClass = (typeof tokenClasses)[number];

/** One line: length of a piece in UTF-16 units, index of its class, length, class, ... */
export type TokenLine = number[];

export interface HighlightRequest {
  id: number;
  language: string;
  code: string;
}

export type HighlightAnswer =
  | { id: number; ok: true; lines: TokenLine[] }
  /** The language is not known, or its grammar failed: the code stays plain. */
  | { id: number; ok: false };

export interface Piece {
  text: string;
  token: TokenClass;
}

/** Cuts a line into its pieces. Whatever the tokens do not cover stays plain, so no character can be lost. */
export function piecesOf(line: string, tokens: TokenLine | undefined): Piece[] {
  if (!tokens) return line === "" ? [] : [{ text: line, token: "plain" }];
  const pieces: Piece[] = [];
  let at = 0;
  for (let index = 0; index + 1 < tokens.length && at < line.length; index += 2) {
    const text = line.slice(at, at + (tokens[index] ?? 0));
    const token = tokenClasses[tokens[index + 1] ?? 0] ?? "plain";
    at += text.length;
    const last = pieces.at(-1);
    if (last?.token === token) last.text += text;
    else if (text !== "") pieces.push({ text, token });
  }
  if (at < line.length) pieces.push({ text: line.slice(at), token: "plain" });
  return pieces;
}

export interface MarkedPiece extends Piece {
  marked: boolean;
}

/** Lays marked ranges (the words that a diff changed) over the pieces of a line. */
export function markPieces(
  pieces: Piece[],
  ranges: readonly { start: number; end: number }[],
): MarkedPiece[] {
  const result: MarkedPiece[] = [];
  let at = 0;
  let next = 0;
  for (const piece of pieces) {
    let rest = piece.text;
    while (rest !== "") {
      while (next < ranges.length && (ranges[next]?.end ?? 0) <= at) next++;
      const range = ranges[next];
      const marked = range !== undefined && range.start <= at;
      const until = range === undefined ? Number.POSITIVE_INFINITY : marked ? range.end : range.start;
      const text = rest.slice(0, Math.min(rest.length, until - at));
      result.push({ text, token: piece.token, marked });
      at += text.length;
      rest = rest.slice(text.length);
    }
  }
  return result;
}
