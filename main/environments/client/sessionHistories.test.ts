// A whole environment over random histories: an executor in memory whose line is lost at any moment, which forgets, and which is
// replaced. Every event of a process is told once, in order; nothing with an effect is handled twice; and what is said of a call
// that failed is true.

import fc from "fast-check";
import { expect, test } from "vitest";
import { asFault } from "../../fault";
import { DisconnectedFault } from "./disconnected";
import type { ExecutorProcess } from "./executorProcess";
import type { ProcessEvent } from "./processStream";
import { shell } from "./testEnvironment";
import { controlledClient } from "./testExecutor";
import { ExecutorModel, type ModelProcess } from "./testExecutorModel";

type WorkStep = { do: "exit" | "close"; which: number } | { do: "print"; which: number; times: number };
type Step =
  | { do: "start" | "refresh" | "cut" | "forget" | "replace" }
  | { do: "write"; which: number }
  | WorkStep
  | { do: "lose next"; when: "before" | "after" }
  | { do: "wait"; ms: number };

const which = fc.nat({ max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("start" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("refresh" as const, "forget", "replace") }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("cut" as const) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom("write" as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("exit" as const, "close"), which }) },
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant("print" as const), which, times: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("lose next" as const),
      when: fc.constantFrom("before" as const, "after"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(50, 200, 2_000, 6_000) }),
  },
);

/** A process from the caller's side. */
interface Asked {
  heard: ProcessEvent[];
  process: ExecutorProcess | null;
  fault: unknown;
  writes: { text: string; outcome: unknown }[];
}

class History {
  readonly #setup = controlledClient({ connect: async (_place, handlers) => this.#model.connect(handlers) });
  readonly #models = [new ExecutorModel()];
  readonly #asked: Asked[] = [];
  readonly #open = new Set<Promise<unknown>>();
  #texts = 0;

  get #model(): ExecutorModel {
    const model = this.#models.at(-1);
    if (!model) throw new Error("there is always one");
    return model;
  }

  async take(step: Step): Promise<void> {
    this.#do(step);
    await settled();
    this.#check();
  }

  async rest(): Promise<void> {
    this.#model.losesNext = null;
    for (let round = 0; round < 40 && this.#open.size > 0; round += 1)
      await this.take({ do: "wait", ms: 2_000 });
    expect(this.#open.size).toBe(0);
    this.#check();
    for (const asked of this.#asked) this.#checkAtRest(asked);
    this.#setup.client.close();
    await settled();
    expect(this.#setup.clock.pendingCount).toBe(0);
    for (const { heard, process } of this.#asked) {
      if (process) expect(["closed", "lost"]).toContain(heard.at(-1)?.type);
    }
  }

  #do(step: Step): void {
    const { client, clock, target } = this.#setup;
    switch (step.do) {
      case "start":
        this.#watch(this.#start());
        return;
      case "refresh":
        // Whether it succeeds is not what is looked at here.
        this.#watch(client.refresh().catch(() => {}));
        return;
      case "cut":
        this.#model.cut();
        return;
      case "forget":
        this.#model.forget();
        return;
      case "replace":
        this.#models.push(new ExecutorModel());
        target.identity = `executor ${this.#models.length}`;
        return;
      case "lose next":
        this.#model.losesNext = step.when;
        return;
      case "wait":
        clock.advance(step.ms);
        return;
      case "write": {
        const running = this.#asked.filter(({ process }) => process !== null);
        const asked = running[step.which % Math.max(1, running.length)];
        if (asked?.process) this.#watch(this.#write(asked, asked.process));
        return;
      }
      default: {
        const processes = [...this.#model.processes.values()];
        const process = processes[step.which % Math.max(1, processes.length)];
        if (process) this.#work(step, process);
      }
    }
  }

  #work(step: WorkStep, process: ModelProcess): void {
    if (step.do === "exit") this.#model.exit(process);
    if (step.do === "close") this.#model.close(process);
    if (step.do === "print")
      for (let n = 0; n < step.times; n += 1) this.#model.print(process, this.#newText());
  }

  async #start(): Promise<void> {
    const asked: Asked = { heard: [], process: null, fault: null, writes: [] };
    this.#asked.push(asked);
    try {
      const session = await this.#setup.client.get();
      asked.process = await session.start(shell("unused"), (event) => asked.heard.push(event));
    } catch (error) {
      asked.fault = error;
    }
  }

  async #write(asked: Asked, process: ExecutorProcess): Promise<void> {
    const write = { text: this.#newText(), outcome: null as unknown };
    asked.writes.push(write);
    try {
      await process.write(Buffer.from(write.text));
      write.outcome = "written";
    } catch (error) {
      write.outcome = error;
    }
  }

  #newText(): string {
    this.#texts += 1;
    return `text ${this.#texts}`;
  }

  #watch(work: Promise<unknown>): void {
    this.#open.add(work);
    void work.finally(() => this.#open.delete(work));
  }

  #processOf({ process }: Asked): ModelProcess | undefined {
    if (process === null) return undefined;
    return this.#models
      .map(({ processes }) => processes.get(process.id))
      .find((found) => found !== undefined);
  }

  #check(): void {
    for (const { starts, writes } of this.#models) {
      for (const times of [...starts.values(), ...writes.values()]) expect(times).toBe(1);
    }
    for (const asked of this.#asked) this.#checkHeard(asked);
  }

  /** Each number once, in order, with what the executor said under it, or as part of a gap. */
  #checkHeard(asked: Asked): void {
    const model = this.#processOf(asked);
    let next = 1;
    for (const [index, event] of asked.heard.entries()) {
      const before = asked.heard[index - 1];
      if (event.type === "lost") continue;
      expect(event.type === "gap" ? event.fromSeq : event.seq).toBe(next);
      next = (event.type === "gap" ? event.toSeq : event.seq) + 1;
      if (!model || event.type === "gap") continue;
      const said = model.said.get(event.seq);
      if (event.type === "output") expect(said).toBe(event.bytes.toString());
      if (event.type === "exited") {
        expect(event.exitCode).toBe(7);
        // Right behind what is gone for good nobody can tell which of those numbers was the exit's.
        if (before?.type !== "gap") expect(said).toBe("exit");
      }
      if (event.type === "closed") expect(said).toBe("close");
    }
    const ends = asked.heard.filter(({ type }) => type === "closed" || type === "lost");
    expect(ends.length).toBeLessThanOrEqual(1);
    if (ends.length === 1) expect(asked.heard.at(-1)).toBe(ends[0]);
    expect(asked.heard.filter(({ type }) => type === "exited").length).toBeLessThanOrEqual(1);
  }

  #checkAtRest(asked: Asked): void {
    const model = this.#processOf(asked);
    if (asked.process === null) {
      expect(asked.fault).toBeInstanceOf(Error);
      return;
    }
    if (this.#model.isAttached && this.#model.processes.has(asked.process.id)) {
      // It was heard to the last, and was not given up while the executor had it.
      const last = asked.heard.at(-1);
      expect(last?.type).not.toBe("lost");
      const heardSeq = !last || last.type === "lost" ? 0 : last.type === "gap" ? last.toSeq : last.seq;
      expect(heardSeq).toBe((model?.nextSeq ?? 0) - 1);
    }
    if (!model) return;
    const done = new Set(model.written);
    for (const { text, outcome } of asked.writes) {
      if (outcome === "written") expect(done).toContain(text);
      if (outcome instanceof DisconnectedFault && !outcome.mayHaveHappened) expect(done).not.toContain(text);
      if (outcome !== "written") expect(asFault(outcome).code).not.toBe("unexpected");
    }
    // In the order in which they were asked for.
    const asking = asked.writes.map(({ text }) => text).filter((text) => done.has(text));
    expect(model.written).toEqual(asking);
  }
}

/** Until everything that follows from what has happened has happened; there are no sockets here. */
async function settled(): Promise<void> {
  for (let round = 0; round < 12; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

test("whatever is lost, forgotten or replaced, at any moment", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 50, size: "max" }), async (steps) => {
      const history = new History();
      for (const one of steps) await history.take(one);
      await history.rest();
    }),
    { numRuns: 80 },
  );
});
