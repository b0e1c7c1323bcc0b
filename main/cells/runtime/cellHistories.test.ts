// Random histories of everything that can happen to the cells of a session, with threads and a delegate that do what they
// like, in any order. After each step the cells add up, and in the end, whatever has happened, there are none.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../fault";
import type { CellEvent, ObserveMode } from "./cellEvents";
import { defaultLimits } from "./limits";
import { failure, makeTestRuntime, settled, TestThread } from "./testCells";
import type { FromWorker } from "./workerMessages";

type ThreadStep =
  /** A thread says something, as one that runs does. */
  | { do: "busy" | "wait for an answer" | "wait for a timer" | "write" | "call" | "notify"; which: number }
  | { do: "be done"; which: number; well: boolean }
  /** A thread ends: as it was told, or by itself. */
  | { do: "end" | "die"; which: number }
  /** It does not end when it is ended from outside. */
  | { do: "resist"; which: number };

type Step =
  | ThreadStep
  | { do: "execute" | "observe"; which: number; mode: ObserveMode }
  | { do: "terminate" | "shut down" | "drop"; which: number }
  /** What the delegate does comes to an end. */
  | { do: "finish"; which: number; well: boolean }
  | { do: "load" | "fail to load" | "wait"; which: number; ms: number };

const which = fc.nat({ max: 9 });
const mode: fc.Arbitrary<ObserveMode> = fc.oneof(
  fc.record({ type: fc.constant("yieldAfter" as const), delayMs: fc.constantFrom(0, 1, 500, 60_000) }),
  fc.record({ type: fc.constant("pendingFrontier" as const) }),
  fc.record({ type: fc.constant("output" as const), momentMs: fc.constantFrom(0, 30) }),
);
const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constantFrom("execute", "observe"), which, mode }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("terminate"), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("shut down", "drop"), which }) },
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "busy",
        "wait for an answer",
        "wait for a timer",
        "write",
        "write",
        "call",
        "notify",
      ),
      which,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("be done"), which, well: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("end", "die", "resist"), which }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("finish"), which, well: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("load"), which, ms: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fail to load"), which, ms: fc.constant(0) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("wait"), which, ms: fc.constantFrom(0, 200, 500, 700, 60_000) }),
  },
) as fc.Arbitrary<Step>;

const refusals = new Set(["cell_busy", "missing_cell", "already_terminating"]);
const limits = { ...defaultLimits, cells: 4 };

interface Given {
  events: Set<CellEvent>;
  numbers: number[];
  ends: number;
  /** It was seen that nothing of it was left out. */
  isWhole: boolean;
}

class History {
  readonly #loads: { resolve(): void; reject(error: Error): void }[] = [];
  readonly #cells = makeTestRuntime({
    limits: () => limits,
    loadWorkers: () =>
      new Promise((resolve, reject) => {
        this.#loads.push({
          resolve: () =>
            resolve((order, events) => {
              const thread = new TestThread(order, events);
              this.#threads.push({ thread, written: 0, isDone: false });
              return thread;
            }),
          reject,
        });
      }),
  });
  readonly #threads: { thread: TestThread; written: number; isDone: boolean }[] = [];
  readonly #ids: string[] = [];
  /** What was given of each cell, by the order in which it was written. */
  readonly #given = new Map<string, Given>();
  readonly #closed = new Map<string, number>();
  #waiting = 0;
  #shutdowns = 0;

  take(step: Step): void {
    const { runtime, delegate, clock } = this.#cells;
    switch (step.do) {
      case "execute":
        this.#execute(step.mode);
        return;
      case "observe": {
        const cellId = pick(this.#ids, step.which);
        if (cellId) this.#expectEvent(cellId, runtime.observe(cellId, step.mode));
        return;
      }
      case "terminate": {
        const cellId = pick(this.#ids, step.which);
        if (cellId) this.#expectEvent(cellId, runtime.terminate(cellId));
        return;
      }
      case "shut down":
        this.#shutDown();
        return;
      case "drop":
        runtime.drop();
        return;
      case "finish": {
        const work = pick([...delegate.underWay], step.which);
        if (!work) return;
        if (step.well) work.resolve({ answer: "a" });
        else work.reject(failure("the delegate has failed"));
        return;
      }
      case "load":
        this.#loads.shift()?.resolve();
        return;
      case "fail to load":
        this.#loads.shift()?.reject(failure("not there"));
        return;
      case "wait":
        clock.advance(step.ms);
        return;
      default:
        this.#threadStep(step);
    }
  }

  check(): void {
    const { runtime, delegate } = this.#cells;
    expect(runtime.count).toBe(runtime.cells.length);
    expect(runtime.count).toBeLessThanOrEqual(limits.cells);
    for (const work of delegate.underWay) {
      if (work.kind !== "close") continue;
      // Whatever belongs to a cell that closes was cancelled before, or has ended.
      const others = [...delegate.underWay].filter((other) => other.cellId === work.cellId && other !== work);
      expect(others.every(({ kind, signal }) => kind !== "close" && signal.aborted)).toBe(true);
      expect(runtime.cells.find(({ cellId }) => cellId === work.cellId)?.phase).toBe("closing");
    }
    for (const [cellId, given] of this.#given) {
      const { numbers, ends } = given;
      // Each item once, none out of order, none left out.
      expect(numbers).toEqual(numbers.map((_, index) => index));
      expect(ends, cellId).toBeLessThanOrEqual(1);
      if (ends === 0 || given.isWhole) continue;
      given.isWhole = true;
      const script = String(this.#ids.indexOf(cellId));
      const played = this.#threads.find(({ thread }) => thread.order.script === script);
      expect(numbers.length).toBe(played?.written ?? 0);
    }
    for (const times of this.#closed.values()) expect(times).toBe(1);
  }

  /** Nobody does anything any more but what he must: whoever was promised something has it, and nothing is left. */
  async rest(): Promise<void> {
    const { runtime, delegate, clock } = this.#cells;
    this.#shutDown();
    for (let round = 0; round < 5; round += 1) {
      await settled();
      clock.advance(1_000);
      // The delegate heeds nothing but its own end; so none of it may be waited for but the last.
      for (const work of [...delegate.underWay]) if (work.kind === "close") work.resolve();
    }
    await settled();
    this.check();
    expect(runtime.count).toBe(0);
    expect(runtime.cells).toEqual([]);
    expect([this.#waiting, this.#shutdowns]).toEqual([0, 0]);
    expect(clock.pendingCount).toBe(0);
    expect(new Set(this.#closed.keys())).toEqual(new Set(this.#ids));
    expect([...delegate.underWay].every(({ signal }) => signal.aborted)).toBe(true);
    for (const { thread } of this.#threads) expect(thread.isGone || thread.isKilled).toBe(true);
  }

  constructor() {
    const { delegate } = this.#cells;
    delegate.answers = (work) => {
      if (work.kind === "close") this.#closed.set(work.cellId, (this.#closed.get(work.cellId) ?? 0) + 1);
    };
  }

  #execute(mode: ObserveMode): void {
    const { runtime } = this.#cells;
    try {
      const { cellId, event } = runtime.execute(`${this.#ids.length}`, mode);
      expect(this.#ids).not.toContain(cellId);
      this.#ids.push(cellId);
      this.#given.set(cellId, { events: new Set(), numbers: [], ends: 0, isWhole: false });
      this.#expectEvent(cellId, event);
    } catch (error) {
      expect(["shutting_down", "too_many_cells"]).toContain((error as Fault).code);
    }
  }

  #expectEvent(cellId: string, event: Promise<CellEvent>): void {
    this.#waiting += 1;
    event.then(
      (given) => {
        this.#waiting -= 1;
        const known = this.#given.get(cellId);
        // Whoever terminates and whoever observes get the same end.
        if (!known || known.events.has(given)) return;
        known.events.add(given);
        for (const item of given.output) if (item.type === "text") known.numbers.push(Number(item.text));
        if (given.type !== "yielded") known.ends += 1;
      },
      (error: unknown) => {
        this.#waiting -= 1;
        expect(error).toBeInstanceOf(Fault);
        expect(refusals).toContain((error as Fault).code);
      },
    );
  }

  #shutDown(): void {
    this.#shutdowns += 1;
    void this.#cells.runtime.shutdown().then(() => {
      this.#shutdowns -= 1;
      expect(this.#cells.runtime.count).toBe(0);
    });
  }

  #threadStep(step: ThreadStep): void {
    const played = pick(
      this.#threads.filter(({ thread }) => !thread.isGone),
      step.which,
    );
    if (!played) return;
    const { thread } = played;
    const answers = thread.heard.filter(({ type }) => type === "answer").length;
    const say = (message: FromWorker) => thread.say(message);
    switch (step.do) {
      case "busy":
        say({ type: "busy", spentMs: 0 });
        break;
      case "wait for an answer":
        say({ type: "idle", spentMs: 0, answers, waitsFor: "answer" });
        break;
      case "wait for a timer":
        say({ type: "idle", spentMs: 0, answers, waitsFor: "timer" });
        break;
      case "write":
        // A script that has come to its end writes nothing (sandbox.ts).
        if (played.isDone) return;
        say({ type: "output", items: [{ type: "text", text: String(played.written) }] });
        played.written += 1;
        break;
      case "call":
        say({ type: "call", id: 1 + thread.heard.length, name: "ask", args: '{"question":"q"}' });
        break;
      case "notify":
        say({ type: "notify", text: "n" });
        break;
      case "be done": {
        const error = step.well ? null : { text: "no", at: null, limit: null };
        say({ type: "done", error, stored: new Map([["k", "1"]]) });
        played.isDone = true;
        break;
      }
      case "end":
        thread.end();
        break;
      case "die":
        thread.end(failure("the thread has died"));
        break;
      case "resist":
        thread.obeys = false;
        break;
      default:
        step satisfies never;
    }
  }
}

function pick<Thing>(things: readonly Thing[], which: number): Thing | undefined {
  return things.length === 0 ? undefined : things[which % things.length];
}

async function run(steps: Step[]): Promise<void> {
  const history = new History();
  for (const step of steps) {
    history.take(step);
    await settled();
    history.check();
  }
  await history.rest();
}

/** A thread is not waited for any more, and what it wrote comes before anybody reads the end of its cell. */
const wroteLate: Step[] = [
  { do: "execute", which: 0, mode: { type: "yieldAfter", delayMs: 0 } },
  { do: "load", which: 0, ms: 0 },
  { do: "resist", which: 0 },
  { do: "busy", which: 0 },
  { do: "wait", which: 0, ms: 60_000 },
  { do: "write", which: 0 },
  { do: "observe", which: 0, mode: { type: "pendingFrontier" } },
];

describe("whatever happens to the cells of a session", () => {
  test("each ends once, is told of once, and none is left", async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), run), {
      numRuns: 600,
      examples: [[wroteLate]],
    });
  });
});
