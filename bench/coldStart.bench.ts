// From the start of the process to a window that can be used, against a window that shows one heading. Both by the same
// runtime and the same driver, one after the other in turn, so that what the machine does meanwhile hits both.

import { runElectron, writeBareApp } from "./electronRuns";
import type { Measurement } from "./measurement";

const runs = 7;

const measurement: Measurement = {
  title: "Cold start: start of the process to a usable window",
  async measure(context) {
    const bareApp = writeBareApp();
    const bare: number[] = [];
    const holdfast: number[] = [];
    try {
      for (let run = 0; run < runs; run += 1) {
        const bareBegin = performance.now();
        const bareRun = await runElectron(context, bareApp.folder);
        await bareRun.page.getByRole("heading", { name: "bare" }).waitFor();
        bare.push(performance.now() - bareBegin);
        await bareRun.end();
        const begin = performance.now();
        const own = await runElectron(context, context.projectRoot);
        await own.page.getByRole("button", { name: "Open workspace" }).first().waitFor();
        holdfast.push(performance.now() - begin);
        await own.end();
      }
    } finally {
      bareApp.remove();
    }
    return [
      { name: "bare Electron window", unit: "ms", samples: bare },
      {
        name: "cold start",
        unit: "ms",
        samples: holdfast,
        beside: { floor: "bare Electron window", samples: bare, target: { times: 1.6 } },
      },
    ];
  },
};

export default measurement;
