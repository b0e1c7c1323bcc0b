// For tests: the local exec-servers of one Holdfast, with the real codex, on a ledger and a home of the test's own. Killed and
// begun again, it finds what it has left.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { systemClock } from "../../clock";
import { bundledBinary } from "../../codex/codexPackage";
import type { Ledger } from "../../ledger/ledger";
import { openLedger } from "../../ledger/openLedger";
import { silentLog } from "../../log";
import { Cleanups } from "../../supervisor/cleanups";
import { endHandleTree, markerVariable } from "../../supervisor/handleTree";
import { ownedBy, systemProcessTable } from "../../supervisor/processTree";
import { prepareSocketFolder } from "../../supervisor/socketFolder";
import type { ConnectionState } from "../client/environmentState";
import { connectExecutor } from "../client/executorConnection";
import { LiveEnvironments } from "../client/liveEnvironments";
import { noRecords } from "../client/records";
import { launchExecServer, recordedExecServer } from "./execServerLaunch";
import { LocalServers } from "./localServers";
import type { LocalServerView } from "./serverView";

const project = resolve(import.meta.dirname, "../../..");

/** One run of Holdfast. */
export interface TestRun {
  ledger: Ledger;
  cleanups: Cleanups;
  servers: LocalServers;
  environments: LiveEnvironments;
  /** Those that somebody is to watch over. */
  watched: Set<string>;
}

export class TestLocalServers {
  readonly root = mkdtempSync(join(tmpdir(), "holdfast-local-"));
  /** The environments that are set. */
  readonly names = new Map([["here", "Here"]]);
  /** What is launched in place of codex. */
  binaryPath: string | null = null;
  run: TestRun;
  readonly #environmentListeners: ((state: ConnectionState) => void)[] = [];

  constructor() {
    mkdirSync(join(this.root, "person"));
    this.run = this.#begin();
  }

  get servers(): LocalServers {
    return this.run.servers;
  }

  get view(): LocalServerView {
    return this.servers.view("here");
  }

  /** This Holdfast is killed, and another one begins. */
  again(): TestRun {
    const { cleanups, servers, ledger } = this.run;
    cleanups.close();
    // Nothing of it acts any more.
    void servers.closeAll(() => true);
    ledger.close();
    this.run = this.#begin();
    return this.run;
  }

  /** Resolves when its view is like this. */
  async shows(wanted: Partial<LocalServerView>): Promise<LocalServerView> {
    const { servers } = this;
    await new Promise<void>((resolve) => {
      const look = () => {
        const view = servers.view("here");
        if (Object.entries(wanted).every(([name, value]) => view[name as keyof LocalServerView] === value))
          resolve();
      };
      servers.onChange(look);
      look();
    });
    return servers.view("here");
  }

  onEnvironment(listener: (state: ConnectionState) => void): void {
    this.#environmentListeners.push(listener);
  }

  /** Resolves when nothing of this handle is left, as the ledger says. */
  async isGone(handleId: string): Promise<void> {
    await expect.poll(() => this.run.ledger.handles.get(handleId)?.state).toBe("gone");
  }

  /** How many processes carry the marker of this handle. */
  async marked(handleId: string): Promise<number> {
    const marker = { name: markerVariable, value: handleId };
    const ownership = { leader: null, processSessionId: null, marker };
    return (await ownedBy(ownership, systemProcessTable(systemClock))).length;
  }

  /** Ends what a test has left, and removes its files. */
  async leave(): Promise<void> {
    const { servers, environments, cleanups, ledger } = this.run;
    cleanups.close();
    await environments.closeAll();
    await servers.closeAll(() => false);
    for (const { handleId, facts } of ledger.handles.listNotGone()) {
      const leader = facts && { pid: facts.pid, startTime: facts.startTime };
      expect(await endHandleTree({ handleId, leader }, systemClock)).toBeNull();
    }
    ledger.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  #begin(): TestRun {
    const log = silentLog;
    const clock = systemClock;
    const { ledger } = openLedger({ path: join(this.root, "holdfast.db"), clock, log });
    const cleanups = new Cleanups({ ledger: ledger.cleanups, clock, log, random: Math.random, changed() {} });
    const watched = new Set<string>();
    const ready = Promise.resolve().then(() => {
      servers.recover();
      cleanups.begin();
    });
    const servers: LocalServers = new LocalServers({
      clock,
      log,
      ledger,
      cleanups,
      context: {
        owner: this.root,
        handles: ledger.handles,
        clock,
        log,
        onStarted: ({ handleId }) => watched.add(handleId),
        onGone: (handleId) => watched.delete(handleId),
      },
      launch: async (environmentId, context) => {
        const bundled = await bundledBinary(project, process);
        const path = this.binaryPath ?? bundled ?? "no codex comes with this project";
        const home = join(this.root, "person");
        return launchExecServer(
          {
            environmentId,
            binary: { path, argsPrefix: [], origin: "bundled", version: null },
            variables: { PATH: process.env.PATH ?? "", HOME: home },
            ownCodexHome: null,
            sockets: prepareSocketFolder(this.root),
            logs: join(this.root, "logs"),
          },
          context,
        );
      },
      recorded: recordedExecServer,
      ready,
      name: (environmentId) => this.names.get(environmentId) ?? null,
    });
    const environments = new LiveEnvironments({
      clock,
      log,
      random: Math.random,
      env: async () => ({}),
      credentials: () => ({ get: async () => null }),
      connect: connectExecutor,
      records: noRecords,
      onState: (_id, state) => {
        for (const listener of this.#environmentListeners) listener(state);
      },
    });
    environments.setRegistry("here", servers.registry("here"));
    return { ledger, cleanups, servers, environments, watched };
  }
}
