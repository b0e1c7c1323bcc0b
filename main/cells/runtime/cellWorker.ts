// The thread of one cell. Each cell has a thread of its own, so that ending the one harms no other.
//
// Races:
// - It is to stop while its script runs: the flag in shared memory is seen from within the script. While it waits: a message.
//   In the middle of something that asks nothing: the thread is ended from outside, which nothing in it can prevent.
// - It ends by itself while it is being stopped, or fails in more than one way: it is told once that it is gone.
// - What it said before its end is told before its end.
// - Scripts call again as soon as they are answered, and would have this process to themselves: answers go out a few at a
//   time (answerPace.ts), and what else there is to do comes between.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { Fault } from "../../fault";
import type { Log } from "../../log";
import { compile } from "../script/compiled";
import { threadStackMb } from "../script/threadStack";
import { AnswerPace } from "./answerPace";
import { LiveThreads } from "./liveThreads";
import type { FromWorker, ToWorker, WorkerStart } from "./workerMessages";

export interface CellWorker {
  send(message: ToWorker): void;
  /** The script ends as soon as it can. */
  stop(): void;
  /** The thread ends at once, whatever it does. */
  kill(): void;
}

export interface CellWorkerEvents {
  said(message: FromWorker): void;
  /** The last event, once. Null: it has ended by itself or was ended. */
  gone(fault: Fault | null): void;
}

export type WorkerOrder = Omit<WorkerStart, "quickjs" | "stopFlag">;
export type StartWorker = (order: WorkerOrder, events: CellWorkerEvents) => CellWorker;

/** What the thread itself may use beside the script's memory, not counting the output on its way. */
const threadHeapMb = 64;

/** Reads and compiles QuickJS, once for all cells. Rejects when the files of the app are not there. */
export async function loadCellWorkers(
  script: string,
  log: Log,
  live = new LiveThreads(),
): Promise<StartWorker> {
  const file = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  const quickjs = await compile(await readFile(file));
  const pace = new AnswerPace((task) => void setImmediate(task));
  return (order, events) => startThread(script, { ...order, quickjs }, { events, log, pace, live });
}

function startThread(
  script: string,
  order: Omit<WorkerStart, "stopFlag">,
  { events, log, pace, live }: { events: CellWorkerEvents; log: Log; pace: AnswerPace; live: LiveThreads },
): CellWorker {
  const stopFlag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: WorkerStart = { ...order, stopFlag: stopFlag.buffer as SharedArrayBuffer };
  const thread = new Worker(script, {
    workerData,
    // It has nothing of ours: no environment, no arguments, no output of its own.
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    name: "cell",
    resourceLimits: {
      stackSizeMb: threadStackMb,
      maxOldGenerationSizeMb: threadHeapMb + Math.ceil((2 * order.limits.outputBytes) / 1024 ** 2),
    },
  });
  live.began();
  let fault: Fault | null = null;
  let isGone = false;
  for (const stream of [thread.stdout, thread.stderr]) {
    // QuickJS writes there when it breaks.
    stream.on("data", (chunk: Buffer) =>
      log.warn("a cell's thread has written", { text: String(chunk).slice(0, 500) }),
    );
  }
  thread.on("message", (message: FromWorker) => {
    if (!isGone) events.said(message);
  });
  thread.on("messageerror", (cause) =>
    log.error("a message of a cell could not be read", { cause: String(cause) }),
  );
  thread.on("error", (cause: Error & { code?: string }) => {
    fault ??= new Fault("cell_thread_failed", `The cell's thread has failed: ${cause.message}`, {
      cause,
      detail: cause.code,
    });
  });
  thread.on("exit", () => {
    if (isGone) return;
    isGone = true;
    live.ended();
    events.gone(fault);
  });
  return {
    send: (message) => pace.send(() => thread.postMessage(message)),
    stop() {
      Atomics.store(stopFlag, 0, 1);
      thread.postMessage({ type: "stop" } satisfies ToWorker);
    },
    kill() {
      // It resolves with the same `exit` that is told above.
      void thread.terminate();
    },
  };
}
