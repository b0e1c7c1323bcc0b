// An RpcClient whose other end is a test.

import { ManualClock } from "../clock";
import { silentLog } from "../log";
import { openRpcClient, type RpcClientOptions } from "./rpcClient";
import type { Transport, TransportClosed, TransportHandlers } from "./transport";

type Sent = { id?: number; method?: string; params?: unknown; result?: unknown; error?: unknown };

/** A transport whose other end is the test. */
export class TestTransport implements Transport {
  readonly sent: Sent[] = [];
  bufferedBytes = 0;
  handlers: TransportHandlers | null = null;
  isOpen = true;

  send(text: string): boolean {
    if (!this.isOpen) return false;
    this.sent.push(JSON.parse(text) as Sent);
    return true;
  }

  close(): void {
    this.end({ by: "holdfast" });
  }

  end(reason: TransportClosed = { by: "codex", detail: "the connection was cut" }): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.handlers?.onClosed(reason);
  }

  say(message: unknown): void {
    this.handlers?.onMessage(typeof message === "string" ? message : JSON.stringify(message));
  }
}

export async function openTestClient(options: Partial<RpcClientOptions> = {}) {
  const clock = new ManualClock();
  const transport = new TestTransport();
  const heard: unknown[] = [];
  const client = await openRpcClient(
    (handlers) => {
      transport.handlers = handlers;
      return transport;
    },
    {
      clock,
      log: silentLog,
      random: () => 0,
      onNotification: (method, params) => heard.push([method, params]),
      onRequest: () => true,
      onClosed: (reason) => heard.push(reason),
      ...options,
    },
  );
  return { client, clock, transport, heard };
}

/** What a promise comes to: `{ value }`, or the error. */
export const outcome = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => error,
  );
