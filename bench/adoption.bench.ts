// From the start of Holdfast to a window in which a thread can be used: after it was killed in the middle of a turn, where it
// adopts the app-server that went on, and after it was quit, where it starts one; and of a window that shows one heading. In
// turn, so that what the machine does meanwhile hits all.

import { expect } from "@playwright/test";
import { createCodexHome } from "../e2e/support/codexHome";
import { message, partOf, reply, startModelServer, streamed } from "../e2e/support/modelServer";
import { runElectron, writeBareApp } from "./electronRuns";
import { BenchHome, type Started } from "./homes";
import type { Measurement, MeasurementContext } from "./measurement";

const runs = 5;

const measurement: Measurement = {
  title: "From the start to a thread that can be used: adopted after kill -9, and started anew after a quit",
  async measure(context) {
    const bareApp = writeBareApp();
    const bare: number[] = [];
    const adopted: number[] = [];
    const started: number[] = [];
    try {
      for (let run = 0; run < runs; run += 1) {
        bare.push(await measureBare(context, bareApp.folder));
        adopted.push(await measureAdoption(context));
        started.push(await measureNewStart(context));
      }
    } finally {
      bareApp.remove();
    }
    const beside = { floor: "bare Electron window", samples: bare };
    return [
      { name: "killed in mid-turn, adopted", unit: "ms", samples: adopted, beside },
      { name: "quit, started anew", unit: "ms", samples: started, beside },
    ];
  },
};

async function measureBare(context: MeasurementContext, folder: string): Promise<number> {
  const begin = performance.now();
  const { page, end } = await runElectron(context, folder);
  await page.getByRole("heading", { name: "bare" }).waitFor();
  const tookMs = performance.now() - begin;
  await end();
  return tookMs;
}

async function measureAdoption(context: MeasurementContext): Promise<number> {
  return withHome(context, async (home, model) => {
    const folder = home.folder("atlas");
    const first = await home.launch([folder]);
    model.queue(reply(partOf("It takes "), [model.hold("relaunched")], streamed("a while.")));
    await send(first, "Take your time.");
    await expect(first.page.getByRole("article", { name: "Agent" })).toHaveText("It takes");
    await expect.poll(() => home.ledger.shownThreads()).not.toContain(null);
    const { pid } = await home.ledger.onlyRunning();
    await home.kill(first);
    const begin = performance.now();
    const second = await home.launch([folder]);
    await expect(second.page.getByRole("treeitem", { name: /^Take your time\., running/ })).toBeVisible();
    await untilUsable(second);
    await expect(second.page.getByRole("button", { name: "Stop", exact: true })).toBeEnabled();
    const tookMs = performance.now() - begin;
    if ((await home.ledger.onlyRunning()).pid !== pid) throw new Error("the app-server was not adopted");
    model.gate("relaunched").release();
    await expect(second.page.getByRole("article", { name: "Agent" })).toHaveText("It takes a while.");
    await home.end(second);
    return tookMs;
  });
}

async function measureNewStart(context: MeasurementContext): Promise<number> {
  return withHome(context, async (home, model) => {
    const folder = home.folder("atlas");
    const first = await home.launch([folder]);
    model.queue(reply(message("It took no time.")));
    await send(first, "Be quick.");
    await expect(first.page.getByRole("treeitem", { name: /^Be quick\., idle/ })).toBeVisible();
    await expect.poll(() => home.ledger.shownThreads()).not.toContain(null);
    await home.end(first);
    const begin = performance.now();
    const second = await home.launch([folder]);
    await untilUsable(second);
    await expect(second.page.getByRole("treeitem", { name: /^Be quick\., idle/ })).toBeVisible();
    const tookMs = performance.now() - begin;
    await home.end(second);
    return tookMs;
  });
}

async function withHome(
  context: MeasurementContext,
  task: (home: BenchHome, model: Awaited<ReturnType<typeof startModelServer>>) => Promise<number>,
): Promise<number> {
  const model = await startModelServer();
  const codexHome = await createCodexHome({ baseUrl: model.baseUrl });
  const home = new BenchHome(context, { CODEX_HOME: codexHome.path });
  try {
    const tookMs = await task(home, model);
    home.expectClean();
    return tookMs;
  } finally {
    home.remove();
    await model.close();
    await codexHome.remove();
  }
}

async function send({ page }: Started, text: string): Promise<void> {
  await page.getByRole("button", { name: "New thread", exact: true }).click();
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** The thread is shown, its session is connected, and a message can be written. */
async function untilUsable({ page }: Started): Promise<void> {
  await expect(page.getByRole("log", { name: "Conversation" }).getByRole("article").first()).toBeVisible();
  await expect(page.getByRole("status", { name: "Session" })).toContainText(/^connected/);
  await expect(page.getByRole("textbox", { name: "Message" })).toBeEditable();
}

export default measurement;
