// One environment, as everybody else sees it: the same object, with the same files, from the moment it is set until it is
// removed. Which executor is behind it, and whether one is, changes underneath.
//
// Races:
// - It is closed while processes run in it: they are ended first, for a bounded time. What then still runs is ended by its
//   executor, which keeps nothing of a session that nobody comes back to.
// - Two callers close it: one closing, which both wait for.

import type { Timer } from "../../clock";
import { lookUpWithin } from "../registries/registry";
import { DisconnectedFault } from "./disconnected";
import { EnvironmentClient, type EnvironmentClientOptions } from "./environmentClient";
import { EnvironmentFiles } from "./environmentFiles";
import type { ConnectionState, Startup } from "./environmentState";
import { tokenWithin } from "./executorConnection";
import type { ExecutorProcess, ProcessSpec } from "./executorProcess";
import type { EnvironmentInfo } from "./executorProtocol";
import type { ProcessEvent } from "./processStream";
import type { Secret } from "./secret";

const closingMs = 3_000;

export class Environment {
  readonly id: string;
  readonly files: EnvironmentFiles;
  readonly #options: EnvironmentClientOptions;
  readonly #client: EnvironmentClient;
  readonly #closed = new AbortController();
  #closing: Promise<void> | null = null;

  constructor(options: EnvironmentClientOptions) {
    this.id = options.environmentId;
    this.#options = options;
    this.#client = new EnvironmentClient(options);
    this.files = new EnvironmentFiles(() => this.#client.get());
  }

  get state(): ConnectionState {
    return this.#client.state;
  }

  /** Whether the first use is over, and how the last attempt to connect went. */
  get startup(): Startup {
    return this.#client.startup;
  }

  /** Of the executor in use; remembered, so no proof that it is there. */
  async info(): Promise<EnvironmentInfo> {
    return (await this.#client.get()).info();
  }

  /** Asks the executor itself, over the connection in use; connects if there is none. Resolves with how long the answer took. */
  async probe(): Promise<{ latencyMs: number }> {
    const session = await this.#client.get();
    const beganMs = performance.now();
    await session.calls.probe();
    return { latencyMs: performance.now() - beganMs };
  }

  /**
   * Where it is now, for a codex that connects to it itself (`environment/add`). Asked of the registry at each call. The token
   * is for that one message, and for nothing else.
   */
  async locate(): Promise<{ url: string; identity: string; token: Secret | null }> {
    const { registry, clock, credentials } = this.#options;
    const { signal } = this.#closed;
    const { url, identity, credential } = await lookUpWithin(registry(), clock, signal);
    return { url, identity, token: await tokenWithin(credential, { clock, signal, credentials }) };
  }

  /** After a planned replacement: the registry is asked anew, and what it names is used, and has answered, when this resolves. */
  refresh(): Promise<void> {
    return this.#client.refresh();
  }

  /** See `ExecutorSession.start`. */
  async start(spec: ProcessSpec, tell: (event: ProcessEvent) => void): Promise<ExecutorProcess> {
    if (this.#closing !== null) throw new DisconnectedFault("closed");
    return (await this.#client.get()).start(spec, tell);
  }

  /** Ends what runs in it and lets go of it. Never rejects, and takes a few seconds at most. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Ends what runs in it and disconnects. Who needs it later connects anew. Never rejects, and takes a few seconds at most. */
  async letGo(): Promise<void> {
    await this.#endProcesses();
    this.#client.letGo();
  }

  async #close(): Promise<void> {
    await this.#endProcesses();
    this.#closed.abort(new DisconnectedFault("closed"));
    this.#client.close();
  }

  async #endProcesses(): Promise<void> {
    const session = this.#client.current;
    if (session === null || session.processIds.length === 0) return;
    let timer: Timer | null = null;
    const timeIsUp = new Promise<void>((resolve) => {
      timer = this.#options.clock.after(closingMs, resolve);
    });
    await Promise.race([session.terminateAll(), timeIsUp]);
    (timer as Timer | null)?.cancel();
  }
}
