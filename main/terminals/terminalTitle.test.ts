import fc from "fast-check";
import { expect, it } from "vitest";
import { TerminalTitle } from "./terminalTitle";

const bytes = (text: string) => Buffer.from(text);

function titleAfter(...pieces: string[]): string | null {
  const reader = new TerminalTitle();
  for (const piece of pieces) reader.read(bytes(piece));
  return reader.title;
}

it("a title is what was set last, with either end", () => {
  expect(titleAfter("$ ls\r\n")).toBeNull();
  expect(titleAfter("\u001b]0;vim\u0007 text \u001b]2;make – all\u001b\\")).toBe("make – all");
  expect(titleAfter("\u001b]0;vim\u0007", "\u001b]0;\u0007")).toBeNull();
});

it("other sequences set none", () => {
  expect(
    titleAfter("\u001b]8;;https://example.org\u0007\u001b]52;c;AAAA\u0007\u001b[0m\u001b]12;red\u0007"),
  ).toBeNull();
});

it("it is bounded, and holds nothing that is no text", () => {
  expect(titleAfter(`\u001b]0;${"x".repeat(900)}\u0007`)).toHaveLength(200);
  expect(titleAfter(`\u001b]0;${"x".repeat(5000)}\u0007`)).toBeNull();
  expect(titleAfter("\u001b]0;a\u202eb\n\u009bc\u0007")).toBe("abc");
});

it("what comes in pieces is the same as what comes at once", () => {
  const piece = fc.constantFrom(
    "\u001b",
    "]",
    "0;",
    "2;",
    "title",
    "\u0007",
    "\\",
    "é",
    "text\r\n",
    "\u001b]0;",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), (parts, size) => {
      const all = bytes(parts.join(""));
      const [whole, split] = [new TerminalTitle(), new TerminalTitle()];
      whole.read(all);
      for (let at = 0; at < all.length; at += size) split.read(all.subarray(at, at + size));
      expect(split.title).toBe(whole.title);
    }),
  );
});
