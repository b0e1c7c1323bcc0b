// The runtime against real threads, under a clock that stands still (behaviour: Cells).

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "../../log";
import { loadCellWorkers, type StartWorker } from "./cellWorker";
import { failure, isPending, makeTestRuntime, type TestRuntime } from "./testCells";
import { type BundledWorker, bundleWorker } from "./testWorker";

const minute = { type: "yieldAfter", delayMs: 60_000 } as const;
const moment = { type: "yieldAfter", delayMs: 1 } as const;
const done = { type: "completed", output: [{ type: "text", text: "done" }], error: null };
const nothingYet = { type: "yielded", output: [], pendingCalls: [] };

let bundle: BundledWorker;
let start: StartWorker;
let cells: TestRuntime;

beforeAll(async () => {
  bundle = await bundleWorker();
  start = await loadCellWorkers(bundle.path, silentLog);
});
afterAll(() => bundle.remove());

beforeEach(() => {
  cells = makeTestRuntime({ loadWorkers: async () => start });
});

afterEach(async () => {
  cells.delegate.answers = (work) => work.resolve();
  for (const work of [...cells.delegate.underWay]) work.resolve();
  await cells.runtime.shutdown();
  expect(cells.runtime.count).toBe(0);
  expect(cells.clock.pendingCount).toBe(0);
});

async function closeBegun() {
  const work = await cells.delegate.asked.next();
  expect(work.kind).toBe("close");
  return work;
}

/** A cell that has completed, whose delegate has not returned yet. */
async function completed() {
  const { cellId, event } = cells.runtime.execute('text("done");', minute);
  expect(await event).toEqual(done);
  const closing = await closeBegun();
  expect(closing.cellId).toBe(cellId);
  return { cellId, closing };
}

async function endless() {
  const { cellId, event } = cells.runtime.execute("while (true) {}", moment);
  cells.clock.advance(1);
  expect(await event).toEqual(nothingYet);
  return cellId;
}

describe("cells", () => {
  test("closing cells reject requests while delegate cleanup runs", async () => {
    const { runtime } = cells;
    const { cellId, closing } = await completed();
    await expect(runtime.observe(cellId, { type: "pendingFrontier" })).rejects.toMatchObject({
      code: "missing_cell",
    });
    await expect(runtime.terminate(cellId)).rejects.toMatchObject({ code: "missing_cell" });
    const shutdown = runtime.shutdown();
    expect(await isPending(shutdown)).toBe(true);
    closing.resolve();
    await shutdown;
  });

  test("shutdown waits for each cell to finish delegate cleanup", async () => {
    const { runtime } = cells;
    const first = await completed();
    const endlessId = await endless();
    const shutdown = runtime.shutdown();
    const second = await closeBegun();
    expect(second.cellId).toBe(endlessId);
    expect(await isPending(shutdown)).toBe(true);
    first.closing.resolve();
    expect(await isPending(shutdown)).toBe(true);
    second.resolve();
    await shutdown;
  });

  test("shutdown waits for remaining cells when delegate cleanup fails, which is then owed", async () => {
    const { runtime } = cells;
    const first = await completed();
    await endless();
    const shutdown = runtime.shutdown();
    const second = await closeBegun();
    first.closing.reject(failure("no"));
    expect(await isPending(shutdown)).toBe(true);
    second.resolve();
    await shutdown;
    expect([...cells.closing.owed.keys()]).toEqual([first.cellId]);
  });

  test("concurrent shutdowns wait for the same cell cleanup", async () => {
    const { runtime } = cells;
    const { closing } = await completed();
    const shutdowns = [runtime.shutdown(), runtime.shutdown()];
    for (const shutdown of shutdowns) expect(await isPending(shutdown)).toBe(true);
    closing.resolve();
    await Promise.all(shutdowns);
    expect(cells.delegate.asked.unseen).toEqual([]);
  });

  test("shutdown closes a cell that was admitted and has not begun", async () => {
    let loaded: (start: StartWorker) => void = () => {};
    const loading = new Promise<StartWorker>((resolve) => {
      loaded = resolve;
    });
    cells = makeTestRuntime({ loadWorkers: () => loading });
    const { cellId, event } = cells.runtime.execute("while (true) {}", moment);
    const shutdown = cells.runtime.shutdown();
    expect(() => cells.runtime.execute("1", moment)).toThrow("this session is ending");
    loaded(start);
    const closing = await closeBegun();
    expect(closing.cellId).toBe(cellId);
    expect(await event).toEqual({ type: "terminated", output: [] });
    expect(await isPending(shutdown)).toBe(true);
    closing.resolve();
    await shutdown;
    expect(cells.threads).toEqual([]);
  });

  test("dropping the runtime ends its cells", async () => {
    const cellId = await endless();
    cells.runtime.drop();
    const closing = await closeBegun();
    expect(closing.cellId).toBe(cellId);
    expect(cells.runtime.count).toBe(1);
    closing.resolve();
    await cells.runtime.shutdown();
    expect(cells.runtime.count).toBe(0);
  });

  test("dropping the runtime cancels notifications of a cell that completes, before its end is told", async () => {
    const { cellId } = cells.runtime.execute('notify("pending");', minute);
    const notification = await cells.delegate.asked.next();
    expect(notification).toMatchObject({ kind: "notify", name: "pending", cellId });
    const order: string[] = [];
    notification.signal.addEventListener("abort", () => {
      order.push("cancelled");
      notification.resolve();
    });
    cells.runtime.drop();
    const closing = await closeBegun();
    order.push("closed");
    expect(closing.cellId).toBe(cellId);
    expect(order).toEqual(["cancelled", "closed"]);
    closing.resolve();
    await cells.runtime.shutdown();
  });
});
