// The line between Holdfast and an exec-server, in a test's hands: it can be cut, refuse, stall in the handshake of the socket or
// at an answer, and it keeps what came through.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import { TestGate } from "./testGate";

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
}

export class TestLine {
  /** Requests and notifications that the executor was given, over all connections. */
  readonly sent: Message[] = [];
  readonly url: string;
  refuses = false;
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #ends = new Set<WebSocket>();
  readonly #raw = new Set<Duplex>();
  readonly #upgrades: TestGate[] = [];
  readonly #answers = new Map<string, TestGate[]>();
  readonly #cuts = new Map<string, "before" | "after">();
  #waiters: (() => void)[] = [];

  static async open(target: string): Promise<TestLine> {
    const http = createServer();
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    return new TestLine(http, target);
  }

  private constructor(http: Server, target: string) {
    this.#http = http;
    this.url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
    http.on("connection", (socket) => {
      this.#raw.add(socket);
      socket.on("close", () => this.#raw.delete(socket));
    });
    http.on("upgrade", (request, socket, head) => void this.#upgrade(target, request, socket, head));
  }

  /** The next connection stalls before the socket is open. */
  holdUpgrade(): TestGate {
    const gate = new TestGate();
    this.#upgrades.push(gate);
    return gate;
  }

  /** The next answer to `method` is held, and everything behind it. */
  holdAnswer(method: string): TestGate {
    const gate = new TestGate();
    this.#answers.set(method, [...(this.#answers.get(method) ?? []), gate]);
    return gate;
  }

  /** The line is cut at the next `method`: before the executor has it, or when it has answered and nobody has heard it. */
  cutAt(method: string, when: "before" | "after"): void {
    this.#cuts.set(method, when);
  }

  /** Without a goodbye, for both ends. Resolves when none is open any more. */
  async cut(): Promise<void> {
    const closing = [...this.#ends].map((end) => new Promise((resolve) => end.once("close", resolve)));
    for (const end of this.#ends) end.terminate();
    await Promise.all(closing);
  }

  /** Resolves when `method` has been sent so many times in all. */
  async reached(method: string, times = 1): Promise<void> {
    while (this.count(method) < times) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  count(method: string): number {
    return this.sent.filter((message) => message.method === method).length;
  }

  async close(): Promise<void> {
    await this.cut();
    for (const socket of this.#raw) socket.destroy();
    this.#http.close();
    await once(this.#http, "close");
  }

  async #upgrade(target: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const gate = this.#upgrades.shift();
    if (gate) await gate.pass();
    if (this.refuses || socket.destroyed) {
      socket.destroy();
      return;
    }
    const { authorization } = request.headers;
    const executor = new WebSocket(target, { headers: authorization ? { authorization } : {} });
    this.#own(executor);
    const isOpen = await once(executor, "open").then(
      () => true,
      () => false,
    );
    if (!isOpen || socket.destroyed) {
      executor.terminate();
      socket.destroy();
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      this.#own(client);
      this.#join(client, executor);
    });
  }

  #own(end: WebSocket): void {
    this.#ends.add(end);
    end.on("close", () => this.#ends.delete(end));
    // That it ends is all there is to know.
    end.on("error", () => {});
  }

  #join(client: WebSocket, executor: WebSocket): void {
    const methods = new Map<number, string>();
    let order = Promise.resolve();
    const cut = () => {
      client.terminate();
      executor.terminate();
    };
    client.on("message", (data) => {
      const text = String(data);
      const message = JSON.parse(text) as Message;
      const { id, method } = message;
      if (id !== undefined && method !== undefined) methods.set(id, method);
      if (method !== undefined && this.#cuts.get(method) === "before") {
        this.#cuts.delete(method);
        cut();
        return;
      }
      this.sent.push(message);
      executor.send(text);
      for (const waiter of this.#waiters.splice(0)) waiter();
    });
    executor.on("message", (data) => {
      const text = String(data);
      const method = methods.get((JSON.parse(text) as Message).id ?? -1);
      if (method !== undefined && this.#cuts.get(method) === "after") {
        this.#cuts.delete(method);
        cut();
        return;
      }
      const gate = method === undefined ? undefined : this.#answers.get(method)?.shift();
      order = order.then(async () => {
        if (gate) await gate.pass();
        client.send(text);
      });
    });
    client.on("close", () => executor.terminate());
    executor.on("close", () => void order.then(() => client.terminate()));
  }
}
