import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Blocks, cutBlocks, fenceOf, firstHeadingRank, noBlocks } from "./blocks";

const sample = `# Heading

A paragraph with **bold**
over two lines.

- one
- two

  still two

1. first
2. second

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`

| a | b |
| - | - |
| 1 | 2 |

> quote
> more

Setext
======

<details>
<summary>raw</summary>

text

</details>

last words`;

function inPieces(text: string, cuts: number[]): Blocks {
  let blocks = noBlocks;
  for (const end of [...cuts].sort((a, b) => a - b)) blocks = cutBlocks(blocks, text.slice(0, end));
  return cutBlocks(blocks, text);
}

test("cutting piece by piece gives the same blocks as cutting the whole", () => {
  const whole = cutBlocks(noBlocks, sample).blocks;
  expect(whole.length).toBeGreaterThan(8);
  fc.assert(
    fc.property(fc.array(fc.nat(sample.length), { maxLength: 60 }), (cuts) => {
      expect(inPieces(sample, cuts).blocks).toEqual(whole);
    }),
    { numRuns: 300 },
  );
  const everyUnit = [...Array(sample.length).keys()];
  expect(inPieces(sample, everyUnit).blocks).toEqual(whole);
});

test("blocks always add up to the text", () => {
  const piece = fc.constantFrom(
    "# a\n",
    "\n",
    "\n\n",
    "```\n",
    "- x\n",
    "  y\n",
    "text ",
    "| a |\n| - |\n",
    "\t",
    "> q\n",
    "$$",
    "<b>",
    "[^1]",
    "\r\n",
    "\u00a0",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      let blocks = noBlocks;
      let text = "";
      for (const each of pieces) {
        text += each;
        blocks = cutBlocks(blocks, text);
      }
      expect(blocks.blocks.join("")).toBe(text);
    }),
  );
});

test("blocks that are done stay the very same strings, and a text that was replaced is cut anew", () => {
  const before = cutBlocks(noBlocks, sample);
  const after = cutBlocks(before, `${sample} and more`);
  expect(after.blocks.slice(0, -2)).toEqual(before.blocks.slice(0, -2));
  expect(cutBlocks(before, before.text)).toBe(before);
  expect(cutBlocks(before, "other text").blocks).toEqual(["other text"]);
});

describe("fences", () => {
  test("language and code", () => {
    expect(fenceOf("```ts\nconst a = 1;\n```\n\n")).toEqual({
      info: "ts",
      code: "const a = 1;",
      closed: true,
    });
    expect(fenceOf("~~~~\na\n~~~\nb\n~~~~")).toEqual({ info: "", code: "a\n~~~\nb", closed: true });
    expect(fenceOf("```\n```")).toEqual({ info: "", code: "", closed: true });
  });

  test("one that is still open", () => {
    expect(fenceOf("```py\nx = 1\ny")).toEqual({ info: "py", code: "x = 1\ny", closed: false });
    expect(fenceOf("```py")).toEqual({ info: "py", code: "", closed: false });
  });

  test("anything else is not a fence", () => {
    expect(fenceOf("text")).toBeNull();
    expect(fenceOf("`inline` text")).toBeNull();
    expect(fenceOf("``` not a `fence` ```")).toBeNull();
    expect(fenceOf("    ```\n    indented\n    ```")).toBeNull();
    expect(fenceOf("```\na\n```\nmore text")).toBeNull();
  });
});

test("the first heading of a message says how deep it begins; # in code is none", () => {
  expect(firstHeadingRank(["text", "```sh\n# not one\n```", "### Third", "# First"])).toBe(3);
  expect(firstHeadingRank(["Some words\n## Second"])).toBe(2);
  expect(firstHeadingRank(["#hashtag", "words # and more"])).toBe(1);
});
