// A cell's worker thread: one script, and then the thread ends. It is given what it needs when it is started; what its script
// does in here is settled in script/sandbox.ts, and what becomes of the thread in cellWorker.ts.

import { parentPort, workerData } from "node:worker_threads";
import { steadyClock } from "../../clock";
import { Sandbox } from "../script/sandbox";
import type { ToWorker, WorkerStart } from "./workerMessages";

async function begin(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error("This is a worker's script.");
  const start = workerData as WorkerStart;
  const stopFlag = new Int32Array(start.stopFlag);
  const sandbox = await Sandbox.make(start, {
    clock: steadyClock,
    monotonicMs: steadyClock.nowMs,
    isToStop: () => Atomics.load(stopFlag, 0) !== 0,
    post: (message) => port.postMessage(message),
    ended: () => port.close(),
  });
  port.on("message", (message: ToWorker) => sandbox.receive(message));
  sandbox.run();
}

void begin();
