import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heldGaps, heldTextUnits, itemSchema, mostGaps } from "../../preload/contract/items";
import { gapsBehind, withGap } from "./gaps";
import { viewItem } from "./itemView";
import { appendToItem } from "./itemView/delta";
import { agentItem, runningCommand } from "./testCodexData";
import { marked } from "./testThreads";

const message = () => viewItem(agentItem("m", ""), { turnId: "t", running: true });
const command = () => viewItem(runningCommand("c"), { turnId: "t", running: true });

describe("a gap", () => {
  it("is marked once where nothing came in between, and the item is the same then", () => {
    const item = withGap(appendToItem(message(), "text", "Half"));
    expect(item).toMatchObject({ gaps: [4] });
    expect(withGap(item)).toBe(item);
    expect(withGap(appendToItem(item, "text", "!"))).toMatchObject({ gaps: [4, 5] });
  });

  it("is in both texts of a reasoning, for either may go on", () => {
    const codexItem = { type: "reasoning", id: "r", summary: ["So"], content: [] };
    const item = viewItem(codexItem, { turnId: "t", running: true });
    expect(withGap(item)).toMatchObject({ summaryGaps: [2], contentGaps: [0] });
  });

  it("is in nothing that has ended", () => {
    const ended = viewItem(agentItem("m", "All"), { turnId: "t", running: false });
    expect(withGap(ended)).toBe(ended);
  });

  it("is one of so many that a window can hold them", () => {
    let item = message();
    for (let count = 0; count < mostGaps + 5; count += 1) item = withGap(appendToItem(item, "text", "a"));
    expect(itemSchema.parse(item)).toEqual(item);
    if (item.kind !== "agent") throw new Error("expected a message");
    expect(item.gaps).toHaveLength(mostGaps);
    expect(item.gaps.at(-1)).toBe(mostGaps + 5);
  });

  it("stays at the beginning of a text whose beginning is cut off", () => {
    expect(gapsBehind([2, 5, 9], 0)).toEqual([2, 5, 9]);
    expect(gapsBehind([2, 5, 9], 5)).toEqual([0, 4]);
  });
});

describe("a gap in an output that is trimmed", () => {
  it("stays where it was in what is held, or goes with what is trimmed", () => {
    // Long pieces, so that some histories trim.
    const piece = fc.record({ units: fc.nat(heldTextUnits), cutAfter: fc.boolean() });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        let item = command();
        let all = "";
        const gaps: number[] = [];
        for (const [index, { units, cutAfter }] of pieces.entries()) {
          const text = String(index).repeat(units);
          item = appendToItem(item, "output", text);
          all += text;
          if (!cutAfter) continue;
          item = withGap(item);
          if (gaps.at(-1) !== all.length) gaps.push(all.length);
        }
        if (item.kind !== "command") throw new Error("expected a command");
        const { output } = item;
        const shown = marked(output.text, heldGaps(output, item.gaps));
        const inAll = gaps.filter((gap) => output.droppedUnits === 0 || gap > output.droppedUnits);
        const expected = marked(
          all.slice(output.droppedUnits),
          inAll.map((gap) => gap - output.droppedUnits),
        );
        expect(shown === expected).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
