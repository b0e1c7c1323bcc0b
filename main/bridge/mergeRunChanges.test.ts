import { expect, it } from "vitest";
import type { RunOutputItem } from "../../preload/contract/cells";
import { RunMerger } from "./mergeRunChanges";

it("takes as much output at once as a run may write", () => {
  const merger = new RunMerger();
  const items = Array.from({ length: 262_144 }, (): RunOutputItem => ({ type: "text", text: "" }));
  merger.add({ type: "output", items });
  merger.add({ type: "output", items: [{ type: "text", text: "last" }] });
  const [change] = merger.take();
  expect(change?.type === "output" && [change.items.length, change.items.at(-1)]).toEqual([
    262_145,
    { type: "text", text: "last" },
  ]);
  expect(merger.isEmpty).toBe(true);
});
