// For tests: a runtime whose threads the test plays, made anew for each test, and after it without anything left.

import { afterEach, beforeEach, expect } from "vitest";
import type { ObserveMode } from "./cellEvents";
import type { CellRuntimeOptions, StartedCell } from "./cellRuntime";
import { makeTestRuntime, settled, type TestRuntime, type TestThread } from "./testCells";
import { busy, second } from "./testMessages";

export class PlayedRuntime {
  #cells = makeTestRuntime();

  get cells(): TestRuntime {
    return this.#cells;
  }

  anew(options?: Partial<CellRuntimeOptions>): TestRuntime {
    this.#cells = makeTestRuntime(options);
    return this.#cells;
  }

  /** A cell whose thread has begun. */
  async started(mode: ObserveMode = second, options?: Partial<CellRuntimeOptions>) {
    const { runtime, threads } = options ? this.anew(options) : this.#cells;
    const cell = runtime.execute("script", mode);
    await settled();
    const thread = threads.at(-1) as TestThread;
    thread.say(busy);
    return { ...cell, thread };
  }

  async closes(cell: Pick<StartedCell, "cellId">): Promise<void> {
    const { delegate, runtime } = this.#cells;
    const work = await delegate.asked.next();
    expect(work).toMatchObject({ kind: "close", cellId: cell.cellId });
    work.resolve();
    await settled();
    expect(runtime.cells.map(({ cellId }) => cellId)).not.toContain(cell.cellId);
  }
}

/** Call at the top of a file of tests. */
export function playedRuntime(): PlayedRuntime {
  const played = new PlayedRuntime();
  beforeEach(() => {
    played.anew();
  });
  afterEach(async () => {
    // Whatever the test has left: all of it ends, within a second of the clock.
    const { delegate, runtime, clock } = played.cells;
    delegate.answers = (work) => work.resolve();
    const shutdown = runtime.shutdown();
    for (const work of [...delegate.underWay]) work.resolve();
    await settled();
    clock.advance(1_000);
    await shutdown;
    expect(runtime.count).toBe(0);
    expect(runtime.cells).toEqual([]);
    expect(clock.pendingCount).toBe(0);
  });
  return played;
}
