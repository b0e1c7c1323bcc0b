// An environment whose executor a test replaces: real exec-servers, and a registry file that says which of them it is. Everything
// that is started here is gone, and seen to be, at the end of the test.

import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type Clock, ManualClock } from "../../clock";
import { silentLog } from "../../log";
import { FileRegistry } from "../registries/fileRegistry";
import type { Registry } from "../registries/registry";
import { EnvironmentClient, type EnvironmentClientOptions } from "./environmentClient";
import type { ConnectionState } from "./environmentState";
import { connectExecutor } from "./executorConnection";
import type { ProcessSpec } from "./executorProcess";
import type { ExecutorTarget } from "./executorTarget";
import { toFileUri } from "./fileUri";
import type { ProcessEvent } from "./processStream";
import { noRecords } from "./records";
import { isAlive, startExecServer, type TestExecServer } from "./testExecServer";
import { TestGate } from "./testGate";
import { TestLine } from "./testLine";

export interface TestExecutor {
  name: string;
  server: TestExecServer;
  line: TestLine;
}

/** A registry file, whose answers can be held after it was read. */
export class TestRegistry implements Registry {
  readonly deadlineMs = 10_000;
  readonly path: string;
  lookups = 0;
  readonly #file: FileRegistry;
  readonly #gates: TestGate[] = [];

  constructor(path: string, clock: Clock) {
    this.path = path;
    this.#file = new FileRegistry(path, clock);
  }

  /** As another program does it: at once, or not at all. */
  async rewrite(answer: object): Promise<void> {
    await writeFile(`${this.path}.new`, JSON.stringify(answer));
    await rename(`${this.path}.new`, this.path);
  }

  /** The next answer is read, and held. */
  holdNext(): TestGate {
    const gate = new TestGate();
    this.#gates.push(gate);
    return gate;
  }

  async lookUp(signal: AbortSignal): Promise<ExecutorTarget> {
    this.lookups += 1;
    const gate = this.#gates.shift();
    const target = await this.#file.lookUp(signal);
    if (gate) await gate.pass();
    return target;
  }
}

const longestPauseMs = 2_000;

export class TestWorld {
  readonly clock = new ManualClock();
  readonly registry: TestRegistry;
  readonly states: ConnectionState[] = [];
  /** The pause between two attempts at a recovery is over at once. */
  retriesAtOnce = false;
  readonly options: EnvironmentClientOptions;
  readonly client: EnvironmentClient;
  readonly #root: string;
  readonly #executors: TestExecutor[] = [];
  #waiters: (() => void)[] = [];

  static async open(options: Partial<EnvironmentClientOptions> = {}): Promise<TestWorld> {
    return new TestWorld(await mkdtemp(join(tmpdir(), "holdfast-registry-")), options);
  }

  private constructor(root: string, options: Partial<EnvironmentClientOptions>) {
    this.#root = root;
    this.registry = new TestRegistry(join(root, "environment.json"), this.clock);
    this.options = {
      environmentId: "box",
      clock: this.clock,
      log: silentLog,
      random: () => 0,
      registry: () => this.registry,
      credentials: { get: async () => null },
      connect: connectExecutor,
      records: noRecords,
      onState: (state) => {
        this.states.push(state);
        const isRetry = state.phase === "reconnecting" && state.attempt > 1;
        if (isRetry && this.retriesAtOnce) queueMicrotask(() => this.clock.advance(longestPauseMs));
        for (const waiter of this.#waiters.splice(0)) waiter();
      },
      ...options,
    };
    this.client = new EnvironmentClient(this.options);
  }

  /** A new exec-server that the registry does not know yet. */
  async executor(name: string): Promise<TestExecutor> {
    const server = await startExecServer();
    const executor = { name, server, line: await TestLine.open(server.url) };
    this.#executors.push(executor);
    return executor;
  }

  /** From now on the registry answers this one. */
  register({ name, line }: TestExecutor, registration = `${name}-1`): Promise<void> {
    return this.registry.rewrite({ url: line.url, identity: name, registration });
  }

  /** With a registry that names it. */
  async registered(name: string): Promise<TestExecutor> {
    const executor = await this.executor(name);
    await this.register(executor);
    return executor;
  }

  /** Resolves when the environment is in such a state, which is looked at after every change. */
  async until(isSo: (state: ConnectionState) => boolean): Promise<void> {
    while (!isSo(this.client.state)) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  get phases(): string[] {
    return this.states.map(({ phase }) => phase);
  }

  /** Ends everything, whatever of it fails, and then says what did not end as it should. */
  async close(): Promise<void> {
    this.client.close();
    const endings = this.#executors.flatMap(({ line, server }) => [line.close(), server.stop()]);
    const outcomes = await Promise.allSettled([...endings, rm(this.#root, { recursive: true })]);
    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
    for (const { server } of this.#executors) expect(isAlive(server.pid)).toBe(false);
    // No timer of ours is left behind, whatever happened.
    expect(this.clock.pendingCount).toBe(0);
  }
}

/** What a process said, and promises for what is awaited of it. */
export class TestListener {
  readonly events: ProcessEvent[] = [];
  #waiters: (() => void)[] = [];

  readonly tell = (event: ProcessEvent): void => {
    this.events.push(event);
    for (const waiter of this.#waiters.splice(0)) waiter();
  };

  get text(): string {
    const pieces = this.events.map((event) => (event.type === "output" ? event.bytes : Buffer.alloc(0)));
    return Buffer.concat(pieces).toString("utf8");
  }

  /** Resolves when it is so, which is looked at after every event. */
  async until(isSo: (listener: TestListener) => boolean): Promise<void> {
    while (!isSo(this)) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  ended(): Promise<void> {
    return this.until(({ events }) => events.some(({ type }) => type === "closed" || type === "lost"));
  }
}

export function shell(script: string, more: Partial<ProcessSpec> = {}): ProcessSpec {
  return {
    argv: ["/bin/sh", "-c", script],
    cwd: toFileUri(tmpdir()),
    env: {},
    inherits: "core",
    terminal: false,
    input: false,
    ...more,
  };
}
