// A bare client of `codex app-server` for tests: it writes what it is told and remembers all that comes.

import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { WebSocket } from "ws";
import { systemClock } from "../clock";
import { bundledBinary } from "../codex/codexPackage";

export interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

export interface LaunchOptions {
  command: string;
  args?: readonly string[];
  environment: Record<string, string>;
  cwd: string;
  /** The socket to listen on and to connect to; stdio without it. */
  socketPath?: string;
}

/** The binary that comes with the app. */
export async function codexBinary(): Promise<string> {
  const root = path.resolve(import.meta.dirname, "../..");
  const binary = await bundledBinary(root, { platform: process.platform, arch: process.arch });
  if (binary === null) throw new Error(`There is no codex for ${process.platform}-${process.arch}.`);
  return binary;
}

export class TestAppServer {
  /** Everything that came, in order. */
  readonly messages: Message[] = [];
  /** How server requests are answered; without it they stay open. */
  onRequest: ((request: Message) => unknown) | null = null;
  /** Requests that stay open all the same. */
  isLeft: (request: Message) => boolean = () => false;
  #stderr = "";
  #nextId = 0;
  #write: (text: string) => void = () => {};
  #end: () => void = () => {};
  readonly #waiting = new Set<() => void>();
  readonly #child: ChildProcess;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;

  private constructor(options: LaunchOptions) {
    const listen = options.socketPath ? ["--listen", `unix://${options.socketPath}`] : [];
    this.#child = spawn(options.command, ["app-server", ...(options.args ?? []), ...listen], {
      cwd: options.cwd,
      env: { ...process.env, ...options.environment },
      stdio: "pipe",
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr += chunk.toString("utf8");
    });
    this.exited = new Promise((resolve) => {
      this.#child.on("close", (code, signal) => {
        this.messages.push({ method: "test/exited", params: { code, signal } });
        for (const look of this.#waiting) look();
        resolve({ code, signal });
      });
    });
  }

  static async launch(options: LaunchOptions): Promise<TestAppServer> {
    const server = new TestAppServer(options);
    if (options.socketPath) await server.#connectSocket(options.socketPath);
    else server.#connectStdio();
    await server.request("initialize", {
      clientInfo: { name: "holdfast", title: "Holdfast", version: "0.1.0" },
      capabilities: { experimentalApi: true },
    });
    server.#write(JSON.stringify({ method: "initialized" }));
    return server;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves with the answer, an error or not. */
  async call(method: string, params: unknown): Promise<Message> {
    const id = ++this.#nextId;
    this.#write(JSON.stringify({ method, id, params }));
    return this.find((message) => message.id === id && message.method === undefined);
  }

  /** Resolves with the result; fails on an error. */
  async request(method: string, params: unknown): Promise<Record<string, unknown>> {
    const answer = await this.call(method, params);
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result ?? {};
  }

  send(message: Message): void {
    this.#write(JSON.stringify(message));
  }

  /** The first message from `from` on that fits, when it has come. */
  find(fits: (message: Message) => boolean, from = 0): Promise<Message> {
    return new Promise((resolve, reject) => {
      let at = from;
      const look = () => {
        for (; at < this.messages.length; at++) {
          const message = this.messages[at];
          if (!message || !fits(message)) continue;
          this.#waiting.delete(look);
          timer.cancel();
          resolve(message);
          return;
        }
      };
      const timer = systemClock.after(20_000, () => {
        this.#waiting.delete(look);
        reject(new Error(`No such message came. Log: ${this.#stderr.slice(-2_000)}`));
      });
      this.#waiting.add(look);
      look();
    });
  }

  /** Runs one turn to its end and gives everything that came meanwhile. */
  async turn(threadId: string, text: string, extra: Record<string, unknown> = {}): Promise<Message[]> {
    const from = this.messages.length;
    const input = [{ type: "text", text, text_elements: [] }];
    await this.request("turn/start", { threadId, input, ...extra });
    await this.find((message) => message.method === "turn/completed", from);
    return this.messages.slice(from);
  }

  /** Ends it as Holdfast would, and waits for its exit. */
  async close(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    this.#end();
    return this.exited;
  }

  #connectStdio(): void {
    let rest = "";
    this.#child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      rest += chunk;
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") this.#take(line);
    });
    // A write to a server that has gone shows as its exit.
    this.#child.stdin?.on("error", () => undefined);
    this.#write = (text) => this.#child.stdin?.write(`${text}\n`);
    this.#end = () => this.#child.stdin?.end();
  }

  async #connectSocket(socketPath: string): Promise<void> {
    const socket = await this.#open(socketPath);
    socket.on("message", (data) => this.#take(String(data)));
    socket.on("error", () => undefined);
    this.#write = (text) => socket.send(text);
    this.#end = () => {
      socket.close();
      this.#child.kill("SIGTERM");
    };
  }

  /** Nothing tells that the socket is there, so connecting is tried until it works or the server has exited. */
  async #open(socketPath: string): Promise<WebSocket> {
    for (let attempt = 0; attempt < 400 && this.#child.exitCode === null; attempt++) {
      const socket = new WebSocket(`ws+unix://${socketPath}:/`, { perMessageDeflate: false });
      const opened = await new Promise<boolean>((resolve) => {
        socket.once("open", () => resolve(true));
        socket.once("error", () => resolve(false));
      });
      if (opened) return socket;
      await new Promise<void>((resolve) => systemClock.after(25, resolve));
    }
    throw new Error(`The server did not listen. Log: ${this.#stderr.slice(-2_000)}`);
  }

  #take(text: string): void {
    const message = JSON.parse(text) as Message;
    this.messages.push(message);
    if (message.id !== undefined && message.method !== undefined && this.onRequest && !this.isLeft(message)) {
      this.#write(JSON.stringify({ id: message.id, result: this.onRequest(message) }));
    }
    for (const look of this.#waiting) look();
  }
}

/** Processes with this text in their environment, as number and command line; none on systems that do not tell. */
export async function processesWith(environmentText: string): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  // A process may end while it is looked at, or belong to somebody else.
  const read = (pid: number, file: string) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
  const found = await Promise.all(
    pids.map(async (pid) => {
      if (!(await read(pid, "environ")).includes(environmentText)) return null;
      return `${pid} ${(await read(pid, "cmdline")).replaceAll("\0", " ")}`;
    }),
  );
  return found.filter((line) => line !== null);
}
