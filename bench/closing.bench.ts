// Quitting with twenty sessions, each with a codex of its own: from the wish to the end of the last process. Beside it as many
// codex app-servers alone, asked to end by a signal all at once.

import { expect } from "@playwright/test";
import { createCodexHome } from "../e2e/support/codexHome";
import { startModelServer } from "../e2e/support/modelServer";
import { BareCodex } from "./bareCodex";
import { BenchHome } from "./homes";
import type { Measurement, MeasurementContext } from "./measurement";

const sessions = 20;
const runs = 3;

const measurement: Measurement = {
  title: `Quit with ${sessions} live sessions`,
  async measure(context) {
    const all: number[] = [];
    const one: number[] = [];
    const bare: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      one.push(await measureQuit(context, 1));
      bare.push(await measureBare(context, sessions));
      all.push(await measureQuit(context, sessions));
    }
    return [
      {
        name: `quit with ${sessions} sessions, until all is gone`,
        unit: "ms",
        samples: all,
        beside: { floor: `SIGTERM to ${sessions} codex alone`, samples: bare },
      },
      { name: "until all is gone, 1 session", unit: "ms", samples: one },
    ];
  },
};

async function measureQuit(context: MeasurementContext, count: number): Promise<number> {
  const model = await startModelServer();
  const codexHome = await createCodexHome({ baseUrl: model.baseUrl });
  const home = new BenchHome(context, { CODEX_HOME: codexHome.path });
  try {
    const started = await home.launch([home.folder("w0")]);
    for (let index = 1; index < count; index += 1) await home.handOver(home.folder(`w${index}`));
    await expect
      .poll(() => home.ledger.states(), { timeout: 120_000 })
      .toEqual(Array.from({ length: count }, () => "running"));
    await expect(started.page.getByRole("status", { name: "Session" })).toContainText(/^connected/);
    const begin = performance.now();
    const child = started.app.process();
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    await started.app.evaluate(({ app }) => {
      setImmediate(() => app.quit());
    });
    const code = await exited;
    await expect.poll(() => home.processes().length, { intervals: [5], timeout: 30_000 }).toBe(0);
    const tookMs = performance.now() - begin;
    if (code !== 0) throw new Error(`the app ended with ${code}`);
    if (home.ledger.states().length > 0) throw new Error("the ledger has handles that are not gone");
    return tookMs;
  } finally {
    home.remove();
    await model.close();
    await codexHome.remove();
  }
}

async function measureBare(context: MeasurementContext, count: number): Promise<number> {
  const model = await startModelServer();
  const codexHome = await createCodexHome({ baseUrl: model.baseUrl });
  const servers: BareCodex[] = [];
  try {
    for (let index = 0; index < count; index += 1) {
      servers.push(await BareCodex.start(context.projectRoot, codexHome.path));
    }
    const begin = performance.now();
    await Promise.all(servers.map((server) => server.end()));
    return performance.now() - begin;
  } finally {
    await Promise.all(servers.map((server) => server.end()));
    await model.close();
    await codexHome.remove();
  }
}

export default measurement;
