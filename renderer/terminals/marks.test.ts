import { describe, expect, it } from "vitest";
import { MarkLimit, mostMarks } from "./marks";

const accent = "\u0301";
const bytes = (text: string) => new TextEncoder().encode(text);

function shown(...pieces: Uint8Array[]): string {
  const limit = new MarkLimit();
  return pieces
    .map((piece) => limit.limit(piece))
    .map((piece) => (typeof piece === "string" ? piece : new TextDecoder().decode(piece)))
    .join("");
}

describe("marks on one character", () => {
  it.each([
    ["plain text", "ls -l\r\n\u001b[31mred\u001b[0m"],
    ["accents", `e${accent}o${accent}${accent} ñ`],
    ["a family", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}"],
    ["soft hyphens, which have a width", "\u00ad".repeat(100)],
  ])("are as they were: %s", (_, text) => {
    expect(shown(bytes(text))).toBe(text);
    expect(shown(...[...bytes(text)].map((byte) => Uint8Array.of(byte)))).toBe(text);
  });

  it.each(["\u0301", "\u200d", "\u1160", "\u{e0101}"])("are bounded: %j", (mark) => {
    const kept = `e${mark.repeat(mostMarks)}`;
    expect(shown(bytes(`e${mark.repeat(1000)}f`))).toBe(`${kept}f`);
    const one = bytes(mark);
    expect(shown(bytes("e"), ...Array.from({ length: 1000 }, () => one), bytes("f"))).toBe(`${kept}f`);
    // In the middle of a character.
    expect(shown(...[...bytes(`e${mark.repeat(1000)}f`)].map((byte) => Uint8Array.of(byte)))).toBe(
      `${kept}f`,
    );
  });

  it("begin anew with each character", () => {
    const text = `e${accent.repeat(mostMarks)}`;
    expect(shown(bytes(text), bytes(text), bytes("x"), bytes(text))).toBe(`${text}${text}x${text}`);
  });
});
