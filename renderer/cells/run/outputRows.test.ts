import { describe, expect, it } from "vitest";
import type { RunOutputItem } from "../../../preload/contract/cells";
import { textOutput } from "../../state/testRuns";
import { guessedHeightPx, type OutputRow, outputRowKeeper } from "./outputRows";

const nothingFolded = new Map<number, boolean>();

function rowsOf(output: readonly RunOutputItem[], folded = nothingFolded, earlier = 0) {
  return outputRowKeeper()(output, earlier, folded);
}

const textOf = (rows: readonly OutputRow[]) =>
  rows.flatMap((row) => (row.kind === "text" ? row.text : [])).join("\n");

describe("the rows of an output", () => {
  it("are one for each short item, numbered from the very first", () => {
    const rows = rowsOf(
      [...textOutput("a", "b\nc"), { type: "notice", text: "Done" }, { type: "image", dataUrl: "data:," }],
      nothingFolded,
      10,
    );
    expect(rows.map(({ key, kind }) => [key, kind])).toEqual([
      ["10.0", "text"],
      ["11.0", "text"],
      ["12.0", "notice"],
      ["13.0", "image"],
    ]);
    expect(rows[1]).toMatchObject({ text: "b\nc", lines: 2 });
  });

  it("cut what has many lines at line ends, and lose none", () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}`);
    const rows = rowsOf(textOutput(`${lines.join("\n")}\n`));
    expect(rows.length).toBeGreaterThan(20);
    expect(textOf(rows)).toBe(lines.join("\n"));
  });

  it("cut a line that never ends, but never within a character", () => {
    const rows = rowsOf(textOutput("😀".repeat(10_001)));
    expect(rows.length).toBeGreaterThan(4);
    for (const row of rows) {
      expect(row.kind === "text" && row.text).toMatch(/^(\ud83d\ude00)+$/);
      expect(row.kind === "text" && row.text.length).toBeLessThanOrEqual(4_000);
    }
    expect(textOf(rows).replaceAll("\n", "")).toBe("😀".repeat(10_001));
  });

  it("have one for an item that is empty, as it is an empty line", () => {
    expect(rowsOf(textOutput(""))).toMatchObject([{ kind: "text", text: "", lines: 1 }]);
  });
});

describe("an object", () => {
  const small = JSON.stringify({ title: "Race", files: ["a.ts"], open: true, note: null, more: {} }, null, 2);
  const large = JSON.stringify(
    Array.from({ length: 30 }, (_, index) => ({ id: index })),
    null,
    2,
  );

  it("is open while it is small, and can be folded", () => {
    const [head, body] = rowsOf(textOutput(small));
    expect(head).toMatchObject({
      kind: "fold",
      open: true,
      brief: '{ title: "Race", files: […], open: true, note: null, more: {} }',
    });
    expect(body).toMatchObject({ kind: "text", text: small });
    expect(rowsOf(textOutput(small), new Map([[0, true]]))).toMatchObject([{ kind: "fold", open: false }]);
  });

  it("is folded while it is large, and can be opened", () => {
    const rows = rowsOf(textOutput(large));
    expect(rows).toMatchObject([{ kind: "fold", open: false, lines: 92 }]);
    expect(rows[0]?.kind === "fold" && rows[0].brief).toMatch(/^\[\{…\}, .*…\]$/);
    expect(textOf(rowsOf(textOutput(large), new Map([[0, false]])))).toBe(large);
  });

  it("that is only text which looks like one is shown as text", () => {
    const text = "{\n  this is\n  no object\n}";
    expect(rowsOf(textOutput(text))).toMatchObject([{ kind: "text", text }]);
  });
});

it("makes rows anew only for what is new, and all of them when something is folded or comes before", () => {
  const keep = outputRowKeeper();
  const output = textOutput("a", "b");
  const first = keep(output, 1, nothingFolded);
  expect(keep(output, 1, nothingFolded)).toBe(first);
  const second = keep([...output, ...textOutput("c")], 1, nothingFolded);
  expect(second).toHaveLength(3);
  expect(second[0]).toBe(first[0]);
  expect(second[2]?.key).toBe("3.0");
  const third = keep([...textOutput("z"), ...output], 0, nothingFolded);
  expect(third.map(({ key }) => key)).toEqual(["0.0", "1.0", "2.0"]);
  expect(textOf(third)).toBe("z\na\nb");
});

it("guesses heights from lines, from their length and from the room that they have", () => {
  const [short, long] = rowsOf(textOutput("a\nb", "x".repeat(1_100)));
  expect(guessedHeightPx(short, 752)).toBe(36);
  expect(guessedHeightPx(long, 752)).toBe(11 * 18);
  expect(guessedHeightPx(long, 392)).toBe(22 * 18);
  expect(guessedHeightPx(undefined, 752)).toBe(0);
});
