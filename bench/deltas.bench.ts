// 20,000 pieces of one message: the CPU time of Holdfast's main process, against a reader that does nothing but take them
// in. Both get the same turn from the same codex and the same scripted model, in turn.

import type { Page } from "@playwright/test";
import { createCodexHome } from "../e2e/support/codexHome";
import { message, reply, startModelServer, streamed } from "../e2e/support/modelServer";
import { BareCodex } from "./bareCodex";
import { readBare } from "./bareReading";
import { runElectron } from "./electronRuns";
import type { Measurement } from "./measurement";

const pieces = 20_000;
const runs = 3;
const lastWords = "and that was the last piece";
const chunks = Array.from({ length: pieces - 1 }, (_, index) => `w${index % 97} `);

const measurement: Measurement = {
  title: `One turn of ${pieces} text deltas: CPU time of the reading process`,
  async measure(context) {
    const model = await startModelServer();
    const codexHome = await createCodexHome({ baseUrl: model.baseUrl });
    const whole = [...chunks, lastWords];
    let speaks = false;
    model.handle(() => (speaks ? reply(streamed("", whole)) : reply(message("I listen."))));
    const bare: number[] = [];
    const holdfast: number[] = [];
    try {
      for (let run = 0; run < runs; run += 1) {
        speaks = true;
        bare.push(await bareReader(context.projectRoot, codexHome.path, whole.length));
        const own = await runElectron(context, context.projectRoot, {
          args: [codexHome.path],
          environment: { CODEX_HOME: codexHome.path },
        });
        await own.page.getByRole("button", { name: "New thread" }).click();
        // The reader's thread is there, and its codex at rest, when it begins to count; so are these.
        speaks = false;
        await send(own.page, "Listen.");
        await own.page.getByRole("treeitem", { name: /^Listen\., idle/ }).waitFor();
        speaks = true;
        const begin = await own.app.evaluate(() => process.cpuUsage());
        await send(own.page, "Speak.");
        await own.page.getByRole("log").getByText(lastWords).waitFor({ timeout: 120_000 });
        const used = await own.app.evaluate((_electron, since) => process.cpuUsage(since), begin);
        holdfast.push((used.user + used.system) / 1000);
        await own.end();
      }
    } finally {
      await model.close();
      await codexHome.remove();
    }
    return [
      { name: "bare reader, CPU", unit: "ms", samples: bare },
      {
        name: `${pieces} deltas: CPU of Holdfast's main process`,
        unit: "ms",
        samples: holdfast,
        beside: { floor: "bare reader", samples: bare, target: { times: 2 } },
      },
    ];
  },
};

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

async function bareReader(projectRoot: string, codexHome: string, expected: number): Promise<number> {
  const codex = await BareCodex.start(projectRoot, codexHome);
  try {
    const reading = await readBare(projectRoot, codex, { threads: 1 });
    if (reading.deltas < expected * 0.9) throw new Error(`only ${reading.deltas} of ${expected} deltas came`);
    return reading.cpuMs;
  } finally {
    await codex.end();
  }
}

export default measurement;
