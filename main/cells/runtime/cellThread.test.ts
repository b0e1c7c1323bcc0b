// Real threads in real time: what a script does in its thread, the app and the other cells do not feel.

import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../clock";
import { silentLog } from "../../log";
import { loadCellWorkers, type StartWorker } from "./cellWorker";
import { defaultLimits } from "./limits";
import { expectWithinASecond, makeTestRuntime, type TestRuntime } from "./testCells";
import { type BundledWorker, bundleWorker } from "./testWorker";

const minute = { type: "yieldAfter", delayMs: 60_000 } as const;
const frontier = { type: "pendingFrontier" } as const;
/** In functions that ask nothing: a search through an array that has billions of holes. */
const deaf = "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)";

let bundle: BundledWorker;
let start: StartWorker;
let cells: TestRuntime;

beforeAll(async () => {
  bundle = await bundleWorker();
  start = await loadCellWorkers(bundle.path, silentLog);
});
afterAll(() => bundle.remove());

beforeEach(() => {
  cells = makeTestRuntime({ loadWorkers: async () => start, clock: systemClock });
  cells.delegate.answers = (work) => {
    if (work.kind === "notify") cells.delegate.asked.push(work);
    work.resolve(work.kind === "call" ? work.args : null);
  };
});

afterEach(async () => {
  await cells.runtime.shutdown();
  expect(cells.runtime.count).toBe(0);
  expect(cells.delegate.underWay.size).toBe(0);
});

/** A cell that has said that what follows begins. */
async function begun(script: string) {
  const cell = cells.runtime.execute(`text("begun"); text("still here"); notify("begun"); ${script}`, minute);
  await cells.delegate.asked.next();
  return cell;
}

/** Most of the time. The longest wait is the machine's, which runs other things too. */
function expectQuick(lag: IntervalHistogram): void {
  expect(lag.percentile(90) / 1e6).toBeLessThan(250);
}

describe("a script that never comes back", () => {
  test.each([
    ["loops", "while (true) {}"],
    ["catches everything", "for (;;) try { for (;;) {} } catch {} finally { continue }"],
    ["goes back and forth in a regular expression", "/(a+)+$/.test('a'.repeat(100) + 'b')"],
    ["makes promises without end", "const f = async () => { for (;;) await null }; await f()"],
    ["asks nothing", deaf],
    ["waits for a timer", "await new Promise((go) => setTimeout(go, 1e9))"],
    ["takes ever more memory that it gives back", "for (;;) new Array(100_000).fill({})"],
    ["writes text", "for (;;) { let s = 0; for (let i = 0; i < 1e6; i += 1) s += i; text(s) }"],
  ])("and %s is ended within a second, with what it has written", async (_name, script) => {
    await expectWithinASecond(async () => {
      const { cellId, event } = await begun(script);
      const toldAtMs = performance.now();
      const terminated = await cells.runtime.terminate(cellId);
      const tookMs = performance.now() - toldAtMs;
      expect(terminated.type).toBe("terminated");
      expect(terminated.output.slice(0, 2)).toEqual([
        { type: "text", text: "begun" },
        { type: "text", text: "still here" },
      ]);
      expect(await event).toEqual(terminated);
      return tookMs;
    });
  });

  test("is not felt: the app stays quick, and another cell does its work", async () => {
    const endless = await Promise.all([begun("while (true) {}"), begun(deaf)]);
    const lag = monitorEventLoopDelay({ resolution: 5 });
    lag.enable();
    const other = cells.runtime.execute(
      "for (let i = 0; i < 20; i += 1) await tools.listThreads({ limit: i + 1 }); text('end')",
      minute,
    );
    expect(await other.event).toMatchObject({ type: "completed", output: [{ text: "end" }], error: null });
    await Promise.all(endless.map(({ cellId }) => cells.runtime.terminate(cellId)));
    lag.disable();
    expectQuick(lag);
  });

  test("is ended when its time is over, even where it asks nothing", async () => {
    cells = makeTestRuntime({
      loadWorkers: async () => start,
      clock: systemClock,
      limits: () => ({ ...defaultLimits, runTimeMs: 200 }),
    });
    cells.delegate.answers = (work) => work.resolve(null);
    for (const script of ["while (true) {}", deaf]) {
      const { event } = cells.runtime.execute(script, minute);
      expect(await event).toMatchObject({ type: "completed", error: { limit: "runTimeMs" } });
    }
  });
});

describe("a script that wants too much", () => {
  test.each([
    ["memoryBytes", "const all = []; for (;;) all.push(new Array(1000).fill(1));"],
    ["memoryBytes", "const m = new Map(); for (let i = 0; ; i += 1) m.set(i, { i });"],
    ["outputBytes", "for (;;) text('x'.repeat(10_000));"],
    ["outputBytes", "for (;;) text('');"],
    ["pendingCalls", "for (;;) notify('x');"],
  ])("of %s ends with an error, and the app stays quick: %s", async (limit, script) => {
    const lag = monitorEventLoopDelay({ resolution: 5 });
    lag.enable();
    const { event } = cells.runtime.execute(script, minute);
    expect(await event).toMatchObject({ type: "completed", error: { limit } });
    lag.disable();
    expectQuick(lag);
  });

  test("may nest its calls too deeply, which is an error of its own", async () => {
    for (const script of [
      "(function f() { f() })()",
      "eval('('.repeat(1e5))",
      "JSON.parse('['.repeat(1e6))",
    ]) {
      const { event } = cells.runtime.execute(script, minute);
      expect(await event).toMatchObject({
        type: "completed",
        error: { text: expect.stringMatching(/nested too deeply/), limit: null },
      });
    }
  });
});

describe("a thread", () => {
  test("tells where the script can go no further without an answer", async () => {
    const { cellId, event } = cells.runtime.execute(
      "text('a'); await tools.ask({ question: 'b?' })",
      frontier,
    );
    cells.delegate.answers = null;
    expect(await event).toEqual({
      type: "yielded",
      output: [{ type: "text", text: "a" }],
      pendingCalls: [{ id: 1, name: "ask" }],
    });
    const asked = await cells.delegate.asked.next();
    expect(asked.args).toEqual({ question: "b?" });
    const next = cells.runtime.observe(cellId, minute);
    asked.resolve({ answer: "c" });
    (await cells.delegate.asked.next()).resolve();
    expect(await next).toEqual({ type: "completed", output: [], error: null });
  });

  test("checks what the script calls with", async () => {
    const { event } = cells.runtime.execute(
      "for (const args of [undefined, { question: 1 }, { question: 'a', more: 1 }]) try { await tools.ask(args) } catch (e) { text(e.message) }",
      minute,
    );
    const { output } = await event;
    expect(output.map((item) => item.type === "text" && item.text)).toEqual([
      "tools.ask: “question” is missing",
      "tools.ask: “question” must be a text",
      "tools.ask: “more” is not known; it takes question, options",
    ]);
  });

  test("finds nothing of this process", async () => {
    const { event } = cells.runtime.execute(
      "text([typeof process, typeof require, typeof fetch, typeof Buffer].join())",
      minute,
    );
    expect((await event).output).toEqual([{ type: "text", text: "undefined,undefined,undefined,undefined" }]);
  });

  test("that cannot be started is an error of the cell", async () => {
    const none = await loadCellWorkers(`${bundle.path}.none`, silentLog);
    cells = makeTestRuntime({ loadWorkers: async () => none, clock: systemClock });
    cells.delegate.answers = (work) => work.resolve(null);
    const { event } = cells.runtime.execute("1", minute);
    expect(await event).toMatchObject({
      type: "completed",
      error: { text: expect.stringMatching(/^The cell's thread has failed: .*Cannot find module/) },
    });
  });
});
