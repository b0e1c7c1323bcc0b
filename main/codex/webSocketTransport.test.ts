import { getEventListeners, once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { ManualClock, systemClock, type Timer } from "../clock";
import { Fault } from "../fault";
import type { TransportClosed } from "./transport";
import {
  assertSocketPath,
  connectWebSocket,
  connectWhenReady,
  type SocketAddress,
} from "./webSocketTransport";

let folder: string;
let servers: { http: Server; sockets: WebSocketServer }[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-ws-"));
  servers = [];
});

afterEach(async () => {
  for (const { http, sockets } of servers) {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
    http.closeAllConnections();
    if (http.listening) await new Promise((resolve) => http.close(resolve));
  }
  await rm(folder, { recursive: true });
  expect(existsSync(folder)).toBe(false);
});

async function serve(
  at: string | number,
  onClient: (client: WebSocket) => void,
  token?: string,
): Promise<Server> {
  const http = createServer((_request, response) => response.writeHead(404).end());
  const verifyClient = (info: { req: { headers: { authorization?: string } } }) =>
    token === undefined || info.req.headers.authorization === `Bearer ${token}`;
  const sockets = new WebSocketServer({ server: http, verifyClient });
  sockets.on("connection", onClient);
  servers.push({ http, sockets });
  if (typeof at === "string") http.listen(at);
  else http.listen(at, "127.0.0.1");
  await once(http, "listening");
  return http;
}

function recorder() {
  const messages: string[] = [];
  const closes: TransportClosed[] = [];
  return {
    messages,
    closes,
    onMessage: (text: string) => void messages.push(text),
    onClosed: (reason: TransportClosed) => void closes.push(reason),
  };
}

const unix = (path: string): SocketAddress => ({ kind: "unix", path });

describe.skipIf(process.platform === "win32")("a unix socket", () => {
  it("is reached whatever its path is made of, and nothing said at once is lost", async () => {
    for (const name of ["plain", "a b", "c:d", "e%20f", "g#h?i", "ü"]) {
      await mkdir(join(folder, name));
      const path = join(folder, name, "s");
      await serve(path, (client) => {
        client.send("first");
        client.send("second");
        client.on("message", (data) => client.send(`echo ${data}`));
      });
      const heard = recorder();
      const transport = await connectWebSocket(unix(path), heard, { clock: systemClock });
      expect(transport.send("ü")).toBe(true);
      await expect.poll(() => heard.messages).toEqual(["first", "second", "echo ü"]);
      transport.close();
      expect(heard.closes).toEqual([{ by: "holdfast" }]);
    }
  });

  it("whose path is too long is refused before anything is tried", async () => {
    const path = join(folder, "x".repeat(120));
    await expect(connectWebSocket(unix(path), recorder(), { clock: systemClock })).rejects.toMatchObject({
      code: "socket_path_too_long",
      hint: expect.stringContaining("HOLDFAST_HOME"),
    });
    expect(() => assertSocketPath("x".repeat(107), "linux")).not.toThrow();
    expect(() => assertSocketPath("x".repeat(108), "linux")).toThrow(Fault);
    expect(() => assertSocketPath("ü".repeat(52), "darwin")).toThrow(Fault);
  });

  it("that nobody listens on is a retryable fault", async () => {
    const clock = new ManualClock();
    const connecting = connectWebSocket(unix(join(folder, "s")), recorder(), { clock });
    await expect(connecting).rejects.toMatchObject({ code: "connect_failed", retryable: true });
    expect(clock.pendingCount).toBe(0);
  });

  it("that carries a message of many megabytes keeps it whole", async () => {
    const path = join(folder, "s");
    await serve(path, (client) => client.send("€".repeat(50_000_000)));
    const heard = recorder();
    const transport = await connectWebSocket(unix(path), heard, { clock: systemClock });
    await expect.poll(() => heard.messages).toHaveLength(1);
    expect(heard.messages[0]?.length).toBe(50_000_000);
    transport.close();
  });
});

describe.skipIf(process.platform === "win32")("connecting", () => {
  it("ends at the deadline when nobody answers the handshake", async () => {
    const path = join(folder, "s");
    const http = createServer();
    const upgrade = new Promise<Duplex>((resolve) =>
      http.on("upgrade", (_request, socket) => resolve(socket)),
    );
    servers.push({ http, sockets: new WebSocketServer({ noServer: true }) });
    http.listen(path);
    await once(http, "listening");
    const clock = new ManualClock();
    const heard = recorder();
    const connecting = connectWebSocket(unix(path), heard, { clock, deadlineMs: 3_000 });
    const peer = await upgrade;
    clock.advance(3_000);
    await expect(connecting).rejects.toMatchObject({ code: "connect_timeout", retryable: true });
    expect([heard.closes, clock.pendingCount]).toEqual([[], 0]);
    peer.destroy();
  });

  it("ends when the caller gives up, with the caller's own fault, and leaves nothing behind", async () => {
    const path = join(folder, "s");
    const clock = new ManualClock();
    const connected = vi.fn();
    await serve(path, connected);
    for (const connect of [connectWebSocket, connectWhenReady]) {
      const controller = new AbortController();
      const connecting = connect(unix(path), recorder(), { clock, signal: controller.signal });
      controller.abort(new Fault("codex_exited", "codex ended with code 1."));
      await expect(connecting).rejects.toMatchObject({ code: "codex_exited" });
      expect(getEventListeners(controller.signal, "abort")).toEqual([]);
      await expect(
        connect(unix(path), recorder(), { clock, signal: controller.signal }),
      ).rejects.toBeInstanceOf(Fault);
    }
    await expect(
      connectWebSocket(unix(path), recorder(), { clock, signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: "cancelled" });
    expect(clock.pendingCount).toBe(0);
  });

  it("waits for a socket that is not there yet, longer each time up to a limit", async () => {
    const path = join(folder, "s");
    const clock = new AttemptClock();
    const heard = recorder();
    let failed = clock.attemptFailed();
    const connecting = connectWhenReady(unix(path), heard, { clock });
    const pausesMs: number[] = [];
    for (let attempt = 0; attempt < 10; attempt++) {
      const pauseMs = await failed;
      pausesMs.push(pauseMs);
      failed = clock.attemptFailed();
      if (attempt === 9) await serve(path, (client) => client.send("hello"));
      clock.advance(pauseMs);
    }
    const transport = await connecting;
    await expect.poll(() => heard.messages).toEqual(["hello"]);
    expect([pausesMs[0], pausesMs.at(-1)]).toEqual([5, 100]);
    expect(pausesMs).toEqual([...pausesMs].sort((a, b) => a - b));
    transport.close();
  });

  it("gives up waiting at the deadline, and says what was last wrong", async () => {
    const clock = new AttemptClock();
    let failed = clock.attemptFailed();
    const connecting = connectWhenReady(unix(join(folder, "s")), recorder(), { clock, deadlineMs: 250 });
    const outcome = connecting.catch((error: unknown) => error);
    let over = false;
    void outcome.then(() => {
      over = true;
    });
    while (!over) {
      const pauseMs = await Promise.race([failed, outcome.then(() => 0)]);
      failed = clock.attemptFailed();
      clock.advance(pauseMs);
    }
    expect(await outcome).toMatchObject({
      code: "connect_timeout",
      detail: expect.stringContaining("ENOENT"),
    });
    expect([clock.nowMs() - clock.startMs, clock.pendingCount]).toEqual([250, 0]);
  });

  it("stops waiting as soon as the process is known to have ended", async () => {
    const clock = new AttemptClock();
    const controller = new AbortController();
    const failed = clock.attemptFailed();
    const connecting = connectWhenReady(unix(join(folder, "s")), recorder(), {
      clock,
      signal: controller.signal,
    });
    await failed;
    controller.abort(new Fault("codex_exited", "codex ended with code 1."));
    await expect(connecting).rejects.toMatchObject({ code: "codex_exited" });
    expect([clock.pendingCount, getEventListeners(controller.signal, "abort")]).toEqual([0, []]);
  });
});

describe("a loopback port", () => {
  it("is told the token; a wrong one is a fault that no retry mends", async () => {
    const http = await serve(0, (client) => client.send("hello"), "secret");
    const { port } = http.address() as AddressInfo;
    const heard = recorder();
    const transport = await connectWebSocket({ kind: "loopback", port, token: "secret" }, heard, {
      clock: systemClock,
    });
    await expect.poll(() => heard.messages).toEqual(["hello"]);
    transport.close();
    const wrong = connectWhenReady({ kind: "loopback", port, token: "wrong" }, recorder(), {
      clock: systemClock,
    });
    await expect(wrong).rejects.toMatchObject({ code: "connect_rejected", retryable: false });
  });

  it("on which something else listens is a fault that says so", async () => {
    const http = createServer((_request, response) => response.writeHead(426).end());
    servers.push({ http, sockets: new WebSocketServer({ noServer: true }) });
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    const { port } = http.address() as AddressInfo;
    await expect(
      connectWebSocket({ kind: "loopback", port, token: "" }, recorder(), { clock: systemClock }),
    ).rejects.toMatchObject({ code: "connect_rejected", message: expect.stringContaining("HTTP 426") });
  });
});

describe.skipIf(process.platform === "win32")("the end of a connection", () => {
  async function connected(onClient: (client: WebSocket) => void, clock = new ManualClock()) {
    const path = join(folder, "s");
    await serve(path, onClient);
    const heard = recorder();
    return { heard, clock, transport: await connectWebSocket(unix(path), heard, { clock }) };
  }

  it("is reported once when codex says goodbye, and nothing can be sent any more", async () => {
    const { heard, transport } = await connected((client) => client.close(1001, "bye"));
    await expect.poll(() => heard.closes).toHaveLength(1);
    expect(heard.closes[0]).toEqual({ by: "codex", detail: "codex closed the connection (1001: bye)" });
    expect(transport.send("x")).toBe(false);
    transport.close();
    expect(heard.closes).toHaveLength(1);
  });

  it("is reported when the connection is cut", async () => {
    const { heard } = await connected((client) => client.terminate());
    await expect.poll(() => heard.closes).toEqual([{ by: "codex", detail: "the connection was cut" }]);
  });

  it("is reported as a failure when what comes is no WebSocket any more", async () => {
    const { heard } = await connected((client) => {
      const raw = (client as unknown as { _socket: NodeJS.WritableStream })._socket;
      raw.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    });
    await expect.poll(() => heard.closes).toMatchObject([{ by: "failure" }]);
  });

  it("is ours at once when we close, and is cut after a second when codex does not answer", async () => {
    let peer: WebSocket | null = null;
    const { heard, clock, transport } = await connected((client) => {
      peer = client;
      client.pause();
    });
    await expect.poll(() => peer).not.toBeNull();
    (peer as unknown as WebSocket).send("too late");
    transport.close();
    transport.close();
    expect(heard.closes).toEqual([{ by: "holdfast" }]);
    expect(clock.pendingCount).toBe(1);
    clock.advance(1_000);
    (peer as unknown as WebSocket).resume();
    await once(peer as unknown as WebSocket, "close");
    expect([heard.messages, heard.closes, clock.pendingCount]).toEqual([[], [{ by: "holdfast" }], 0]);
  });
});

/**
 * `connectWhenReady` sets a timer for each attempt and, when that has failed, one for the pause before the next: so every
 * second timer is a pause.
 */
class AttemptClock extends ManualClock {
  #timers = 0;
  #paused: (delayMs: number) => void = () => {};
  readonly startMs = this.nowMs();

  /** Resolves when the attempt that is under way has failed. */
  attemptFailed(): Promise<number> {
    return new Promise((resolve) => {
      this.#paused = resolve;
    });
  }

  override after(delayMs: number, task: () => void): Timer {
    const timer = super.after(delayMs, task);
    this.#timers += 1;
    if (this.#timers % 2 === 0) this.#paused(delayMs);
    return timer;
  }
}
