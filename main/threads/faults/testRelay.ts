// For tests: the real codex behind a wire that the test may meddle with. What Holdfast sends reaches it; what it says reaches
// Holdfast as the test lets it: at once, later, changed, or never.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { TestThreads } from "../testThreads";

export interface Said {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
}

/** Returns what Holdfast is to hear now: the message, others held before, or nothing. `asked` is the method that it answers. */
export type Meddling = (said: Said, asked: string | undefined) => Said[];

const straight: Meddling = (said) => [said];

export class Relay {
  /** What codex has said, in its order, whatever became of it. */
  readonly said: Said[] = [];
  meddle: Meddling = straight;
  readonly #child: ChildProcess;
  readonly #bench: TestThreads;
  readonly #asked = new Map<number, string>();
  readonly #listeners = new Set<() => void>();
  #isReady: () => void = () => {};

  private constructor(bench: TestThreads, child: ChildProcess) {
    this.#bench = bench;
    this.#child = child;
    const { transport } = bench.codex;
    const send = transport.send.bind(transport);
    transport.send = (text) => {
      const isOpen = send(text);
      const { id, method } = JSON.parse(text) as Said;
      if (typeof id === "number" && method !== undefined) this.#asked.set(id, method);
      if (isOpen) this.#write(text);
      return isOpen;
    };
    if (child.stdout) createInterface({ input: child.stdout }).on("line", (line) => this.#heard(line));
  }

  static async start(
    bench: TestThreads,
    options: { command: string; codexHome: string; cwd: string },
  ): Promise<Relay> {
    const child = spawn(options.command, ["app-server"], {
      cwd: options.cwd,
      env: { PATH: process.env.PATH, HOME: options.cwd, CODEX_HOME: options.codexHome },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const relay = new Relay(bench, child);
    const ready = new Promise<void>((resolve) => {
      relay.#isReady = resolve;
    });
    const capabilities = { experimentalApi: true, requestAttestation: false };
    const clientInfo = { name: "holdfast", title: "Holdfast", version: "0.0.0" };
    relay.#write(JSON.stringify({ id: "ready", method: "initialize", params: { clientInfo, capabilities } }));
    await ready;
    relay.#write(JSON.stringify({ method: "initialized" }));
    await bench.reconnect();
    return relay;
  }

  /** Holdfast hears this now. */
  tell(...messages: Said[]): void {
    for (const message of messages) this.#bench.codex.transport.say(message);
    for (const look of [...this.#listeners]) look();
  }

  /** Resolves as soon as it holds, which is looked at whenever codex has said something. */
  async until(holds: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.#listeners.delete(look);
        resolve();
      };
      this.#listeners.add(look);
      look();
    });
  }

  async end(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.stdin?.end();
    await ended;
  }

  #write(text: string): void {
    this.#child.stdin?.write(`${text}\n`);
  }

  #heard(line: string): void {
    const said = JSON.parse(line) as Said;
    if (said.id === "ready") {
      this.#isReady();
      return;
    }
    this.said.push(said);
    const asked =
      said.method === undefined && typeof said.id === "number" ? this.#asked.get(said.id) : undefined;
    this.tell(...this.meddle(said, asked));
    // What a promise does with it comes after it was handed over.
    setImmediate(() => {
      for (const look of [...this.#listeners]) look();
    });
  }
}
