// For tests: the threads of one workspace over the real codex and a scripted model, with a ledger on disk. codex and
// Holdfast can each be killed; codex can be given without its queue.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { systemClock } from "../../main/clock";
import { handshake } from "../../main/codex/handshake";
import { openRpcClient } from "../../main/codex/rpcClient";
import type { Transport, TransportHandlers } from "../../main/codex/transport";
import { connectWhenReady } from "../../main/codex/webSocketTransport";
import type { ModelRequest } from "../../main/demo/modelRequest";
import { codexBinary } from "../../main/demo/testAppServer";
import { Fault } from "../../main/fault";
import type { Ledger } from "../../main/ledger/ledger";
import { openLedger } from "../../main/ledger/openLedger";
import { noSettings } from "../../main/ledger/testLedger";
import { silentLog } from "../../main/log";
import type { Connection } from "../../main/supervisor/connection";
import { TestRunMarks } from "../../main/threads/testRunMarks";
import { Threads } from "../../main/threads/threads";
import { createCodexHome } from "./codexHome";
import { type ModelServer, startModelServer } from "./modelServer";

interface RealOptions {
  hasQueue?: boolean;
  /** For config.toml, before and behind everything else. */
  topLines?: string[];
  extraLines?: string[];
}

export class RealThreads {
  readonly workspaceId: string;
  readonly model: ModelServer;
  threads: Threads;
  ledger: Ledger;
  connection: Connection | null = null;
  threadKey = "";
  readonly runMarks = new TestRunMarks();
  readonly #folder: string;
  readonly #home: { path: string; remove(): Promise<void> };
  readonly #hasQueue: boolean;
  #codex: ChildProcess | null = null;
  #handles = 0;
  #connecting: Promise<Connection> | null = null;
  #connected: Transport | null = null;
  /** Instead of the answer to a request of this method, the connection ends. */
  isToBeCut: (method: string) => boolean = () => false;

  /** By environment, where it is now. */
  readonly places = new Map<string, { url: string; identity: string; token?: string }>();

  static async make({
    hasQueue = true,
    topLines = [],
    extraLines = [],
  }: RealOptions = {}): Promise<RealThreads> {
    const model = await startModelServer();
    const folder = await realpath(await mkdtemp(join(tmpdir(), "holdfast-follow-ups-")));
    await mkdir(join(folder, "engine"));
    const home = await createCodexHome({ baseUrl: model.baseUrl, topLines, extraLines });
    return new RealThreads(folder, model, home, hasQueue);
  }

  private constructor(
    folder: string,
    model: ModelServer,
    home: { path: string; remove(): Promise<void> },
    hasQueue: boolean,
  ) {
    this.#folder = folder;
    this.#home = home;
    this.#hasQueue = hasQueue;
    this.model = model;
    this.ledger = this.#openLedger();
    this.workspaceId = this.ledger.workspaces.add({ path: this.cwd, name: "engine", parentId: null }).id;
    this.threads = this.#newThreads();
  }

  get #address() {
    return { kind: "unix" as const, path: join(this.#folder, "s") };
  }

  get cwd(): string {
    return join(this.#folder, "engine");
  }

  get runtime() {
    return this.threads.runtime(this.threadKey);
  }

  get head() {
    return this.runtime.state.head;
  }

  /** What waits, in order; marked when it is not just queued. */
  get waiting(): string[] {
    return this.head.followUps.entries.map(({ text, state }) =>
      state === "queued" ? text : `${text}: ${state}`,
    );
  }

  /** The last words of the person in each request that the model got. */
  get asked(): string[] {
    return this.model.requests.map(lastWords);
  }

  compose(): void {
    this.threadKey = this.threads.compose(this.workspaceId);
    this.threads.open(this.threadKey, () => undefined);
  }

  send(text: string, mode: "turn" | "steer" | "queue" = "turn"): string {
    const clientId = crypto.randomUUID();
    this.threads.send(this.threadKey, { clientId, text, attachments: [], mode });
    if (this.threadKey.startsWith("new")) this.threadKey = this.runtime.threadId ?? this.threadKey;
    return clientId;
  }

  async connect(): Promise<Connection> {
    if (this.connection) return this.connection;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  get codexPid(): number {
    return this.#codex?.pid ?? 0;
  }

  async killCodex(): Promise<void> {
    await this.#endProcess();
    const handleId = `handle-${this.#handles}`;
    this.connection = null;
    this.threads.processGone(this.workspaceId, handleId, new Fault("process_gone", "codex was killed."));
  }

  /** Both are killed at the same moment. */
  async killBoth(): Promise<void> {
    const { threadId } = this.runtime;
    const killed = this.threads;
    this.ledger.close();
    this.ledger = this.#openLedger();
    this.connection = null;
    this.threads = this.#newThreads();
    killed.dispose();
    await this.#endProcess();
    this.threadKey = threadId ?? this.threadKey;
    this.threads.rows.remember(this.workspaceId);
    this.threads.restore();
  }

  async end(): Promise<void> {
    this.threads.dispose();
    await this.#endProcess();
    this.ledger.close();
    await this.model.close();
    await this.#home.remove();
    await rm(this.#folder, { recursive: true, maxRetries: 5, retryDelay: 50 });
    expect(this.model.complaints).toEqual([]);
  }

  /** The connection goes, the process stays, and another connection is made. */
  #cut(): void {
    this.#connected?.close();
    this.connection = null;
    this.threads.connectionLost(this.workspaceId);
    void this.connect();
  }

  async #endProcess(): Promise<void> {
    const codex = this.#codex;
    this.#codex = null;
    if (codex === null || codex.exitCode !== null || codex.signalCode !== null) return;
    codex.kill("SIGKILL");
    await once(codex, "exit");
  }

  async #connect(): Promise<Connection> {
    await this.#start();
    const handleId = `handle-${this.#handles}`;
    const { workspaceId, threads } = this;
    let connection: Connection | null = null;
    const client = await openRpcClient((handlers) => this.#transport(handlers), {
      clock: systemClock,
      log: silentLog,
      random: Math.random,
      onNotification: (method, params) => {
        if (this.threads === threads) threads.notification(workspaceId, method, params);
      },
      onRequest: () => false,
      onClosed: () => {
        if (this.connection !== connection) return;
        this.connection = null;
        threads.connectionLost(workspaceId);
      },
    });
    await handshake(client, { version: "0.1.0" });
    connection = {
      handleId,
      client,
      facts: {
        handleId,
        pid: this.#codex?.pid ?? 0,
        codexVersion: "0.171.0",
        codexHome: this.#home.path,
        startedAtMs: 0,
        endsWithApp: true,
      },
    };
    this.connection = connection;
    threads.connected(workspaceId);
    return connection;
  }

  /** The one process, in which several connections find what the ones before have left. */
  async #start(): Promise<void> {
    if (this.#codex !== null) return;
    this.#handles += 1;
    const command = await codexBinary();
    const args = ["app-server", "--listen", `unix://${this.#address.path}`];
    const env = { ...process.env, CODEX_HOME: this.#home.path };
    await rm(this.#address.path, { force: true });
    this.#codex = spawn(command, args, { env, cwd: this.cwd, stdio: "ignore" });
    this.ledger.handles.intend({
      handleId: `handle-${this.#handles}`,
      sessionId: "session",
      workspaceId: this.workspaceId,
      profileId: "user",
      marker: `marker-${this.#handles}`,
      command: { file: command, args, workingDirectory: this.cwd },
      channel: { kind: "stdio" },
      teardown: null,
      logPath: null,
    });
  }

  async #transport(handlers: TransportHandlers): Promise<Transport> {
    const asked = new Map<unknown, string>();
    const options = { clock: systemClock, deadlineMs: 20_000 };
    const onMessage = (text: string) => {
      const { id, method } = JSON.parse(text) as { id?: unknown; method?: string };
      const answered = method === undefined ? asked.get(id) : undefined;
      if (answered !== undefined && this.isToBeCut(answered)) this.#cut();
      else handlers.onMessage(text);
    };
    const transport = await connectWhenReady(
      this.#address,
      { onMessage, onClosed: (reason) => handlers.onClosed(reason) },
      options,
    );
    this.#connected = transport;
    const send = transport.send.bind(transport);
    transport.send = (text) => {
      const { id, method } = JSON.parse(text) as { id?: number; method?: string };
      if (method !== undefined) asked.set(id, method);
      if (this.#hasQueue || !method?.startsWith("thread/queue/")) return send(text);
      const message = `Invalid request: unknown variant \`${method}\`, expected one of \`thread/start\``;
      queueMicrotask(() => handlers.onMessage(JSON.stringify({ id, error: { code: -32600, message } })));
      return true;
    };
    return transport;
  }

  #openLedger(): Ledger {
    return openLedger({ path: join(this.#folder, "holdfast.db"), clock: systemClock, log: silentLog }).ledger;
  }

  #newThreads(): Threads {
    const isAlive = () => this.threads === threads;
    const threads: Threads = new Threads({
      clock: systemClock,
      log: silentLog,
      ledger: this.ledger,
      runMarks: this.runMarks,
      connect: () => (isAlive() ? this.connect() : Promise.reject(new Fault("killed", "Killed."))),
      connection: () => (isAlive() ? this.connection : null),
      presentFolder: async () => this.cwd,
      workspace: () => ({ path: this.cwd, demo: false, profileId: "user" }),
      environments: {
        list: () =>
          [...this.places.keys()].map((environmentId) => ({ environmentId, name: `The ${environmentId}` })),
        name: (environmentId) => (this.places.has(environmentId) ? `The ${environmentId}` : null),
        session: () => null,
        attend: () => {},
        locate: async (environmentId) => {
          const place = this.places.get(environmentId);
          if (!place) throw new Fault("environment_unknown", "None.");
          const { url, identity, token } = place;
          return { url, identity, token: token === undefined ? null : { reveal: () => token } };
        },
      },
      newThreadSettings: () => noSettings,
      configFault: () => null,
      publish: () => undefined,
      waitingChanged: () => undefined,
      listingChanged: () => undefined,
      turnEnded: () => undefined,
      cameBack: () => undefined,
      endedAway: () => undefined,
    });
    return threads;
  }
}

function lastWords({ body }: ModelRequest): string {
  const input = (body as { input?: { role?: string; content?: { text?: string }[] }[] }).input ?? [];
  const last = input.filter(({ role }) => role === "user").at(-1);
  return last?.content?.map(({ text }) => text ?? "").join("") ?? "";
}
