// 20,000 pieces of one message: the CPU time of Holdfast's main process, against a reader that does nothing but take them
// in. Both get the same turn from the same codex and the same scripted model, in turn.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCodexHome } from "../e2e/support/codexHome";
import { reply, startModelServer, streamed } from "../e2e/support/modelServer";
import { systemClock } from "../main/clock";
import { bundledBinary } from "../main/codex/codexPackage";
import { handshake } from "../main/codex/handshake";
import { openRpcClient } from "../main/codex/rpcClient";
import { connectWhenReady } from "../main/codex/webSocketTransport";
import { silentLog } from "../main/log";
import { runElectron } from "./electronRuns";
import type { Measurement } from "./measurement";

const pieces = 20_000;
const runs = 3;
const lastWords = "and that was the last piece";
const text = `${Array.from({ length: pieces - 1 }, (_, index) => `w${index % 97} `).join("")}${lastWords}`;
const chunks = text.match(/.{1,4}/gs)?.slice(0, pieces - 1) ?? [];

const measurement: Measurement = {
  title: `One turn of ${pieces} text deltas: CPU time of the reading process`,
  async measure(context) {
    const model = await startModelServer();
    const codexHome = await createCodexHome({ baseUrl: model.baseUrl });
    const whole = [...chunks, lastWords];
    model.handle(() => reply(streamed("", whole)));
    const bare: number[] = [];
    const holdfast: number[] = [];
    try {
      for (let run = 0; run < runs; run += 1) {
        bare.push(await bareReader(context.projectRoot, codexHome.path, whole.length));
        const own = await runElectron(context, context.projectRoot, {
          args: [codexHome.path],
          environment: { CODEX_HOME: codexHome.path },
        });
        await own.page.getByRole("button", { name: "New thread" }).click();
        await own.page.getByRole("textbox", { name: "Message" }).fill("Speak.");
        const begin = await own.app.evaluate(() => process.cpuUsage());
        await own.page.getByRole("button", { name: "Send", exact: true }).click();
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
      { name: "Holdfast's main process, CPU", unit: "ms", samples: holdfast },
      {
        name: "Holdfast / bare",
        unit: "times",
        samples: holdfast.map((ms, run) => ms / (bare[run] ?? Number.NaN)),
      },
    ];
  },
};

/** This process reads, and does nothing else meanwhile but serve the model; the server's share is measured and taken off. */
async function bareReader(projectRoot: string, codexHome: string, expected: number): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), "holdfast-bench-reader-"));
  mkdirSync(join(root, "sockets"), { mode: 0o700 });
  const socket = join(root, "sockets", "s");
  const binary =
    (await bundledBinary(projectRoot, { platform: process.platform, arch: process.arch })) ?? "codex";
  const codex: ChildProcess = spawn(binary, ["app-server", "--listen", `unix://${socket}`], {
    env: { ...process.env, CODEX_HOME: codexHome },
    stdio: "ignore",
  });
  const exited = new Promise((resolve) => codex.once("exit", resolve));
  try {
    let deltas = 0;
    let finished: () => void = () => {};
    const done = new Promise<void>((resolve) => {
      finished = resolve;
    });
    const client = await openRpcClient(
      (handlers) =>
        connectWhenReady({ kind: "unix", path: socket }, handlers, {
          clock: systemClock,
          deadlineMs: 20_000,
        }),
      {
        clock: systemClock,
        log: silentLog,
        random: Math.random,
        onNotification: (method) => {
          if (method === "item/agentMessage/delta") deltas += 1;
          if (method === "turn/completed") finished();
        },
        onRequest: () => false,
        onClosed: () => {},
      },
    );
    await handshake(client, { version: "0.0.0" });
    const { thread } = await client.request("thread/start", { cwd: root });
    const begin = process.cpuUsage();
    await client.request("turn/start", {
      threadId: thread.id,
      input: [{ type: "text", text: "Speak.", text_elements: [] }],
    });
    await done;
    const used = process.cpuUsage(begin);
    client.close();
    if (deltas < expected * 0.5) throw new Error(`only ${deltas} deltas came`);
    return (used.user + used.system) / 1000;
  } finally {
    codex.kill("SIGTERM");
    await exited;
    rmSync(root, { recursive: true, force: true });
  }
}

export default measurement;
