// A command that prints 100 MB: until its turn has ended, what main's heap grows by, and how long either process is busy at a
// time; beside a reader that only takes in what codex says of it.

import { type ElectronApplication, expect, type Page } from "@playwright/test";
import { createCodexHome } from "../e2e/support/codexHome";
import { message, reply, shell, startModelServer } from "../e2e/support/modelServer";
import { BareCodex } from "./bareCodex";
import { readBare } from "./bareReading";
import { BenchHome } from "./homes";
import type { Measurement } from "./measurement";
import { Meters } from "./meters";

const runs = 3;
const megabytes = 100;
const command = `yes 'one more line of output, and one more after it' | head -c ${megabytes}000000`;
const lastWords = (text: string) => `That was all that was printed for ${text}`;
const speaks = "Speak.";
const quiet = "Do something quietly.";
const mebi = 1024 * 1024;

const measurement: Measurement = {
  title: `A command that prints ${megabytes} MB`,
  async measure(context) {
    const tookMs: number[] = [];
    const cpuMs: number[] = [];
    const msPerMiB: number[] = [];
    const bareTookMs: number[] = [];
    const bareCpuMs: number[] = [];
    const bareMsPerMiB: number[] = [];
    const heapMiB: number[] = [];
    const taskMs: number[] = [];
    const lagMs: number[] = [];
    const model = await startModelServer();
    model.handle((request) => {
      if (request.outputsSinceUser.length > 0) return reply(message(lastWords(request.lastUserText)));
      return reply(shell(request.lastUserText === speaks ? command : "true", { yieldTimeMs: 30_000 }));
    });
    const codexHome = await createCodexHome({ baseUrl: model.baseUrl });
    try {
      for (let run = 0; run < runs; run += 1) {
        const codex = await BareCodex.start(context.projectRoot, codexHome.path);
        try {
          const reading = await readBare(context.projectRoot, codex, { threads: 1 });
          bareTookMs.push(reading.tookMs);
          bareCpuMs.push(reading.cpuMs);
          bareMsPerMiB.push(reading.cpuMs / (reading.bytes / mebi));
        } finally {
          await codex.end();
        }
        const home = new BenchHome(context, { CODEX_HOME: codexHome.path });
        try {
          const { app, page } = await home.launch([home.folder("atlas")]);
          await expect(page.getByRole("status", { name: "Session" })).toContainText(/^connected/);
          const meters = await Meters.install(app, page);
          await page.getByRole("button", { name: "New thread", exact: true }).click();
          // The reader's thread is there, and its codex at rest, when it begins to count; so are these.
          await takeTurn(page, "Begin.");
          const quietMs = await cpuOf(app, () => takeTurn(page, quiet));
          const before = await meters.memory();
          await meters.begin();
          const begin = performance.now();
          const loudMs = await cpuOf(app, () => takeTurn(page, speaks));
          tookMs.push(performance.now() - begin);
          cpuMs.push(loudMs);
          const since = await meters.since();
          msPerMiB.push(Math.max(0, loudMs - quietMs) / (since.fromCodexBytes / mebi));
          taskMs.push(since.longestRendererTaskMs);
          lagMs.push(since.longestMainLagMs);
          heapMiB.push((await meters.memory()).mainHeapMiB - before.mainHeapMiB);
          await home.end({ app, page });
          home.expectClean();
        } finally {
          home.remove();
        }
      }
    } finally {
      await model.close();
      await codexHome.remove();
    }
    return [
      {
        name: `${megabytes} MB of output: until the turn has ended`,
        unit: "ms",
        samples: tookMs,
        beside: { floor: "bare reader", samples: bareTookMs },
      },
      {
        name: `${megabytes} MB of output: CPU of main`,
        unit: "ms",
        samples: cpuMs,
        beside: { floor: "bare reader", samples: bareCpuMs },
      },
      {
        // codex leaves out more or less of a flood, as it gets rid of it.
        name: "its CPU for each MiB from codex, beyond a quiet turn",
        unit: "ms",
        samples: msPerMiB,
        beside: { floor: "bare reader", samples: bareMsPerMiB, target: { times: 2 } },
      },
      { name: "heap of main has grown by", unit: "MiB", samples: heapMiB },
      { name: "longest task in the window", unit: "ms", samples: taskMs },
      { name: "longest delay in main", unit: "ms", samples: lagMs },
    ];
  },
};

async function takeTurn(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("log").getByText(lastWords(text)).waitFor({ timeout: 180_000 });
}

/** CPU time of main's process, in ms. */
async function cpuOf(app: ElectronApplication, task: () => Promise<void>): Promise<number> {
  const begin = await app.evaluate(() => process.cpuUsage());
  await task();
  const used = await app.evaluate((_electron, since) => process.cpuUsage(since), begin);
  return (used.user + used.system) / 1000;
}

export default measurement;
