// What a script costs and what the app feels of it: how long until its first line has run, the memory of one that waits,
// how long until one is stopped that never comes back, and the lag of the event loop meanwhile. In turn, so that what the
// machine does meanwhile hits all.

import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { CellRuntime } from "../main/cells/runtime/cellRuntime";
import { loadCellWorkers } from "../main/cells/runtime/cellWorker";
import { defaultLimits } from "../main/cells/runtime/limits";
import { SessionValues } from "../main/cells/runtime/storedValues";
import { systemClock } from "../main/clock";
import { silentLog } from "../main/log";
import type { Measurement } from "./measurement";

const runs = 10;
const waitingCells = 8;
const listenMs = 300;
const mebi = 1024 * 1024;
const minute = { type: "yieldAfter", delayMs: 60_000 } as const;

const measurement: Measurement = {
  title: "Cells: starting, waiting, stopping, and what the app's main thread feels of it",
  async measure({ projectRoot }) {
    const cells = new BenchCells(join(projectRoot, "out/main/cells/worker.cjs"));
    const samples = { start: [], stop: [], deafStop: [], lag: [], idleLag: [], memory: [] } as Samples;
    // The first one reads and compiles QuickJS.
    const first = performance.now();
    await cells.end(await cells.begin(""));
    const firstMs = performance.now() - first;
    for (let run = 0; run < runs; run += 1) {
      samples.idleLag.push(await lagMs());
      const begun = performance.now();
      const loop = await cells.begin("while (true) {}");
      samples.start.push(performance.now() - begun);
      samples.lag.push(await lagMs());
      samples.stop.push(await cells.end(loop));
      samples.deafStop.push(
        await cells.end(await cells.begin("[].indexOf.call({ length: 2 ** 53 - 1 }, 1)")),
      );
    }
    samples.memory.push(await cells.memoryOfOne());
    await cells.close();
    return [
      { name: "first cell, until its first line has run and it is gone", unit: "ms", samples: [firstMs] },
      { name: "a cell, until its first line has run", unit: "ms", samples: samples.start },
      { name: "a cell that waits", unit: "MiB", samples: samples.memory },
      { name: "while (true) {}, until it is stopped", unit: "ms", samples: samples.stop },
      { name: "a loop inside the engine, until it is stopped", unit: "ms", samples: samples.deafStop },
      { name: "longest lag of main beside while (true) {}", unit: "ms", samples: samples.lag },
      { name: "longest lag of main beside nothing", unit: "ms", samples: samples.idleLag },
    ];
  },
};

type Samples = Record<"start" | "stop" | "deafStop" | "lag" | "idleLag" | "memory", number[]>;

class BenchCells {
  readonly #runtime: CellRuntime;
  #begun: () => void = () => {};

  constructor(worker: string) {
    this.#runtime = new CellRuntime({
      delegate: {
        call: async () => null,
        notify: async () => this.#begun(),
        cellClosed: async () => {},
      },
      stored: new SessionValues(),
      closing: { close: async () => null },
      clock: systemClock,
      log: silentLog,
      limits: () => defaultLimits,
      loadWorkers: () => loadCellWorkers(worker, silentLog),
    });
  }

  /** Resolves when the script has come to what is given here. */
  begin(script: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const started = this.#runtime.execute(`notify("begun"); ${script}`, minute);
      this.#begun = () => resolve(started.cellId);
      started.event.catch(reject);
    });
  }

  /** In how many milliseconds. One that has ended by itself is read. */
  async end(cellId: string): Promise<number> {
    const toldMs = performance.now();
    await this.#runtime.terminate(cellId).catch((error: Error & { code?: string }) => {
      if (error.code !== "missing_cell") throw error;
    });
    return performance.now() - toldMs;
  }

  async memoryOfOne(): Promise<number> {
    const before = await residentMiB();
    const waiting: string[] = [];
    while (waiting.length < waitingCells) {
      waiting.push(await this.begin("await new Promise((go) => setTimeout(go, 1e9))"));
    }
    const each = ((await residentMiB()) - before) / waitingCells;
    for (const cellId of waiting) await this.end(cellId);
    return each;
  }

  async close(): Promise<void> {
    await this.#runtime.shutdown();
    if (this.#runtime.count !== 0) throw new Error("a cell is left");
  }
}

async function lagMs(): Promise<number> {
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  await pause(listenMs);
  lag.disable();
  // It counts its own pause.
  return Math.max(0, lag.max / 1e6 - 1);
}

async function residentMiB(): Promise<number> {
  globalThis.gc?.();
  await pause(listenMs);
  return process.memoryUsage.rss() / mebi;
}

export default measurement;
