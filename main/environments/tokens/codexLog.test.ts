// A codex that is told to write all it can, and is given the token of an environment.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../clock";
import { bundledBinary } from "../../codex/codexPackage";
import { openRpcClient } from "../../codex/rpcClient";
import { connectWebSocket } from "../../codex/webSocketTransport";
import { silentLog } from "../../log";
import { codexLog } from "../../supervisor/codexLog";
import { startExecServer } from "../client/testExecServer";

const token = "tok-of-the-build-box";

it("a token is in no log of codex, whatever is to be written", async () => {
  const binary = await bundledBinary(process.cwd(), process);
  if (binary === null) throw new Error("This project's codex is not installed for this system.");
  const folder = mkdtempSync(join(tmpdir(), "holdfast-log-"));
  const file = join(folder, "token");
  writeFileSync(file, token);
  const executor = await startExecServer(["--ws-auth", "capability-token", "--ws-token-file", file]);
  const child = spawn(binary, ["app-server", "--listen", "ws://127.0.0.1:0"], {
    cwd: folder,
    env: { ...process.env, CODEX_HOME: folder, RUST_LOG: codexLog("trace,tungstenite=trace", "warn") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let written = "";
  const url = await new Promise<string>((resolve, reject) => {
    const read = (text: Buffer) => {
      written += text;
      const address = /ws:\/\/127\.0\.0\.1:\d+/.exec(written)?.[0];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", () => reject(new Error(written)));
  });
  const client = await openRpcClient(
    (handlers) => connectWebSocket({ kind: "url", url, token: null }, handlers, { clock: systemClock }),
    {
      clock: systemClock,
      log: silentLog,
      random: () => 0,
      onNotification() {},
      onRequest: () => false,
      onClosed() {},
    },
  );
  const clientInfo = { name: "holdfast", title: "Holdfast", version: "0" };
  await client.requestUntyped("initialize", { clientInfo, capabilities: { experimentalApi: true } });
  client.notify("initialized");
  const environmentId = "holdfast.box.1";
  await client.request("environment/add", {
    environmentId,
    execServerUrl: executor.url,
    authBearerToken: token,
    connectTimeoutMs: 5_000,
  });
  await client.request("environment/info", { environmentId });
  client.close();
  child.kill();
  await ended;
  await executor.stop();
  rmSync(folder, { recursive: true });
  // It has written what it was told to, and how it was asked; not what it was asked with.
  expect(written).toContain("environment/add");
  expect(written).not.toContain(token);
});
