import { describe, expect, it } from "vitest";
import { firstWords, lastWords, plainPiece, plainText } from "./plainText";

describe("Markdown as plain words", () => {
  it.each([
    ["# Done\n\nAll **twelve** tests _pass_ in `npm test`.", "Done All twelve tests pass in npm test."],
    ["See [the file](src/a_b.ts) and ![a picture](x.png).", "See the file and a picture."],
    ["- one\n- [x] two\n3. three\n> said", "one two three said"],
    ["Before\n```js\nconst a = 1;\n```\nafter", "Before after"],
    ["Before\n```js\nnever ended", "Before"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "| a | b | | 1 | 2 |"],
    ["snake_case_name and 2 * 3 * 4 stay", "snake_case_name and 2 * 3 * 4 stay"],
    ["a <b>bold</b> word, and 1 < 2", "a bold word, and 1 < 2"],
    ["bell\u0007 and\ttab", "bell and tab"],
    ["", ""],
  ])("%j", (markdown, words) => {
    expect(plainText(markdown)).toBe(words);
  });

  it("of a very long answer takes the end, in time", () => {
    const text = plainText(`${"*_`[(".repeat(200_000)} The end.`);
    expect(text.endsWith("The end.")).toBe(true);
  });
});

it("a piece that was found keeps what was searched for", () => {
  expect(plainPiece("…the **burst** in `limits.ts`: see [this](a.md)", "burst in limits")).toBe(
    "…the burst in limits.ts: see this",
  );
  expect(plainPiece("Before\n```js\nconst burst = 1;\n```\n**after**", "burst =")).toBe(
    "Before const burst = 1; after",
  );
  expect(plainPiece("## Done **well**", "elsewhere")).toBe("Done well");
  expect(plainPiece("it is **burst** now", "**burst**")).toBe("it is **burst** now");
});

describe("shortening", () => {
  it("cuts between words and says where", () => {
    expect(firstWords("one two three", 10)).toBe("one two…");
    expect(lastWords("one two three", 10)).toBe("…two three");
    expect(firstWords("one", 10)).toBe("one");
    expect(firstWords("x".repeat(20), 10)).toBe(`${"x".repeat(9)}…`);
    expect([...lastWords("👍".repeat(20), 10)]).toHaveLength(10);
  });
});
