// The client against the codex that comes with the app, over each of its transports.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../clock";
import { silentLog } from "../log";
import { bundledBinary } from "./codexPackage";
import { handshake } from "./handshake";
import { openRpcClient, type RpcClient } from "./rpcClient";
import { createStdioTransport } from "./stdioTransport";
import { freeze } from "./testFreeze";
import type { Transport, TransportClosed, TransportHandlers } from "./transport";
import { connectWebSocket, connectWhenReady, type SocketAddress } from "./webSocketTransport";

let folder: string;
let started: ChildProcess[];
let clients: RpcClient[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast codex-"));
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await mkdir(join(folder, "home"));
  started = [];
  clients = [];
});

afterEach(async () => {
  for (const client of clients) client.close();
  for (const child of started) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    expect(() => process.kill(child.pid ?? 0, 0)).toThrow("ESRCH");
  }
  await rm(folder, { recursive: true });
  expect(existsSync(folder)).toBe(false);
});

async function startCodex(args: string[], stdin: "ignore" | "pipe" = "ignore"): Promise<ChildProcess> {
  const binary = await bundledBinary(process.cwd(), process);
  if (binary === null) throw new Error("This project's codex is not installed for this system.");
  const env = { ...process.env, CODEX_HOME: join(folder, "home") };
  const child = spawn(binary, ["app-server", ...args], { env, stdio: [stdin, "pipe", "pipe"] });
  started.push(child);
  return child;
}

async function openClient(connect: (handlers: TransportHandlers) => Promise<Transport> | Transport) {
  const closes: TransportClosed[] = [];
  const notifications: string[] = [];
  const client = await openRpcClient(connect, {
    clock: systemClock,
    log: silentLog,
    random: Math.random,
    onNotification: (method) => notifications.push(method),
    onRequest: () => false,
    onClosed: (reason) => closes.push(reason),
  });
  clients.push(client);
  return { client, closes, notifications };
}

const deadlineMs = 30_000;

async function overSocket() {
  const address: SocketAddress = { kind: "unix", path: join(folder, "s") };
  const child = await startCodex(["--listen", `unix://${address.path}`]);
  child.stdout?.resume();
  child.stderr?.resume();
  const first = await openClient((handlers) =>
    connectWhenReady(address, handlers, { clock: systemClock, deadlineMs }),
  );
  return { child, address, ...first };
}

async function useIt(client: RpcClient) {
  const identity = await handshake(client, { version: "0.1.0" });
  expect(identity).toMatchObject({ codexHome: join(folder, "home"), platformFamily: expect.any(String) });
  expect(identity.codexVersion).toMatch(/^\d+\.\d+\.\d+/);
  expect(await client.request("thread/list", {})).toMatchObject({ data: [], nextCursor: null });
  await expect(client.requestUntyped("holdfast/noSuchMethod", {})).rejects.toMatchObject({
    code: "codex_error",
    rpcCode: -32600,
    isUnknownMethod: true,
    message: "Invalid request: unknown variant `holdfast/noSuchMethod`",
  });
  await expect(
    client.request("thread/read", { threadId: "nonsense", includeTurns: false }),
  ).rejects.toMatchObject({
    code: "codex_error",
    isUnknownMethod: false,
  });
}

describe.skipIf(process.platform === "win32")("the real codex on a unix socket", () => {
  it("is reached as soon as it listens, and works, with a space in its path", async () => {
    const { client, address } = await overSocket();
    await useIt(client);
    expect((await stat(address.path)).mode & 0o777).toBe(0o600);
    expect(client.counters).toEqual({
      lateAnswers: 0,
      strayAnswers: 0,
      malformedMessages: 0,
      unknownRequests: 0,
      handlerErrors: 0,
      retries: 0,
    });
  });

  it("serves two clients at once, and goes on when one leaves", async () => {
    const { client, address, child } = await overSocket();
    const second = await openClient((handlers) =>
      connectWebSocket(address, handlers, { clock: systemClock }),
    );
    await Promise.all([useIt(client), useIt(second.client)]);
    client.close();
    expect(await second.client.request("thread/loaded/list", {})).toMatchObject({ data: [] });
    expect(child.exitCode).toBeNull();
    const third = await openClient((handlers) => connectWebSocket(address, handlers, { clock: systemClock }));
    await useIt(third.client);
  });

  it("that is killed fails what was pending, as possibly delivered", async () => {
    const { client, child, closes } = await overSocket();
    await handshake(client, { version: "0.1.0" });
    await freeze(child.pid ?? 0);
    const pending = client.request("thread/list", {}).catch((error: unknown) => error);
    child.kill("SIGKILL");
    expect(await pending).toMatchObject({ code: "connection_lost", written: true });
    expect(closes).toMatchObject([{ by: expect.stringMatching(/codex|failure/) }]);
    await expect(client.request("thread/list", {})).rejects.toMatchObject({
      code: "connection_lost",
      written: false,
    });
  });

  it("that hangs costs a deadline, not the client; its late answer is dropped", async () => {
    const { client, child } = await overSocket();
    await handshake(client, { version: "0.1.0" });
    await freeze(child.pid ?? 0);
    await expect(client.request("thread/list", {}, { deadlineMs: 100 })).rejects.toMatchObject({
      code: "deadline",
    });
    child.kill("SIGCONT");
    await client.request("thread/loaded/list", {});
    await expect.poll(() => client.counters.lateAnswers).toBe(1);
  });
});

describe("the real codex on a loopback port", () => {
  it("takes the token that it was started with, and no other", async () => {
    const token = randomBytes(32).toString("hex");
    const tokenFile = join(folder, "token");
    await writeFile(tokenFile, token, { mode: 0o600 });
    const child = await startCodex([
      "--listen",
      "ws://127.0.0.1:0",
      "--ws-auth",
      "capability-token",
      "--ws-token-file",
      tokenFile,
    ]);
    const port = await new Promise<number>((resolve, reject) => {
      let text = "";
      child.on("exit", () => reject(new Error(`codex ended: ${text}`)));
      child.stderr?.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
        const found = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(text);
        if (found) resolve(Number(found[1]));
      });
    });
    const options = { clock: systemClock, deadlineMs };
    const { client } = await openClient((handlers) =>
      connectWhenReady({ kind: "loopback", port, token }, handlers, options),
    );
    await useIt(client);
    for (const wrong of ["", `${token.slice(1)}x`]) {
      const opening = openClient((handlers) =>
        connectWebSocket({ kind: "loopback", port, token: wrong }, handlers, options),
      );
      await expect(opening).rejects.toMatchObject({ code: "connect_rejected" });
    }
  });
});

describe("the real codex on stdio", () => {
  it("works, and ends by itself when the client closes", async () => {
    const child = await startCodex([], "pipe");
    child.stderr?.resume();
    const { stdin, stdout } = child;
    if (stdin === null || stdout === null) throw new Error("The pipes are missing.");
    const { client, closes } = await openClient((handlers) =>
      createStdioTransport({ stdin, stdout }, handlers, silentLog),
    );
    await useIt(client);
    client.close();
    expect(closes).toEqual([{ by: "holdfast" }]);
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("that is killed ends the connection", async () => {
    const child = await startCodex([], "pipe");
    child.stderr?.resume();
    const { stdin, stdout } = child;
    if (stdin === null || stdout === null) throw new Error("The pipes are missing.");
    const { client } = await openClient((handlers) =>
      createStdioTransport({ stdin, stdout }, handlers, silentLog),
    );
    await handshake(client, { version: "0.1.0" });
    await freeze(child.pid ?? 0);
    const pending = client.request("thread/list", {}).catch((error: unknown) => error);
    child.kill("SIGKILL");
    expect(await pending).toMatchObject({ code: "connection_lost", written: true });
  });
});
