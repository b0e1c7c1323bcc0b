// Random histories of all that can happen to runs, the death of Holdfast in the middle included. After each step what is
// shown, what is on record and what lives agree; in the end nothing lives, and no run is said to run.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunState } from "../../preload/contract/cells";
import type { Fault } from "../fault";
import { settled, type TestThread } from "./runtime/testCells";
import { type Asked, type CellsBench, call, done, makeCellsBench } from "./testBench";

type Step =
  | { do: "run" | "stop" | "forget" | "write" | "call" | "be done" | "end" | "die" | "resist"; which: number }
  | { do: "answer" | "refuse"; which: number }
  | { do: "wait"; ms: number }
  | { do: "shut down" | "forget all" | "restart" | "retry" | "fill the disk" | "make room" };

const which = fc.nat({ max: 9 });
const doing = (...names: Step["do"][]) => fc.record({ do: fc.constantFrom(...names), which });
const step = fc.oneof(
  { weight: 8, arbitrary: doing("run") },
  { weight: 16, arbitrary: doing("write") },
  { weight: 6, arbitrary: doing("call") },
  { weight: 8, arbitrary: doing("answer", "refuse") },
  { weight: 6, arbitrary: doing("be done") },
  { weight: 4, arbitrary: doing("end", "die", "resist") },
  { weight: 4, arbitrary: doing("stop") },
  { weight: 2, arbitrary: doing("forget", "forget all") },
  { weight: 3, arbitrary: doing("retry") },
  { weight: 2, arbitrary: doing("fill the disk", "make room") },
  { weight: 1, arbitrary: doing("restart", "shut down") },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("wait"),
      ms: fc.constantFrom(0, 29, 30, 30, 200, 700, 2_000, 10_000),
    }),
  },
) as fc.Arbitrary<Step>;

/** What happens in one moment, before anything that follows from it. */
const moment = fc.array(step, { minLength: 1, maxLength: 3 });

interface Played {
  thread: TestThread;
  runId: string;
  written: number;
  calls: number;
  /** Holdfast was there until its end, so that nothing of it may be missing. */
  isWhole: boolean;
}

const active: RunState[] = ["running", "waiting for answer", "ending"];
const refusals = ["run_unknown", "run_at_work", "shutting_down", "too_many_cells"];

class History {
  readonly #bench: CellsBench = makeCellsBench();
  readonly #played: Played[] = [];
  #wasFull = false;
  #isFull = false;

  constructor() {
    this.#bench.limits = { ...this.#bench.limits, cells: 3 };
    this.#bench.answers = null;
  }

  take(step: Step): Promise<void> | undefined {
    const bench = this.#bench;
    switch (step.do) {
      case "run":
        return this.#run();
      case "stop":
        this.#mayBeRefused(() => bench.cells.stop(this.#anyRun(step.which), true));
        return;
      case "forget":
        this.#mayBeRefused(async () => bench.cells.forget(this.#anyRun(step.which)));
        return;
      case "forget all":
        bench.cells.forget(null);
        return;
      case "answer":
        this.#asked(step.which)?.resolve({ threadId: "t" });
        return;
      case "refuse":
        this.#asked(step.which)?.reject(new Error("no"));
        return;
      case "retry":
        for (const { id } of bench.cleanups.list()) void bench.cleanups.retry(id);
        return;
      case "fill the disk":
        this.#wasFull = true;
        this.#isFull = true;
        bench.failLedger("addOutput", "putCall", "end");
        return;
      case "make room":
        this.#isFull = false;
        bench.mendLedger();
        return;
      case "shut down":
        void bench.cells.shutDown();
        return;
      case "restart":
        bench.mendLedger();
        for (const played of this.#played)
          played.isWhole &&= !this.#isActive(played.runId) && !this.#isUnwritten(played);
        this.#isFull = false;
        bench.restart();
        return;
      case "wait":
        return this.#wait(step.ms);
      default:
        this.#threadStep(step.do, "which" in step ? step.which : 0);
    }
  }

  check(): void {
    const { cells, ledger, shown, workspaceId } = this.#bench;
    const rows = shown.runs;
    const isAtWork = rows.some((row) => active.includes(row.state));
    expect(cells.isAtWork(workspaceId)).toBe(isAtWork);
    // An end that could not be written is written when a run is looked at.
    if (rows[0]) this.#bench.look(rows[0].runId);
    // What is said to run is on record as running, and nothing else is.
    const records = ledger.cellRuns.list();
    expect(records.map(({ runId }) => runId)).toEqual(rows.map(({ runId }) => runId));
    for (const [index, row] of rows.entries()) {
      const record = records[index];
      if (this.#isFull && record?.state === "running") continue;
      if (!active.includes(row.state)) expect(record?.state).toBe(row.state);
      else if (row.state !== "ending") expect(record?.state).toBe("running");
    }
    for (const row of rows) this.#checkOutput(row.runId, row.state);
  }

  /** Nobody does anything any more but what he must. */
  async rest(): Promise<void> {
    const bench = this.#bench;
    this.#isFull = false;
    bench.mendLedger();
    const down = bench.cells.shutDown();
    for (let round = 0; round < 3; round += 1) {
      await settled();
      for (const asked of [...bench.asked]) if (asked.kind === "close") asked.resolve();
      bench.clock.advance(1_000);
    }
    await down;
    await settled();
    this.check();
    expect(bench.cells.isAtWork(bench.workspaceId)).toBe(false);
    expect(bench.cells.running).toEqual([]);
    expect(bench.shown.runs.filter((row) => active.includes(row.state))).toEqual([]);
    const states = bench.shown.runs.map(({ runId, state }) => [runId, state]);
    bench.restart();
    expect(bench.shown.runs.map(({ runId, state }) => [runId, state])).toEqual(states);
    this.check();
  }

  remove(): void {
    this.#bench.die();
    this.#bench.remove();
  }

  /** Each item once, in order, from the first; and all of them where nothing has come between. */
  #checkOutput(runId: string, state: RunState): void {
    const { ledger } = this.#bench;
    const played = this.#played.find((one) => one.runId === runId);
    if (!played) return;
    const { items, total } = ledger.cellRuns.outputBefore(runId, 9_999, 1_000_000);
    expect(items).toEqual(items.map((_, index) => ({ type: "text", text: String(index) })));
    expect(total).toBe(items.length);
    if (!active.includes(state) && played.isWhole && !this.#isFull) expect(total).toBe(played.written);
    const shown = this.#bench.look(runId);
    // What could not be written is written with what comes next.
    if (!this.#wasFull) expect(shown.output.length).toBe(total);
    expect(shown.output.length).toBeGreaterThanOrEqual(total);
    const { calls } = shown;
    expect(calls.map(({ callId }) => callId)).toEqual(calls.map((_, index) => index + 1));
    if (!active.includes(state)) expect(calls.every((one) => one.state !== "pending")).toBe(true);
  }

  #wait(ms: number): Promise<void> | undefined {
    const { clock } = this.#bench;
    if (ms > 30) return this.#waitLong(ms);
    clock.advance(ms);
    return undefined;
  }

  /** What follows from one timer comes before the next timer. */
  async #waitLong(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= 100) {
      this.#bench.clock.advance(100);
      await settled();
    }
  }

  async #run(): Promise<void> {
    const bench = this.#bench;
    const before = bench.threads.length;
    try {
      const runId = await bench.run();
      await settled();
      const thread = bench.threads[before];
      if (!thread) throw new Error("No thread was started.");
      this.#played.push({ thread, runId, written: 0, calls: 0, isWhole: true });
    } catch (error) {
      expect(refusals).toContain((error as Fault).code);
    }
  }

  #threadStep(what: Step["do"], nth: number): void {
    const alive = this.#played.filter(({ thread }) => !thread.isGone && this.#bench.threads.includes(thread));
    const played = pick(alive, nth);
    if (!played) return;
    const { thread } = played;
    switch (what) {
      case "write":
        // One that was ended from outside runs nothing any more.
        if (thread.isKilled) return;
        thread.say({ type: "output", items: [{ type: "text", text: String(played.written) }] });
        played.written += 1;
        return;
      case "call":
        played.calls += 1;
        thread.say(call(played.calls, "interrupt", { threadId: "t" }));
        return;
      case "be done":
        thread.say(done({ key: String(played.written) }));
        return;
      case "end":
      case "die":
        thread.end();
        return;
      case "resist":
        thread.obeys = false;
        return;
      default:
        return;
    }
  }

  #isActive(runId: string): boolean {
    return this.#bench.shown.runs.some((row) => row.runId === runId && active.includes(row.state));
  }

  /** The disk was full, and Holdfast dies before what waited for room was written: even where there was room again. */
  #isUnwritten({ runId, written }: Played): boolean {
    if (!this.#wasFull) return false;
    return this.#isFull || this.#bench.ledger.cellRuns.outputBefore(runId, 0, 1).total < written;
  }

  #anyRun(nth: number): string {
    return pick(this.#played, nth)?.runId ?? "none";
  }

  #asked(nth: number): Asked | undefined {
    return pick(this.#bench.asked, nth);
  }

  #mayBeRefused(act: () => Promise<void>): void {
    act().catch((error: unknown) => expect(refusals).toContain((error as Fault).code));
  }
}

function pick<Thing>(things: readonly Thing[], nth: number): Thing | undefined {
  return things.length === 0 ? undefined : things[nth % things.length];
}

test("whatever happens to runs, each ends once, with all that it had written on record once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { minLength: 10, maxLength: 40 }), async (moments) => {
      const history = new History();
      try {
        for (const moment of moments) {
          for (const step of moment) {
            const begun = history.take(step);
            if (begun) await begun;
          }
          await settled();
          history.check();
        }
        await history.rest();
      } finally {
        history.remove();
      }
    }),
    { numRuns: 60 },
  );
});
