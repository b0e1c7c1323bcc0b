// What is said to a person may name commands, in backticks. Pure.

export interface SaidPiece {
  text: string;
  code: boolean;
}

/** What stands between a pair of backticks on one line is code; one that stands alone is a character like others. */
export function saidPieces(text: string): SaidPiece[] {
  return text
    .split(/(`[^`\n]+`)/)
    .filter((piece) => piece !== "")
    .map((piece) =>
      /^`[^`\n]+`$/.test(piece) ? { text: piece.slice(1, -1), code: true } : { text: piece, code: false },
    );
}

/** Where only letters can be shown. */
export function plainSaid(text: string): string {
  return saidPieces(text)
    .map((piece) => piece.text)
    .join("");
}
