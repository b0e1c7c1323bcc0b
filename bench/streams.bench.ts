// Four threads that speak at once, each about 2,000 pieces of text a second, while a person types into one of them, on a
// thread that has five hundred items already: how long either process is busy at a time, how soon a key is answered, and what
// main takes beside a reader of the same four turns. Typing is held against typing in the same window while nothing speaks.

import { expect, type Page } from "@playwright/test";
import { createCodexHome } from "../e2e/support/codexHome";
import { type LongThread, makeLongThread, promptOf } from "../e2e/support/longThread";
import { type ModelServer, startModelServer } from "../e2e/support/modelServer";
import type { Step } from "../main/demo/responseSteps";
import { BareCodex } from "./bareCodex";
import { readBare } from "./bareReading";
import { BenchHome } from "./homes";
import type { Measurement } from "./measurement";
import { Meters } from "./meters";

const runs = 3;
const threads = 4;
const seconds = 8;
const perSecond = 2_000;
const pauseMs = 10;
const turnsBefore = 200;
const keys = 60;
const keyEveryMs = 80;
const lastWords = "and that was all of it";

const measurement: Measurement = {
  title: `${threads} threads at ${perSecond} deltas a second each, for ${seconds} s`,
  async measure(context) {
    const cpu: number[] = [];
    const bareCpu: number[] = [];
    const rendererTask: number[] = [];
    const mainLag: number[] = [];
    const restTask: number[] = [];
    const restLag: number[] = [];
    const typing: number[] = [];
    const restTyping: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const model = await startModelServer();
      const codexHome = await createCodexHome({ baseUrl: model.baseUrl });
      const home = new BenchHome(context, { CODEX_HOME: codexHome.path });
      try {
        const cwd = home.folder("atlas");
        const long = await makeLongThread({
          codexHome: codexHome.path,
          cwd,
          model,
          turns: turnsBefore,
          name: "long",
        });
        model.handle(speech);
        const codex = await BareCodex.start(context.projectRoot, codexHome.path);
        try {
          const reading = await readBare(context.projectRoot, codex, { threads });
          bareCpu.push(reading.cpuMs);
        } finally {
          await codex.end();
        }
        const { app, page } = await home.launch([cwd]);
        await expect(page.getByRole("status", { name: "Session" })).toContainText(/^connected/);
        const meters = await Meters.install(app, page);
        await showLong(page, long);
        await meters.begin();
        restTyping.push(await typeKeys(page));
        const atRest = await meters.since();
        restTask.push(atRest.longestRendererTaskMs);
        restLag.push(atRest.longestMainLagMs);

        await begin(page, model, long);
        await meters.begin();
        const cpuBegin = await app.evaluate(() => process.cpuUsage());
        typing.push(await typeKeys(page));
        await expect(page.getByRole("treeitem", { name: /, running/ })).toHaveCount(0, { timeout: 120_000 });
        const used = await app.evaluate((_electron, since) => process.cpuUsage(since), cpuBegin);
        const since = await meters.since();
        cpu.push((used.user + used.system) / 1000);
        rendererTask.push(since.longestRendererTaskMs);
        mainLag.push(since.longestMainLagMs);
        await page.getByRole("textbox", { name: "Message" }).fill("");
        await home.end({ app, page });
        home.expectClean();
      } finally {
        home.remove();
        await model.close();
        await codexHome.remove();
      }
    }
    const floor = "same window, nobody speaks";
    return [
      {
        name: `${threads} threads speak: CPU of main`,
        unit: "ms",
        samples: cpu,
        beside: { floor: "bare reader", samples: bareCpu, target: { times: 2 } },
      },
      {
        name: `${threads} threads speak: longest task in the window`,
        unit: "ms",
        samples: rendererTask,
        beside: { floor, samples: restTask, target: { value: 50 } },
      },
      {
        name: `${threads} threads speak: longest delay in main`,
        unit: "ms",
        samples: mainLag,
        beside: { floor, samples: restLag },
      },
      {
        name: `${threads} threads speak: key to paint, 95th percentile`,
        unit: "ms",
        samples: typing,
        beside: { floor, samples: restTyping, target: { value: 50 } },
      },
    ];
  },
};

function* speech(): Generator<Step> {
  const pieces = (perSecond * pauseMs) / 1000;
  for (let at = 0; at < (seconds * 1000) / pauseMs; at += 1) {
    for (let piece = 0; piece < pieces; piece += 1) {
      yield { type: "textDelta", text: piece === 0 && at % 20 === 0 ? "\n\nAnd so on: " : `word${piece} ` };
    }
    yield { type: "pause", ms: pauseMs };
  }
  yield { type: "textDelta", text: lastWords };
  yield { type: "itemEnd" };
}

async function showLong(page: Page, long: LongThread): Promise<void> {
  await page.getByRole("treeitem", { name: /^long/ }).click();
  const conversation = page.getByRole("log", { name: "Conversation" });
  await expect(conversation).toContainText(promptOf(long, long.turns));
}

/** One turn in the long thread, which is shown in the end, and one in each of three new ones. */
async function begin(page: Page, model: ModelServer, long: LongThread): Promise<void> {
  const before = model.requests.length;
  const send = async (text: string) => {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.getByRole("button", { name: "Send", exact: true }).click();
  };
  for (let index = 1; index < threads; index += 1) {
    await page.getByRole("button", { name: "New thread", exact: true }).click();
    await send(`Speak, number ${index}.`);
  }
  await showLong(page, long);
  await send("Speak.");
  await expect.poll(() => model.requests.length - before, { timeout: 30_000 }).toBe(threads);
}

/** Types into the message; of all keys, the 95th percentile of the time from the key to the frame that shows it. */
async function typeKeys(page: Page): Promise<number> {
  const message = page.getByRole("textbox", { name: "Message" });
  await message.focus();
  await page.evaluate(() => {
    const world = globalThis as unknown as {
      document: { activeElement: EventTarget | null };
      requestAnimationFrame(task: () => void): void;
      keyMs?: number[];
    };
    const times: number[] = [];
    world.keyMs = times;
    world.document.activeElement?.addEventListener("input", (event) => {
      // What was due in that frame has been done when the next task comes.
      world.requestAnimationFrame(() => {
        setTimeout(() => times.push(performance.now() - event.timeStamp));
      });
    });
  });
  for (let index = 0; index < keys; index += 1) {
    const begin = performance.now();
    await page.keyboard.press("abcdefghij"[index % 10] ?? "a");
    const restMs = keyEveryMs - (performance.now() - begin);
    if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
  }
  const times = await page.evaluate(() => (globalThis as unknown as { keyMs?: number[] }).keyMs ?? []);
  if (times.length < keys) throw new Error(`only ${times.length} of ${keys} keys were answered`);
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

export default measurement;
