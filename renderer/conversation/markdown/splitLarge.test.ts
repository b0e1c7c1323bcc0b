import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutBlocks, noBlocks } from "./blocks";
import { largestBlockUnits, splitLarge } from "./splitLarge";

const item = "- one item of a long list that says something about a file and why it was changed like this\n";
const longList = item.repeat(200);
const longParagraph = "The bucket never holds more than one second of tokens. ".repeat(400);

test("small blocks are left alone", () => {
  expect(splitLarge("text")).toEqual(["text"]);
});

describe("long lists", () => {
  test("are cut between items", () => {
    const pieces = splitLarge(longList);
    expect(pieces.join("")).toBe(longList);
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(piece.startsWith("- ")).toBe(true);
    for (const piece of pieces) expect(piece.length).toBeLessThan(largestBlockUnits);
  });

  test("are not cut inside a fence or a nested list", () => {
    const nested = `- first\n${"  - nested item\n".repeat(500)}- second\n`;
    expect(splitLarge(nested)).toEqual([nested.slice(0, -"- second\n".length), "- second\n"]);
    const fenced = `1. code\n\n   \`\`\`\n${"- not an item\n".repeat(600)}   \`\`\`\n2. next\n`;
    expect(splitLarge(fenced)).toEqual([fenced.slice(0, -"2. next\n".length), "2. next\n"]);
  });
});

test("long paragraphs are cut after sentences, and no piece is large", () => {
  const pieces = splitLarge(longParagraph);
  expect(pieces.join("")).toBe(longParagraph);
  for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(largestBlockUnits);
  for (const piece of pieces.slice(0, -1)) expect(piece.endsWith(". ")).toBe(true);
  expect(splitLarge("x".repeat(20_000)).join("")).toBe("x".repeat(20_000));
});

test("a part of a table, a quote or a fence is not one: they stay whole", () => {
  for (const block of [
    `| a | b |\n| - | - |\n${"| 1 | 2 |\n".repeat(1_000)}`,
    `a | b\n- | -\n${"1 | 2\n".repeat(1_500)}`,
    "> quoted words\n".repeat(600),
    `\`\`\`\n${"line\n".repeat(2_000)}\`\`\`\n`,
  ]) {
    expect(splitLarge(block)).toEqual([block]);
  }
});

test("cuts do not move while text is added: blocks that are done stay the same", () => {
  for (const text of [longList, longParagraph]) {
    const whole = cutBlocks(noBlocks, text).blocks;
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 20 }), (cuts) => {
        let blocks = noBlocks;
        for (const end of cuts.sort((a, b) => a - b)) blocks = cutBlocks(blocks, text.slice(0, end));
        expect(cutBlocks(blocks, text).blocks).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  }
});
