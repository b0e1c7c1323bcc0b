// Messages over a WebSocket: to a unix socket in a private folder, on Windows to a loopback port with a capability token, and
// to an exec-server wherever it is.
//
// Races settled here:
// - The first message comes with the answer to the handshake: the handlers are on the socket before it is opened.
// - Success, failure, the deadline and the caller's change of mind: the first one counts; whatever lost leaves no socket.
// - codex has not opened its socket yet: `connectWhenReady` tries again until the deadline, or until the caller's signal says
//   that the process has ended (abort with a Fault as the reason, and that Fault is the outcome).
// - Closing against a codex that does not answer the close: after a second the socket is simply cut.
// - A message that is already here when we close is not handed over any more.

import { connect as connectSocket } from "node:net";
import WebSocket, { type ClientOptions } from "ws";
import type { Clock } from "../clock";
import { asFault, Fault } from "../fault";
import { gulpOptions, readInGulps } from "./gulps";
import { type KeepAliveTimes, keepAlive } from "./keepAlive";
import type { Transport, TransportClosed, TransportHandlers } from "./transport";

export type SocketAddress =
  | { kind: "unix"; path: string }
  /** `token` is what codex was given with `--ws-auth capability-token`. */
  | { kind: "loopback"; port: number; token: string }
  /** An exec-server. `url` is `ws://` or `wss://`; `token` null: it asks for none. */
  | { kind: "url"; url: string; token: string | null };

export interface ConnectOptions {
  clock: Clock;
  deadlineMs?: number;
  signal?: AbortSignal;
  /** For a line that can die without a word. Without it only the system's own signs of an end count. */
  keepAlive?: KeepAliveTimes;
}

const defaultDeadlineMs = 10_000;
const closeGraceMs = 1_000;
const firstRetryMs = 5;
const lastRetryMs = 100;
/** What one string can hold; codex sends a whole thread as one message. */
const maxPayloadBytes = 512 * 1024 * 1024;

/**
 * Rejects with a Fault: `socket_path_too_long`, `connect_failed` (nobody listens), `connect_timeout`, `connect_rejected` (wrong
 * token, or not a codex), `cancelled`, or the signal's own Fault.
 */
export function connectWebSocket(
  address: SocketAddress,
  handlers: TransportHandlers,
  options: ConnectOptions,
): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const { clock, signal, deadlineMs = defaultDeadlineMs } = options;
    if (signal?.aborted) throw abortFault(signal);
    const socket = openSocket(address);
    let state: "connecting" | "open" | "closed" = "connecting";
    let lastError: Error | null = null;

    const settled = () => {
      timer.cancel();
      signal?.removeEventListener("abort", cancelled);
    };
    const failed = (fault: Fault) => {
      if (state !== "connecting") return;
      state = "closed";
      settled();
      // Emits an error that was asked for; the listener below takes it.
      socket.terminate();
      reject(fault);
    };
    const cancelled = () => failed(abortFault(signal));
    const timer = clock.after(deadlineMs, () =>
      failed(
        new Fault("connect_timeout", `codex did not answer within ${deadlineMs / 1000} s.`, {
          retryable: true,
        }),
      ),
    );
    signal?.addEventListener("abort", cancelled);

    const closed = (reason: TransportClosed) => {
      if (state !== "open") return;
      state = "closed";
      handlers.onClosed(reason);
    };
    if (options.keepAlive) {
      keepAlive(socket, clock, options.keepAlive, (error) => {
        lastError = error;
        socket.terminate();
      });
    }
    if (address.kind !== "url") {
      socket.once("upgrade", ({ socket: line }) => {
        // Not before: what came with the handshake would be read by nobody else.
        socket.once("open", () => readInGulps(socket, line, clock));
      });
    }
    socket.on("open", () => {
      if (state !== "connecting") return;
      state = "open";
      settled();
      resolve(openTransport(socket, clock, () => state === "open", closed));
    });
    socket.on("message", (data: Buffer) => {
      if (state === "open") handlers.onMessage(data.toString("utf8"));
    });
    socket.on("unexpected-response", (_request, response) => {
      response.destroy();
      failed(rejectedFault(response.statusCode ?? 0, address));
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      lastError = error;
      const detail = `${place(address)}: ${error.message}`;
      failed(
        new Fault("connect_failed", "codex cannot be reached.", { detail, retryable: true, cause: error }),
      );
    });
    socket.on("close", (code, text) => {
      if (lastError !== null) {
        closed({ by: "failure", detail: `the connection broke: ${lastError.message}`, cause: lastError });
      } else {
        // 1006 is what `ws` says when the peer was cut off without a goodbye.
        const said = text.length > 0 ? `: ${text.toString("utf8")}` : "";
        closed({
          by: "codex",
          detail: code === 1006 ? "the connection was cut" : `codex closed the connection (${code}${said})`,
        });
      }
    });
  });
}

/** As `connectWebSocket`, but a codex that does not listen yet is waited for. */
export async function connectWhenReady(
  address: SocketAddress,
  handlers: TransportHandlers,
  options: ConnectOptions,
): Promise<Transport> {
  const { clock, signal, deadlineMs = defaultDeadlineMs } = options;
  const untilMs = clock.nowMs() + deadlineMs;
  for (let delayMs = firstRetryMs; ; delayMs = Math.min(delayMs * 1.6, lastRetryMs)) {
    try {
      const leftMs = Math.max(1, untilMs - clock.nowMs());
      return await connectWebSocket(address, handlers, { clock, signal, deadlineMs: leftMs });
    } catch (error) {
      const fault = asFault(error);
      if (fault.code !== "connect_failed") throw fault;
      if (clock.nowMs() >= untilMs) {
        throw new Fault("connect_timeout", `codex did not open its socket within ${deadlineMs / 1000} s.`, {
          detail: fault.detail,
          retryable: true,
          cause: fault,
        });
      }
    }
    await pause(clock, Math.min(delayMs, untilMs - clock.nowMs()), signal);
  }
}

function openTransport(
  socket: WebSocket,
  clock: Clock,
  isOpen: () => boolean,
  closed: (reason: TransportClosed) => void,
): Transport {
  return {
    send(text) {
      if (!isOpen() || socket.readyState !== WebSocket.OPEN) return false;
      socket.send(text);
      return true;
    },
    close() {
      if (!isOpen()) return;
      closed({ by: "holdfast" });
      const timer = clock.after(closeGraceMs, () => socket.terminate());
      socket.once("close", () => timer.cancel());
      socket.close(1000);
    },
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
  };
}

function openSocket(address: SocketAddress): WebSocket {
  const options: ClientOptions = {
    perMessageDeflate: false,
    maxPayload: maxPayloadBytes,
    followRedirects: false,
  };
  if (address.kind === "url") {
    const { url, token } = address;
    return new WebSocket(url, token === null ? options : { ...options, headers: authorization(token) });
  }
  if (address.kind === "loopback") {
    const { port, token } = address;
    const createConnection = () => connectSocket({ host: "127.0.0.1", port, ...gulpOptions });
    return new WebSocket(`ws://127.0.0.1:${port}/`, {
      ...options,
      createConnection,
      headers: authorization(token),
    });
  }
  assertSocketPath(address.path);
  // Not `ws+unix://PATH:/`: being part of a URL, a path with a space, a colon or an umlaut would be another path.
  const createConnection = () => connectSocket({ path: address.path, ...gulpOptions });
  return new WebSocket("ws://localhost/", { ...options, createConnection });
}

function authorization(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

/**
 * The system keeps the path of a unix socket in a field of 108 bytes (104 on macOS) and cuts or refuses what is longer. codex
 * itself starts with a longer one and then cannot be reached, so ask before it is started. Throws `socket_path_too_long`.
 */
export function assertSocketPath(path: string, platform: NodeJS.Platform = process.platform): void {
  const maxBytes = platform === "linux" ? 107 : 103;
  const bytes = Buffer.byteLength(path);
  if (bytes <= maxBytes) return;
  throw new Fault(
    "socket_path_too_long",
    `The path of the socket is too long for this system (${bytes} bytes of ${maxBytes}).`,
    {
      hint: "Set HOLDFAST_HOME to a folder with a shorter path.",
      detail: path,
    },
  );
}

function rejectedFault(status: number, address: SocketAddress): Fault {
  const isRefusal = status === 401 || status === 403;
  const refusal =
    address.kind === "url"
      ? address.token === null
        ? "The exec-server asks for a token, and none is set."
        : "The exec-server does not accept this token."
      : "codex does not accept Holdfast's token; this is not the process that Holdfast started.";
  const message = isRefusal ? refusal : `What listens there does not answer as codex does (HTTP ${status}).`;
  return new Fault("connect_rejected", message, { detail: `HTTP ${status}` });
}

function abortFault(signal: AbortSignal | undefined): Fault {
  const reason: unknown = signal?.reason;
  return reason instanceof Fault
    ? reason
    : new Fault("cancelled", "Connecting to codex was cancelled.", { cause: reason });
}

function place(address: SocketAddress): string {
  switch (address.kind) {
    case "unix":
      return address.path;
    case "loopback":
      return `127.0.0.1:${address.port}`;
    case "url":
      // Not the rest of it, which may be a secret of its own.
      return new URL(address.url).host;
    default:
      return address satisfies never;
  }
}

function pause(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelled = () => {
      timer.cancel();
      reject(abortFault(signal));
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener("abort", cancelled);
      resolve();
    });
    signal?.addEventListener("abort", cancelled, { once: true });
    if (signal?.aborted) cancelled();
  });
}
