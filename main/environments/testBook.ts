// The facade over real exec-servers, with a ledger of its own, a key store of the test's and no exec-servers of Holdfast's own.

import { expect } from "vitest";
import type { EnvironmentView, RegistryView } from "../../preload/contract/environments";
import { ManualClock } from "../clock";
import { Fault } from "../fault";
import { makeTestLedger, type TestLedger } from "../ledger/testLedger";
import type { Log } from "../log";
import { isAlive, startExecServer, type TestExecServer } from "./client/testExecServer";
import { Environments, type EnvironmentsOptions } from "./environments";
import type { KeyStore } from "./tokens/keyStore";

/** Seals by turning each byte around: not in clear, and that is all. */
export class TestKeyStore implements KeyStore {
  ready = Promise.resolve();
  isAvailable = true;
  /** Another person's key: nothing that was sealed can be read. */
  isForeign = false;

  seal(text: string): Uint8Array {
    return Buffer.from(text).map((byte) => byte ^ 0xff);
  }

  unseal(sealed: Uint8Array): string {
    if (this.isForeign) throw new Error("not this key");
    return Buffer.from(Buffer.from(sealed).map((byte) => byte ^ 0xff)).toString("utf8");
  }
}

const noServers = new Fault("no_servers", "There are no exec-servers of Holdfast's own here.");

const noUse = { threads: [], terminals: [] };

export class TestBook {
  readonly stored: TestLedger = makeTestLedger();
  readonly clock = new ManualClock();
  readonly keyStore = new TestKeyStore();
  readonly servers: EnvironmentsOptions["servers"] = {
    registry: () => ({ deadlineMs: 1_000, lookUp: async () => Promise.reject(noServers) }),
    view: () => ({ state: "stopped", pid: null, startedAtMs: null, fault: null, hasLog: false }),
    logPath: () => null,
    start: () => Promise.reject(noServers),
    stop: async () => {},
  };
  /** What was told, each time. */
  readonly told: EnvironmentView[][] = [];
  /** All that was logged, as it would be written. */
  readonly logged: string[] = [];
  use: ReturnType<EnvironmentsOptions["use"]> = { using: noUse, running: noUse };
  environments: Environments;
  readonly #executors: TestExecServer[] = [];

  constructor() {
    this.environments = this.#make();
  }

  /** As after a restart of Holdfast. */
  async restart(): Promise<void> {
    await this.environments.shutDown();
    this.stored.reopen();
    this.environments = this.#make();
  }

  async executor(args: string[] = []): Promise<TestExecServer> {
    const executor = await startExecServer(args);
    this.#executors.push(executor);
    return executor;
  }

  /** Adds one at this address. */
  add(url: string, name = "box", tokens: { name: string; token: string }[] = []): string {
    return this.environments.add(name, fixed(url), tokens);
  }

  view(environmentId: string): EnvironmentView {
    const view = this.environments.views.find((other) => other.environmentId === environmentId);
    if (!view) throw new Error("There is no such environment.");
    return view;
  }

  /** Resolves when it is so, which is looked at after every round of what happens. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Ends everything, whatever of it fails, and then says what did not end as it should. */
  async close(): Promise<void> {
    await this.environments.shutDown();
    const outcomes = await Promise.allSettled(this.#executors.map((executor) => executor.stop()));
    this.stored.remove();
    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
    for (const { pid } of this.#executors) expect(isAlive(pid)).toBe(false);
    expect(this.clock.pendingCount).toBe(0);
  }

  #make(): Environments {
    const log = (message: string, facts?: Record<string, unknown>) => {
      this.logged.push(JSON.stringify({ message, facts }));
    };
    const { clock, keyStore, servers } = this;
    const options: EnvironmentsOptions = {
      clock,
      log: { info: log, warn: log, error: log } satisfies Log,
      ledger: this.stored.ledger,
      keyStore,
      servers,
      codexVersion: async () => "0.171.0",
      environment: async () => ({ PATH: process.env.PATH }),
      use: () => this.use,
      changed: (views) => this.told.push(views),
    };
    return new Environments(options);
  }
}

export function fixed(url: string, identity: string | null = null): RegistryView {
  return { kind: "fixed", url, identity };
}
