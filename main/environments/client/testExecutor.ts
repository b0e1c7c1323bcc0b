// An executor in a test's hands, with no process and no socket: what it is sent is there to be looked at, and it answers when the
// test says so.

import { ManualClock } from "../../clock";
import type { Transport, TransportHandlers } from "../../codex/transport";
import { silentLog } from "../../log";
import { EnvironmentClient, type EnvironmentClientOptions } from "./environmentClient";
import type { ExecutorTarget } from "./executorTarget";
import { noRecords } from "./records";

export interface SentMessage {
  id: number;
  method: string;
  params: Record<string, unknown>;
}

export class TestExecutorLine implements Transport {
  readonly bufferedBytes = 0;
  readonly sent: SentMessage[] = [];
  isOpen = true;
  readonly #handlers: TransportHandlers;
  readonly #onSent: (message: SentMessage, line: TestExecutorLine) => void;

  constructor(
    handlers: TransportHandlers,
    onSent: (message: SentMessage, line: TestExecutorLine) => void = () => {},
  ) {
    this.#handlers = handlers;
    this.#onSent = onSent;
  }

  send(text: string): boolean {
    if (!this.isOpen) return false;
    const message = JSON.parse(text) as SentMessage;
    this.sent.push(message);
    this.#onSent(message, this);
    return true;
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#handlers.onClosed({ by: "holdfast" });
  }

  cut(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#handlers.onClosed({ by: "codex", detail: "the connection was cut" });
  }

  say(message: object): void {
    if (this.isOpen) this.#handlers.onMessage(JSON.stringify(message));
  }

  /** The last request of this method. */
  last(method: string): SentMessage {
    const message = this.sent.findLast((candidate) => candidate.method === method);
    if (!message) throw new Error(`${method} was not sent`);
    return message;
  }

  answer(method: string, result: object): void {
    this.say({ id: this.last(method).id, result });
  }
}

/** A client whose executor answers the handshake by itself, unless it is not to, and everything else when the test says so. */
export function controlledClient(options: Partial<EnvironmentClientOptions> = {}, shakesHands = true) {
  const lines: TestExecutorLine[] = [];
  const clock = new ManualClock();
  const target: ExecutorTarget = {
    url: "ws://127.0.0.1:1",
    identity: "controlled",
    registration: "1",
    credential: { kind: "none" },
  };
  const client = new EnvironmentClient({
    environmentId: "box",
    clock,
    log: silentLog,
    random: () => 0,
    registry: () => ({ deadlineMs: 10_000, lookUp: async () => target }),
    credentials: { get: async () => null },
    connect: async (_place, handlers) => {
      const line = new TestExecutorLine(handlers, ({ method, id }) => {
        if (method === "initialize" && shakesHands)
          line.say({ id, result: { sessionId: "controlled-session" } });
      });
      lines.push(line);
      return line;
    },
    records: noRecords,
    onState: () => {},
    ...options,
  });
  return { client, clock, lines, target };
}
