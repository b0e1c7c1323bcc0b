// With the real codex: what it is asked beside all threads, and that nothing of it is left.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CodexHome, createCodexHome } from "../../e2e/support/codexHome";
import {
  failure,
  type ModelServer,
  message,
  patch,
  reply,
  shell,
  startModelServer,
} from "../../e2e/support/modelServer";
import { ManualClock, systemClock } from "../clock";
import { handshake } from "../codex/handshake";
import { openRpcClient, type RpcClient } from "../codex/rpcClient";
import { createStdioTransport, type StdioStreams } from "../codex/stdioTransport";
import { codexBinary } from "../demo/testAppServer";
import { silentLog } from "../log";
import type { Connection } from "../supervisor/connection";
import { type OneQuestion, oneAnswer } from "./oneAnswer";

let folder: string;
let model: ModelServer;
let codexHome: CodexHome;
let codex: ChildProcess;
let client: RpcClient;
let cancel: AbortController;
const told: { method: string; params: unknown }[] = [];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdfast-one-")));
  model = await startModelServer();
  codexHome = await createCodexHome({
    baseUrl: model.baseUrl,
    extraLines: [
      '[mcp_servers."a.b"]',
      `command = ${JSON.stringify(process.execPath)}`,
      // It says that it was started, and nothing else.
      `args = ["-e", ${JSON.stringify(`require("node:fs").writeFileSync(${JSON.stringify(join(folder, "started"))}, "")`)}]`,
    ],
  });
  codex = spawn(await codexBinary(), ["app-server", "-c", "thread_unload_delay_secs=0"], {
    cwd: folder,
    env: { ...process.env, CODEX_HOME: codexHome.path },
    stdio: ["pipe", "pipe", "ignore"],
  });
  told.length = 0;
  cancel = new AbortController();
  client = await openRpcClient((handlers) => createStdioTransport(streamsOf(codex), handlers, silentLog), {
    clock: systemClock,
    log: silentLog,
    random: Math.random,
    onNotification: (method, params) => told.push({ method, params }),
    onRequest: () => false,
    onClosed() {},
  });
  await handshake(client, { version: "0.1.0" });
});

afterEach(async () => {
  client.close();
  if (codex.exitCode === null && codex.signalCode === null) {
    codex.kill("SIGKILL");
    await once(codex, "exit");
  }
  await model.close();
  await codexHome.remove();
  await rm(folder, { recursive: true });
  expect(model.unexpected).toEqual([]);
});

function streamsOf({ stdin, stdout }: ChildProcess): StdioStreams {
  if (!stdin || !stdout) throw new Error("codex has no streams");
  return { stdin, stdout };
}

function ask(more: Partial<OneQuestion> = {}, clock = systemClock as typeof systemClock | ManualClock) {
  const question: OneQuestion = {
    cwd: folder,
    instructions: "# Do as you are told",
    text: "What is it?",
    schema: {
      type: "object",
      properties: { message: { type: "string" } },
      required: ["message"],
      additionalProperties: false,
    },
    signal: cancel.signal,
    limitMs: 60_000,
    ...more,
  };
  return oneAnswer({ client } as Connection, question, clock);
}

/** No thread is kept, and none is in memory. */
async function nothingLeft(): Promise<void> {
  expect(await client.request("thread/list", {})).toMatchObject({ data: [] });
  await expect.poll(async () => (await client.request("thread/loaded/list", {})).data).toEqual([]);
}

describe("one answer", () => {
  it("comes from a thread that has no place to run anything in, and is gone afterwards", async () => {
    model.queue(
      reply(shell("echo ran > here; echo it ran")),
      reply(patch("*** Begin Patch\n*** Add File: here\n+patched\n*** End Patch\n")),
      reply(message('{"message":"It is this."}')),
    );
    expect(await ask()).toBe('{"message":"It is this."}');
    const [request, , third] = model.requests;
    expect(third?.outputsSinceUser).toHaveLength(2);
    expect(existsSync(join(folder, "here"))).toBe(false);
    expect(request?.lastUserText).toBe("What is it?");
    expect(JSON.stringify(request?.body)).toContain("# Do as you are told");
    expect(request?.body.text).toMatchObject({ format: { type: "json_schema" } });
    expect(told.find(({ method }) => method === "thread/started")?.params).toMatchObject({
      thread: { ephemeral: true },
    });
    await nothingLeft();
  });

  it("comes without tools of MCP servers, agents or the web, and starts no server", async () => {
    model.queue(reply(message('{"message":"It is this."}')));
    await ask();
    const tools = JSON.stringify(model.requests[0]?.body.tools);
    expect(tools).not.toMatch(/mcp|exec_command|multi_agent|spawn_agent|web_search/);
    expect(existsSync(join(folder, "started"))).toBe(false);
    expect(told.map(({ method }) => method)).not.toContain("mcpServer/startupStatus/updated");
    await nothingLeft();
  });

  it("is given up when it is cancelled, or takes too long", async () => {
    model.queue(
      reply([model.hold("first")], message("late")),
      reply([model.hold("second")], message("late")),
    );
    const first = ask();
    const isCancelled = expect(first).rejects.toMatchObject({ code: "cancelled" });
    await model.gate("first").reached;
    cancel.abort();
    await isCancelled;
    cancel = new AbortController();
    const clock = new ManualClock();
    const second = ask({}, clock);
    const isLate = expect(second).rejects.toMatchObject({ code: "no_answer" });
    await model.gate("second").reached;
    clock.advance(60_000);
    await isLate;
    model.gate("first").release();
    model.gate("second").release();
    expect(clock.pendingCount).toBe(0);
    await nothingLeft();
  });

  it("that the model does not give is a fault with its words", async () => {
    model.queue(failure(400, "No such model here."));
    await expect(ask()).rejects.toMatchObject({
      code: "no_answer",
      detail: expect.stringContaining("No such model here."),
    });
    await nothingLeft();
  });
});
