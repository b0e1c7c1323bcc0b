// What an item keeps in memory of what codex sent.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { heldTextUnits, type Item } from "../../../preload/contract/items";
import { viewItem } from "../itemView";
import { titleOf } from "../titles";
import { longestMessageUnits } from "./message";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const context = { turnId: "t", running: false };
const longUnits = 5_000_000;
const times = 8;

/** As it comes from the parser: a string of its own each time. */
function fromCodex(item: object): unknown {
  return JSON.parse(JSON.stringify(item));
}

function keptBytes<Kept>(make: () => Kept): number {
  // The first one may leave something behind for good: compiled code, the last text that an expression looked at.
  make();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: times }, make);
  collectGarbage();
  const bytes = process.memoryUsage().heapUsed - before;
  expect(kept).toHaveLength(times);
  return bytes / times;
}

const long = "x".repeat(longUnits);

test.each<[string, object, number]>([
  [
    "a command's output",
    { type: "commandExecution", id: "c", command: "ls", aggregatedOutput: long },
    heldTextUnits,
  ],
  ["an answer", { type: "agentMessage", id: "a", text: long }, longestMessageUnits],
])("%s that is far too long: only the part of it that is shown", (_name, item, shownUnits) => {
  const bytes = keptBytes((): Item => viewItem(fromCodex(item), context));
  expect(bytes).toBeLessThan(shownUnits * 1.5);
});

test("a title made of a long first message: only the title", () => {
  const bytes = keptBytes(() => titleOf(fromCodex({ preview: long }) as { preview: string }));
  expect(bytes).toBeLessThan(100_000);
});
