// The watchdog's own script with real codex app-servers, and an owner that is killed.

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type CodexHome, createCodexHome } from "../../../e2e/support/codexHome";
import { type ModelServer, message, reply, shell, startModelServer } from "../../../e2e/support/modelServer";
import { systemClock } from "../../clock";
import { handshake } from "../../codex/handshake";
import { openRpcClient, type RpcClient } from "../../codex/rpcClient";
import { connectWhenReady } from "../../codex/webSocketTransport";
import { codexBinary } from "../../demo/testAppServer";
import { openLedger } from "../../ledger/openLedger";
import { bundle, startProcess, type TestProcess } from "../../ledger/testProcess";
import { silentLog } from "../../log";
import { endHandleTree, markerVariable } from "../handleTree";
import { ownedBy, type ProcessRef, processStartTime, systemProcessTable } from "../processTree";
import { removeSocket, socketTarget } from "../socketFolder";
import { bundleWatchdog } from "./testWatchdog";
import { watchdogProfileId } from "./watchdog";
import type { OwnedServer } from "./watchdogMessages";

/** Goes on whatever it is told, and when its input has ended. It answers as an MCP server, so that codex keeps it. */
const stubbornTool = `
  import { writeFileSync } from "node:fs";
  import { createInterface } from "node:readline";
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
  writeFileSync(process.argv[2], String(process.pid));
  setInterval(() => {}, 1000);
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const result = method === "initialize"
      ? { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }
      : { tools: [] };
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  });`;

/** It only bounds a test that hangs: the machine may be busy. */
const patience = { timeout: 30_000, interval: 50 };
const unattendedMs = 1_000;
const table = systemProcessTable(systemClock);

let scripts: string;
let watchdogScript: string;
let ownerScript: string;
let root: string;
let model: ModelServer;
let home: CodexHome;
let owner: TestProcess;
let servers: OwnedServer[];
let clients: RpcClient[];

beforeAll(async () => {
  scripts = mkdtempSync(join(tmpdir(), "holdfast-watchdog-scripts-"));
  watchdogScript = await bundleWatchdog(scripts);
  ownerScript = await bundle(new URL("./testOwner.ts", import.meta.url), scripts);
});

afterAll(() => rmSync(scripts, { recursive: true }));

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "holdfast-watchdog-"));
  model = await startModelServer();
  home = await createCodexHome({ baseUrl: model.baseUrl });
  owner = startProcess(ownerScript, [join(root, "holdfast.db"), watchdogScript, root, String(unattendedMs)]);
  servers = [];
  clients = [];
});

afterEach(async () => {
  for (const client of clients) client.close();
  await owner.kill();
  for (const handle of [
    ...handlesNotGone(),
    ...servers.map((one) => ({ handleId: one.handleId, leader: one })),
  ]) {
    expect(await endHandleTree(handle, systemClock)).toBeNull();
  }
  for (const { channel } of servers) if (channel.kind === "socket") removeSocket(channel.path, null);
  await model.close();
  await home.remove();
  rmSync(root, { recursive: true, force: true });
});

function handlesNotGone() {
  const { ledger } = openLedger({ path: join(root, "holdfast.db"), clock: systemClock, log: silentLog });
  const handles = ledger.handles.listNotGone();
  ledger.close();
  return handles.map(({ handleId, profileId, facts }) => ({
    handleId,
    profileId,
    leader: facts && { pid: facts.pid, startTime: facts.startTime },
  }));
}

/** Started as Holdfast starts it, and owned by the owner. */
async function startServer(
  file: string,
  args: string[],
  channel: OwnedServer["channel"],
  kind: OwnedServer["kind"] = "app-server",
): Promise<OwnedServer> {
  const handleId = randomUUID();
  const log = openSync(join(root, `${handleId}.log`), "a");
  const child: ChildProcess = spawn(file, args, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: root, CODEX_HOME: home.path, [markerVariable]: handleId },
    detached: true,
    stdio: ["ignore", log, log],
  });
  const pid = child.pid ?? 0;
  const server: OwnedServer = {
    kind,
    handleId,
    pid,
    startTime: processStartTime(pid) ?? "",
    channel,
  };
  closeSync(log);
  servers.push(server);
  owner.say(JSON.stringify(server));
  expect(await owner.line()).toBe("told");
  return server;
}

async function startCodex(...overrides: string[]): Promise<OwnedServer & { client: RpcClient }> {
  const path = join(root, `${servers.length}.sock`);
  const args = ["app-server", "--listen", `unix://${path}`, ...overrides.flatMap((one) => ["-c", one])];
  const server = await startServer(await codexBinary(), args, { kind: "socket", path });
  return { ...server, client: await openClient(path) };
}

async function startExecServer(): Promise<OwnedServer> {
  const args = ["exec-server", "--listen", "ws://127.0.0.1:0"];
  const channel = { kind: "loopback", tokenFile: join(root, "none"), port: null } as const;
  return startServer(await codexBinary(), args, channel, "exec-server");
}

async function openClient(path: string, onRequest: (method: string) => void = () => {}): Promise<RpcClient> {
  const client = await openRpcClient(
    (handlers) =>
      connectWhenReady({ kind: "unix", path }, handlers, { clock: systemClock, deadlineMs: 30_000 }),
    {
      clock: systemClock,
      log: silentLog,
      random: Math.random,
      onNotification() {},
      onRequest: ({ method }) => {
        onRequest(method);
        return true;
      },
      onClosed() {},
    },
  );
  clients.push(client);
  await handshake(client, { version: "0.1.0" });
  return client;
}

/** Resolves with the thread once codex has taken the message. */
async function startTurn(client: RpcClient): Promise<string> {
  const { thread } = await client.request("thread/start", { cwd: root });
  const input = [{ type: "text" as const, text: "go", text_elements: [] }];
  await client.request("turn/start", { threadId: thread.id, input });
  return thread.id;
}

async function status(client: RpcClient, threadId: string): Promise<unknown> {
  return (await client.request("thread/read", { threadId })).thread.status;
}

async function left({ handleId, ...leader }: ProcessRef & { handleId: string }): Promise<string[]> {
  const marker = { name: markerVariable, value: handleId };
  const rows = await ownedBy({ leader, processSessionId: leader.pid, marker }, table);
  return rows.map((row) => `${row.pid} ${row.command}`);
}

function watchdogProcess(): ProcessRef & { handleId: string } {
  const [handle, ...more] = handlesNotGone();
  expect(more).toEqual([]);
  expect(handle?.profileId).toBe(watchdogProfileId);
  if (!handle?.leader) throw new Error("no watchdog");
  return { handleId: handle.handleId, ...handle.leader };
}

const isThere = async ({ pid, startTime }: ProcessRef) => (await table.startTime(pid)) === startTime;

/** Of Linux: how many are connected to a socket. */
function connectionsTo(path: string): number {
  const connected = "03";
  return readFileSync("/proc/net/unix", "utf8")
    .split("\n")
    .filter((line) => line.endsWith(` ${path}`) && line.split(/\s+/)[5] === connected).length;
}

function watchdogLog(): string {
  const [name = "none"] = readdirSync(root).filter((file) => /^watchdog-.*\.log$/.test(file));
  return readFileSync(join(root, name), "utf8");
}

describe.skipIf(process.platform === "win32")("the watchdog, when Holdfast is killed", () => {
  test("ends an idle server with all that it started, and a busy one when its turn has ended", async () => {
    const toolScript = join(root, "tool.mjs");
    const toolPid = join(root, "tool.pid");
    writeFileSync(toolScript, stubbornTool);
    const tool = `{ command = ${JSON.stringify(process.execPath)}, args = ${JSON.stringify([toolScript, toolPid])} }`;
    const idle = await startCodex(`mcp_servers.stubborn=${tool}`);
    // A command that goes on after its turn, in a process session of its own.
    model.queue(shell("sleep 1000", { yieldTimeMs: 250 }), message("It sleeps."));
    const threadId = await startTurn(idle.client);
    await model.request(1);
    await expect.poll(() => status(idle.client, threadId), patience).toEqual({ type: "idle" });
    expect((await left(idle)).join("\n")).toContain("sleep");
    const ofTool = Number(readFileSync(toolPid, "utf8"));
    expect(processStartTime(ofTool)).not.toBeNull();

    const busy = await startCodex();
    model.queue(reply([model.hold("turn")], message("Done.")));
    await startTurn(busy.client);
    await model.gate("turn").reached;

    const watchdog = watchdogProcess();
    for (const client of clients) client.close();
    await owner.kill();

    await expect.poll(() => left(idle), patience).toEqual([]);
    expect(processStartTime(ofTool)).toBeNull();
    // It was watched for as long.
    expect(await isThere(busy)).toBe(true);
    expect(await isThere(watchdog)).toBe(true);

    model.gate("turn").release();
    await expect.poll(() => left(busy), patience).toEqual([]);
    await expect.poll(() => isThere(watchdog), patience).toBe(false);
    expect(await left(watchdog)).toEqual([]);
    expect(watchdogLog()).not.toContain('"level":"error"');
  });

  test("leaves an exec-server to the app-servers that may use it, and ends it with the last of them", async () => {
    const execServer = await startExecServer();
    const idle = await startCodex();
    const busy = await startCodex();
    model.queue(reply([model.hold("turn")], message("Done.")));
    await startTurn(busy.client);
    await model.gate("turn").reached;
    const watchdog = watchdogProcess();
    for (const client of clients) client.close();
    await owner.kill();

    await expect.poll(() => left(idle), patience).toEqual([]);
    expect(await isThere(busy)).toBe(true);
    expect(await isThere(execServer)).toBe(true);
    model.gate("turn").release();
    await expect.poll(() => left(busy), patience).toEqual([]);
    await expect.poll(() => left(execServer), patience).toEqual([]);
    await expect.poll(() => isThere(watchdog), patience).toBe(false);
  });

  test("ends an exec-server that no app-server can use any more", async () => {
    const execServer = await startExecServer();
    const watchdog = watchdogProcess();
    await owner.kill();
    await expect.poll(() => left(execServer), patience).toEqual([]);
    await expect.poll(() => isThere(watchdog), patience).toBe(false);
  });

  test("leaves a request for approval to whoever comes, and goes at once when it is told to", async () => {
    const asking = await startCodex();
    model.queue(shell("echo asked", { escalate: { justification: "May I?" } }));
    const threadId = await startTurn(asking.client);
    const waiting = { type: "active", activeFlags: ["waitingOnApproval"] };
    await expect.poll(() => status(asking.client, threadId), patience).toEqual(waiting);
    const idle = await startCodex();

    const watchdog = watchdogProcess();
    for (const client of clients) client.close();
    await owner.kill();
    await expect.poll(() => left(idle), patience).toEqual([]);
    process.kill(watchdog.pid, "SIGTERM");
    await expect.poll(() => isThere(watchdog), patience).toBe(false);

    expect(await isThere(asking)).toBe(true);
    const requests: string[] = [];
    if (asking.channel.kind !== "socket") throw new Error("not on a socket");
    const client = await openClient(asking.channel.path, (method) => requests.push(method));
    await client.request("thread/resume", { threadId, excludeTurns: true });
    await expect.poll(() => requests, patience).toEqual(["item/commandExecution/requestApproval"]);
  });

  test.runIf(process.platform === "linux")(
    "ends all that it watches when the home has gone, also a running turn, and nothing else",
    async () => {
      const busy = await startCodex();
      model.queue(reply([model.hold("turn")], message("Done.")));
      await startTurn(busy.client);
      await model.gate("turn").reached;
      const execServer = await startExecServer();
      const stranger = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
      onTestFinished(() => void stranger.kill("SIGKILL"));
      const strangerPid = stranger.pid ?? 0;
      // A pid of the watchdog's that is another process's by now.
      const channel = { kind: "stdio" };
      owner.say(
        JSON.stringify({
          kind: "app-server",
          handleId: "h",
          pid: strangerPid,
          startTime: "other/1",
          channel,
        }),
      );
      expect(await owner.line()).toBe("told");
      const watchdog = watchdogProcess();
      for (const client of clients) client.close();
      await owner.kill();
      if (busy.channel.kind !== "socket") throw new Error("not on a socket");
      const listensAt = socketTarget(busy.channel.path) ?? "";
      await expect.poll(() => connectionsTo(listensAt), patience).toBe(1);

      rmSync(root, { recursive: true });
      await expect.poll(() => isThere(watchdog), patience).toBe(false);
      expect([...(await left(busy)), ...(await left(execServer))]).toEqual([]);
      expect(processStartTime(strangerPid), "a process that is not its own").not.toBeNull();
    },
  );

  test("ends at once what Holdfast was about to end, whatever it does", async () => {
    const busy = await startCodex();
    model.queue(reply([model.hold("turn")], message("Done.")));
    await startTurn(busy.client);
    await model.gate("turn").reached;
    owner.say("keep nothing");
    expect(await owner.line()).toBe("told");
    const watchdog = watchdogProcess();
    for (const client of clients) client.close();
    await owner.kill();
    await expect.poll(() => isThere(watchdog), patience).toBe(false);
    expect(await left(busy)).toEqual([]);
  });

  test("ends what a server left behind that has died, and one on stdio that did not", async () => {
    const dead = await startCodex();
    const onStdio = await startServer("/bin/sh", ["-c", "trap '' TERM; sleep 1000 & wait"], {
      kind: "stdio",
    });
    const orphan = spawn("/bin/sh", ["-c", "sleep 1000"], {
      env: { PATH: process.env.PATH, [markerVariable]: dead.handleId },
      detached: true,
      stdio: "ignore",
    });
    expect(orphan.pid).toBeDefined();
    const watchdog = watchdogProcess();
    process.kill(dead.pid, "SIGKILL");
    await owner.kill();
    await expect.poll(() => left(dead), patience).toEqual([]);
    await expect.poll(() => left(onStdio), patience).toEqual([]);
    await expect.poll(() => isThere(watchdog), patience).toBe(false);
  });
});

test("the watchdog ends with Holdfast when everything was closed, and is gone in the ledger", async () => {
  const channel = { kind: "stdio" };
  owner.say(JSON.stringify({ kind: "app-server", handleId: "h", pid: 10, startTime: "never/0", channel }));
  expect(await owner.line()).toBe("told");
  const watchdog = watchdogProcess();
  owner.say(JSON.stringify({ disown: "h" }));
  owner.say("close");
  expect(await owner.ended).toEqual({ code: 0, signal: null });
  expect(await isThere(watchdog)).toBe(false);
  expect(handlesNotGone()).toEqual([]);
});
