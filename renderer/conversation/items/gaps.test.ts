import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutBlocks, fenceOf, noBlocks } from "../markdown/blocks";
import {
  copiedOutput,
  copiedText,
  gapWords,
  markdownBetween,
  outputBetween,
  outputGapWords,
  partsBetween,
} from "./gaps";

describe("a text with gaps", () => {
  test.each([
    ["nothing missing", "abc", [], ["abc"]],
    ["in the middle", "abcdef", [3], ["abc", "def"]],
    ["at the end, before more has come", "abc", [3], ["abc", ""]],
    ["at the beginning", "abc", [0], ["", "abc"]],
    ["more than once", "abcdef", [1, 3], ["a", "bc", "def"]],
    ["of a text that is not there yet", "abc", [5], ["abc", ""]],
  ])("%s", (_name, text, gaps, parts) => {
    expect(partsBetween(text, gaps)).toEqual(parts);
  });

  test("shows all of the text once, and what is added changes only the last part", () => {
    const gapped = fc
      .tuple(fc.string(), fc.uniqueArray(fc.nat(30)), fc.string())
      .map(([text, gaps, more]) => ({
        text,
        gaps: gaps.filter((gap) => gap <= text.length).sort((a, b) => a - b),
        more,
      }));
    fc.assert(
      fc.property(gapped, ({ text, gaps, more }) => {
        const parts = partsBetween(text, gaps);
        expect(parts).toHaveLength(gaps.length + 1);
        expect(parts.join("")).toBe(text);
        const last = parts.at(-1) ?? "";
        expect(partsBetween(text + more, gaps)).toEqual([...parts.slice(0, -1), last + more]);
      }),
    );
  });
});

describe("markdown that was cut in code", () => {
  const before = "Look:\n\n```ts\nconst a = 1;\n";

  test("goes on as code, and what follows the code's end is prose", () => {
    const parts = markdownBetween(`${before}const c = 3;\n\`\`\`\n\nThat was it.`, [before.length]);
    expect(parts).toEqual([before, "```ts\nconst c = 3;\n```\n\nThat was it."]);
    const [code = "", ...rest] = cutBlocks(noBlocks, parts[1] ?? "").blocks;
    expect(fenceOf(code)).toMatchObject({ info: "ts", code: "const c = 3;", closed: true });
    expect(rest.join("").trim()).toBe("That was it.");
  });

  test("goes on as code over several gaps", () => {
    const text = `${before}bc\n\`\`\`\nprose`;
    const parts = markdownBetween(text, [before.length, before.length + 1]);
    expect(parts).toEqual([before, "```ts\nb", "```ts\nc\n```\nprose"]);
  });

  test("shows no empty code while nothing has come yet", () => {
    expect(markdownBetween(before, [before.length])).toEqual([before, ""]);
  });

  test("has ended in what is missing when the next fence begins code", () => {
    const after = "and then:\n\n```sh\nls\n```\n";
    expect(markdownBetween(before + after, [before.length])).toEqual([before, after]);
  });

  test.each([
    ["closed code", "```\na\n```\n"],
    ["code in a line", "``` a ``` b\n"],
    ["a longer fence around it", "````\n```\n````\n"],
    ["another fence in it", "~~~\n```\n~~~\n"],
  ])("%s is no open code", (_name, text) => {
    expect(markdownBetween(`${text}prose`, [text.length])).toEqual([text, "prose"]);
  });
});

describe("output that was cut", () => {
  test.each([
    ["at a line's end", "a\nb\n", [2], ["a\n", "b\n"]],
    ["within a line", "ab\n", [1], ["a", "b\n"]],
    ["before a line's end", "a\nb\n", [1], ["a", "b\n"]],
    ["before an empty line", "a\n\nb\n", [2], ["a\n", "\nb\n"]],
  ])("%s has no line too many", (_name, text, gaps, parts) => {
    expect(outputBetween(text, gaps)).toEqual(parts);
  });
});

describe("text that is copied says where some is missing", () => {
  test.each([
    ["nothing missing", "one two", [], "one two"],
    ["in the middle of a word", "onetwo", [3], "one […] two"],
    ["between lines", "one\ntwo", [4], "one\n[…] two"],
    ["at the end", "one", [3], "one […]"],
    ["at the beginning", "one", [0], "[…] one"],
  ])("a message: %s", (_name, text, gaps, copied) => {
    expect(copiedText(text, gaps)).toBe(copied);
  });

  test.each([
    ["nothing missing", "one\ntwo\n", [], "one\ntwo\n"],
    ["between lines", "one\ntwo\n", [4], "one\n[…]\ntwo\n"],
    ["in the middle of a line", "onetwo\n", [3], "one\n[…]\ntwo\n"],
    ["before a line's end", "one\ntwo\n", [3], "one\n[…]\ntwo\n"],
    ["at the end", "one\n", [4], "one\n[…]\n"],
    ["of all of it so far", "", [0], "[…]\n"],
  ])("output: %s", (_name, text, gaps, copied) => {
    expect(copiedOutput(text, gaps)).toBe(copied);
  });

  test("output: control sequences are taken out on both sides, not across", () => {
    const plain = (part: string) => part.replaceAll("~", "");
    expect(copiedOutput("~one~two~", [4], plain)).toBe("one\n[…]\ntwo");
  });
});

test("of a message it is said that text was missed; of an output, only that nobody listened there", () => {
  expect(gapWords("message")).toBe(
    "Some text was missed while disconnected; it is complete when the message ends.",
  );
  expect(gapWords(null)).toBe("Some text was missed while disconnected.");
  expect(outputGapWords(true)).toContain("is here when the command ends");
  expect(outputGapWords(false)).toContain("may be missing");
});
