// Marks that are put on the character before them, accents and joiners, take no room of their own: the emulator keeps as many
// on one character as a program prints, and a window that has to draw a hundred thousand of them does nothing else. Writing
// needs a few.

export const mostMarks = 16;
/** What the emulator gives no width. A soft hyphen has one. */
const mark = "(?:(?!\\u00ad)[\\p{Mn}\\p{Me}\\p{Cf}\\u1160-\\u11ff])";
const isMark = new RegExp(`^${mark}$`, "u");
const manyMarks = new RegExp(`${mark}{${mostMarks + 1}}`, "u");
const marksAtEnd = new RegExp(`${mark}+$`, "u");

/** For one output, piece by piece. */
export class MarkLimit {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The last piece may have ended in the middle of a character. */
  #isBetween = false;
  /** How many the character has that came last. */
  #count = 0;

  /** The same to look at, and bounded. */
  limit(piece: Uint8Array): Uint8Array | string {
    if (!this.#isBetween && isPlain(piece)) {
      if (piece.length > 0) this.#count = 0;
      return piece;
    }
    if (piece.length > 0) this.#isBetween = (piece.at(-1) ?? 0) >= 0x80;
    const text = this.#decoder.decode(piece, { stream: true });
    if (this.#count > 0 || manyMarks.test(text)) return this.#limited(text);
    this.#count = [...(marksAtEnd.exec(text)?.[0] ?? "")].length;
    return text;
  }

  #limited(text: string): string {
    let kept = "";
    for (const character of text) {
      this.#count = isMark.test(character) ? this.#count + 1 : 0;
      if (this.#count <= mostMarks) kept += character;
    }
    return kept;
  }
}

function isPlain(piece: Uint8Array): boolean {
  for (const byte of piece) if (byte >= 0x80) return false;
  return true;
}
