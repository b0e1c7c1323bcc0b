// Runs with real threads in real time, as the app has them.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunChange } from "../../preload/contract/cells";
import { systemClock } from "../clock";
import { silentLog } from "../log";
import { loadCellWorkers, type StartWorker } from "./runtime/cellWorker";
import { expectWithinASecond } from "./runtime/testCells";
import { type BundledWorker, bundleWorker } from "./runtime/testWorker";
import { type CellsBench, makeCellsBench } from "./testBench";

let bundle: BundledWorker;
let start: StartWorker;
let bench: CellsBench;

beforeAll(async () => {
  bundle = await bundleWorker();
  start = await loadCellWorkers(bundle.path, silentLog);
});
afterAll(() => bundle.remove());

beforeEach(() => {
  bench = makeCellsBench({ loadWorkers: async () => start, clock: systemClock });
});

afterEach(async () => {
  bench.answers = (asked) => asked.resolve();
  for (const asked of [...bench.asked]) asked.resolve();
  await bench.cells.shutDown();
  expect(bench.cells.isAtWork(bench.workspaceId)).toBe(false);
  bench.remove();
});

/** Runs it, and resolves with the first change that is looked for. */
async function until(source: string, isIt: (change: RunChange) => boolean): Promise<string> {
  const runId = await bench.run(source);
  await new Promise<void>((resolve) => {
    bench.cells.open(runId, (changes) => {
      if (changes.some(isIt)) resolve();
    });
  });
  return runId;
}

const isOver = (change: RunChange) =>
  change.type === "head" && ["completed", "failed"].includes(change.value.state ?? "");

test("a script writes, tells, asks and stores, in its order", async () => {
  bench.answers = (asked) => asked.resolve(asked.kind === "call" ? { threadId: "t1" } : undefined);
  const runId = await until(
    `text("one");
     notify("two");
     const { threadId } = await tools.startThread({ text: "Go" });
     text({ threadId });
     image("data:image/png;base64,AAAA");
     store("key", [1]);`,
    isOver,
  );
  expect(bench.look(runId)).toMatchObject({
    head: { state: "completed", error: null },
    output: [
      { type: "text", text: "one" },
      { type: "notice", text: "two" },
      { type: "text", text: '{\n  "threadId": "t1"\n}' },
      { type: "image", dataUrl: "data:image/png;base64,AAAA" },
    ],
    calls: [{ tool: "startThread", summary: "Go", threadId: "t1", state: "done" }],
  });
  expect(bench.notices).toEqual([{ title: "Count", text: "two", runId }]);
  const next = await until('text(load("key"))', isOver);
  expect(bench.look(next).output).toMatchObject([{ text: expect.stringMatching(/^\[\s*1\s*\]$/) }]);
});

test("an error is shown with its place", async () => {
  const runId = await until("text(1);\nnothing.here;", isOver);
  expect(bench.look(runId).head).toMatchObject({
    state: "failed",
    error: { at: { line: 2 }, isLimit: false, text: expect.stringContaining("ReferenceError") },
  });
});

test("one that floods its output is ended with a limit, and all that it had written is on record", async () => {
  bench.limits = { ...bench.limits, outputMiB: 0.5 };
  const runId = await until("for (let i = 0; ; i += 1) text(i);", isOver);
  const { head, output, earlierOutput } = bench.look(runId);
  expect(head.error).toMatchObject({ isLimit: true, text: expect.stringContaining("Output of a cell") });
  const items = [...bench.cells.earlierOutput(runId, earlierOutput).items, ...output];
  expect(items.length).toBeGreaterThan(1_000);
  expect(items.slice(-50)).toEqual(
    Array.from({ length: 50 }, (_, nth) => ({ type: "text", text: String(items.length - 50 + nth) })),
  );
});

test("an endless loop is stopped within a second, and quitting ends one too", async () => {
  const isBegun = (change: RunChange) => change.type === "output";
  await expectWithinASecond(async () => {
    const stopped = await until('text("begun"); while (true) {}', isBegun);
    const toldAtMs = performance.now();
    await bench.cells.stop(stopped, false);
    await expect.poll(() => bench.look(stopped).head.state, { interval: 5 }).toBe("stopped");
    return performance.now() - toldAtMs;
  });
  const running = await until('text("begun"); while (true) {}', isBegun);
  await bench.cells.shutDown();
  expect(bench.look(running)).toMatchObject({
    head: { state: "stopped" },
    output: [{ type: "text", text: "begun" }],
  });
});
