// With a stand-in for codex that answers as the test wants, or not at all.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { type Clock, systemClock } from "../../clock";
import { silentLog } from "../../log";
import { processStartTime } from "../processTree";
import { ServerInquiry } from "./serverInquiry";
import type { ServerChannel } from "./watchdogMessages";

type Request = { id: number; method: string; params: Record<string, unknown> };
/** The result, an error, or undefined for no answer. */
type Answers = (request: Request) => unknown;

const refusal = Symbol("refusal");
const hello = { userAgent: "holdfast/0.171.0 (Test)" };
const idle = { thread: { status: { type: "idle" } } };
const active = { thread: { status: { type: "active", activeFlags: ["waitingOnApproval"] } } };
const running = { thread: { status: { type: "active", activeFlags: [] } } };

let folder: string;
let path: string;
let server: Server;
let sockets: WebSocket[];
let connections: number;
let heard: unknown[];
let answers: Answers;
let stirs: number;
let inquiries: ServerInquiry[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-inquiry-"));
  path = join(folder, "s.sock");
  sockets = [];
  connections = 0;
  heard = [];
  stirs = 0;
  inquiries = [];
  server = createServer();
  new WebSocketServer({ server }).on("connection", (socket) => {
    sockets.push(socket);
    connections += 1;
    socket.on("message", (data) => {
      const request = JSON.parse(String(data)) as Request;
      heard.push(request);
      if (request.method === undefined || request.id === undefined) return;
      const result = request.method === "initialize" ? hello : answers(request);
      const error = { code: -32600, message: "thread not loaded" };
      if (result === undefined) return;
      socket.send(
        JSON.stringify(result === refusal ? { id: request.id, error } : { id: request.id, result }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
});

afterEach(async () => {
  for (const inquiry of inquiries) inquiry.close();
  for (const socket of sockets) socket.terminate();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

function inquiry(options: { channel?: ServerChannel; startTime?: string; clock?: Clock } = {}) {
  const { channel = { kind: "socket", path }, startTime = processStartTime(process.pid) ?? "" } = options;
  const { clock = systemClock } = options;
  const one = new ServerInquiry(
    { kind: "app-server", handleId: "h", pid: process.pid, startTime, channel },
    {
      clock,
      log: silentLog,
      onStirred: () => {
        stirs += 1;
      },
      deadlineMs: 60_000,
    },
  );
  inquiries.push(one);
  return one;
}

/** Threads by page; each is read as it is here. */
function threads(...pages: Record<string, unknown>[]): Answers {
  return ({ method, params }) => {
    if (method === "thread/read") return Object.assign({}, ...pages)[String(params.threadId)];
    const page = Number(params.cursor ?? 0);
    const nextCursor = page + 1 < pages.length ? String(page + 1) : null;
    return { data: Object.keys(pages[page] ?? {}), nextCursor };
  };
}

describe.skipIf(process.platform === "win32")("a server that is asked", () => {
  test("is idle without threads, and when all of them are", async () => {
    answers = threads();
    expect(await inquiry().ask()).toBe("idle");
    answers = threads({ a: idle, b: { thread: { status: { type: "systemError" } } } }, { c: idle });
    expect(await inquiry().ask()).toBe("idle");
    const asked = heard.filter((one) => (one as Request).method === "thread/read") as Request[];
    expect(asked.map(({ params }) => params)).toEqual(
      ["a", "b", "c"].map((threadId) => ({ threadId, includeTurns: false })),
    );
  });

  test("is busy when one thread is active, on whichever page", async () => {
    answers = threads({ a: idle }, { b: idle, c: active });
    expect(await inquiry().ask()).toBe("busy");
  });

  test("has not answered when it refuses to read a thread, unless another one is active", async () => {
    answers = threads({ a: refusal, b: idle });
    expect(await inquiry().ask()).toBe("none");
    answers = threads({ a: refusal }, { b: active });
    expect(await inquiry().ask()).toBe("busy");
  });

  test("is asked over the same connection, and over a new one when that was lost", async () => {
    answers = threads({ a: idle });
    const one = inquiry();
    expect([await one.ask(), await one.ask(), connections]).toEqual(["idle", "idle", 1]);
    sockets[0]?.terminate();
    await expect.poll(async () => [await one.ask(), connections]).toEqual(["idle", 2]);
  });

  test("and does not answer in time has not answered; later it may", async () => {
    answers = () => undefined;
    // Its time is over when the test says so; everything else goes by the system's.
    const timers: (() => void)[] = [];
    const one = inquiry({
      clock: {
        nowMs: () => systemClock.nowMs(),
        after(delayMs, task) {
          timers.push(task);
          return systemClock.after(delayMs, task);
        },
      },
    });
    const asking = one.ask();
    await expect.poll(() => heard).toContainEqual(expect.objectContaining({ method: "thread/loaded/list" }));
    const [deadline] = timers;
    deadline?.();
    expect(await asking).toBe("none");
    answers = threads({ a: active });
    expect(await one.ask()).toBe("busy");
    expect(connections).toBe(2);
  });

  test("and cannot be reached has not answered while its process is there", async () => {
    expect(await inquiry({ channel: { kind: "socket", path: join(folder, "none") } }).ask()).toBe("none");
    const tokenFile = join(folder, "none");
    expect(await inquiry({ channel: { kind: "loopback", tokenFile, port: null } }).ask()).toBe("none");
    expect(await inquiry({ channel: { kind: "loopback", tokenFile, port: 9 } }).ask()).toBe("none");
  });

  test("whose socket was removed is idle while a thread waits for a person, and busy while a turn runs", async () => {
    answers = threads({ a: running, b: active });
    const one = inquiry();
    expect(await one.ask()).toBe("busy");
    rmSync(path);
    expect(await one.ask()).toBe("idle");
    answers = threads({ a: running, b: idle });
    expect(await one.ask()).toBe("busy");
    answers = threads({ a: idle });
    expect([await one.ask(), connections]).toEqual(["idle", 1]);
  });

  test("is dead when its pid is another process's by now", async () => {
    const channel = { kind: "socket", path: join(folder, "none") } as const;
    expect(await inquiry({ channel, startTime: "before/1" }).ask()).toBe("dead");
  });

  test("says by itself that a thread becomes active, and gets no answer to what it asks", async () => {
    answers = threads({ a: idle });
    const one = inquiry();
    await one.ask();
    const say = (message: object) => sockets[0]?.send(JSON.stringify(message));
    const changed = (status: unknown) =>
      say({ method: "thread/status/changed", params: { threadId: "a", status } });
    changed({ type: "idle" });
    say({ id: 0, method: "item/commandExecution/requestApproval", params: {} });
    changed({ type: "active", activeFlags: [] });
    await expect.poll(() => stirs).toBe(1);
    await one.ask();
    expect(heard.filter((message) => (message as Request).method === undefined)).toEqual([]);
  });
});
