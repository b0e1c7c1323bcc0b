// The exec-servers that Holdfast runs on this machine, one for each local environment. Each is a supervised process like an
// app-server: the same machine decides (supervisor/sessionMachine.ts), with the same records, cleanups and bounds. What is
// different: it is started when somebody asks where the environment is, and never by itself; and nobody resumes anything in it.
//
// Races settled here:
// - Many ask where it is at once: one start, whose outcome is everybody's. The next one who asks after a failure starts it anew.
// - Whoever asked does not want to know any more: the start goes on for the others. If there are none, it stands ready.
// - Somebody wants to go on with the session of an exec-server that has ended: that session has ended with it. No other one is
//   started for it, or what was stopped would run again at once.
// - It is stopped, or removed, while somebody waits for a new connection to it: that is no death after which they start another.
// - One of an earlier run ends while it is looked up: its death is looked for before anybody is sent to it.
// - Its environment is used while it is not known yet what an earlier run has left: that waits (Sessions). Whoever looks it up,
//   starts it or stops it waits alike, so that what was wished last counts.

import type { Clock } from "../../clock";
import { asFault, Fault } from "../../fault";
import type { CleanupRecord, NewCleanup } from "../../ledger/cleanupsLedger";
import type { HandleRecord } from "../../ledger/handlesLedger";
import type { Ledger } from "../../ledger/ledger";
import type { Log } from "../../log";
import type { Cleanups } from "../../supervisor/cleanups";
import type { Connection } from "../../supervisor/connection";
import { isAlive, leftFault } from "../../supervisor/recovery";
import { Sessions } from "../../supervisor/sessions";
import type { SessionOptions, SessionProcess } from "../../supervisor/supervisedSession";
import { unlessAborted } from "../../supervisor/unlessAborted";
import type { ExecutorTarget } from "../client/executorTarget";
import { executorGone, type Registry } from "../registries/registry";
import type { ExecServerContext, LocalServer } from "./execServer";
import { type ExecServerSubject, execServerCleanup, execServerCleanupKind } from "./execServerCleanup";
import { execServerProfileId } from "./execServerLaunch";
import { inWords, type LocalServerView, viewServer } from "./serverView";

export interface LocalServersOptions {
  clock: Clock;
  log: Log;
  ledger: Pick<Ledger, "handles" | "cleanups">;
  cleanups: Cleanups;
  context: ExecServerContext;
  /** Starts one. Rejects with a Fault; nothing of it is left then. */
  launch(environmentId: string, context: ExecServerContext): Promise<LocalServer>;
  /** One of an earlier run. */
  recorded(context: ExecServerContext, record: HandleRecord): LocalServer;
  /** Resolves when `recover` has been called. Never rejects. */
  ready: Promise<void>;
  /** Of a local environment that is set; null: there is none of this id, any more. */
  name(environmentId: string): string | null;
}

/** With what an earlier one may still take to end, and the person's login shell. */
const lookUpMs = 60_000;

export class LocalServers {
  readonly #options: LocalServersOptions;
  readonly #sessions: Sessions;
  readonly #context: ExecServerContext;
  /** All that is not known to be gone, by handle. */
  readonly #servers = new Map<string, LocalServer>();
  /** The newest log of each environment. */
  readonly #logPaths = new Map<string, string>();
  /** How often each environment's has been stopped. */
  readonly #stops = new Map<string, number>();
  readonly #listeners = new Set<(environmentId: string) => void>();
  /** Those of an earlier run that are being adopted. */
  readonly #adoptions = new Map<string, Promise<void>>();

  constructor(options: LocalServersOptions) {
    this.#options = options;
    const { context } = options;
    this.#context = {
      ...context,
      onStarted: (server) => {
        this.#remember(server);
        context.onStarted(server);
      },
      onGone: (handleId) => {
        this.#servers.delete(handleId);
        context.onGone(handleId);
      },
    };
    this.#sessions = new Sessions({ make: (id) => this.#sessionOptions(id), ready: options.ready });
    options.cleanups.register(execServerCleanupKind, (record) => this.#clean(record));
  }

  /** Its lookup starts the exec-server if it does not run. The identity is that of the process. */
  registry(environmentId: string): Registry {
    return {
      deadlineMs: lookUpMs,
      lookUp: (signal, resuming) => this.#lookUp(environmentId, signal, resuming),
    };
  }

  view(environmentId: string): LocalServerView {
    return viewServer(this.#sessions.state(environmentId), this.logPath(environmentId) !== null);
  }

  /** Null: none was started that is known of. */
  logPath(environmentId: string): string | null {
    return this.#logPaths.get(environmentId) ?? null;
  }

  /** Called after each change of a view. */
  onChange(listener: (environmentId: string) => void): void {
    this.#listeners.add(listener);
  }

  /** By hand: also when it has died so often that it is not started by itself any more. Rejects with why it cannot run. */
  async start(environmentId: string): Promise<void> {
    await this.#options.ready;
    await this.#running(environmentId, () => this.#sessions.needByHand(environmentId));
  }

  /** Ends it with all that runs in it. What could not be ended is a cleanup; never rejects. */
  async stop(environmentId: string): Promise<void> {
    await this.#options.ready;
    this.#stops.set(environmentId, this.#stopsOf(environmentId) + 1);
    const left = await this.#sessions.close(environmentId);
    if (left) this.#options.log.warn("an exec-server has not ended yet", { environmentId, code: left.code });
  }

  /** What an earlier run has left: one that lives is used again, if its environment is still set; all else is ended. Once. */
  recover(): void {
    const { ledger, name, log } = this.#options;
    const adoptable = new Map<string, LocalServer>();
    const retired = new Map<string, { process: LocalServer; fault: Fault }[]>();
    for (const record of ledger.handles.listNotGone()) {
      if (record.profileId !== execServerProfileId) continue;
      const server = this.#options.recorded(this.#context, record);
      this.#remember(server);
      const { environmentId } = server.facts;
      if (isAlive(record) && name(environmentId) !== null && !adoptable.has(environmentId)) {
        adoptable.set(environmentId, server);
        continue;
      }
      const fault = leftFault(record, "The exec-server");
      retired.set(environmentId, [...(retired.get(environmentId) ?? []), { process: server, fault }]);
      ledger.cleanups.record(this.#cleanup(server));
    }
    for (const [environmentId, owed] of retired) this.#sessions.restore(environmentId, owed);
    for (const [environmentId, server] of adoptable) {
      const { handleId } = server;
      this.#context.onStarted(server);
      const adoption = this.#sessions.adopt(environmentId, server).then(
        () => log.info("exec-server adopted", { environmentId, handleId }),
        (error: unknown) => {
          const { message } = asFault(error);
          log.warn("an exec-server of an earlier run could not be adopted", {
            environmentId,
            handleId,
            message,
          });
        },
      );
      this.#adoptions.set(environmentId, adoption);
      void adoption.then(() => this.#adoptions.delete(environmentId));
    }
  }

  /** Nothing starts afterwards. Those that `keeps` names go on without Holdfast; all others are ended. Bounded; never rejects. */
  async closeAll(keeps: (environmentId: string) => boolean, why?: Fault): Promise<void> {
    await this.#sessions.closeAll(keeps, why);
  }

  async #lookUp(
    environmentId: string,
    signal: AbortSignal,
    resuming: string | null,
  ): Promise<ExecutorTarget> {
    await this.#options.ready;
    const inUse = this.#sessions.connection(environmentId)?.handleId;
    if (inUse !== undefined) this.#servers.get(inUse)?.noticeDeath();
    if (resuming !== null) {
      // What an earlier run has left in it is gone on with: it is there only once it is adopted.
      await unlessAborted(Promise.resolve(this.#adoptions.get(environmentId)), signal);
      return this.#same(environmentId, resuming);
    }
    const need = () => this.#sessions.need(environmentId);
    const running = this.#running(environmentId, async () => {
      const lived = this.#lives(environmentId);
      const stops = this.#stopsOf(environmentId);
      try {
        return await need();
      } catch (error) {
        // It was there, and has died while its connection was waited for: that is no reason not to start another.
        const hasEnded = lived !== null && this.#lives(environmentId) === null;
        const hasDied = hasEnded && this.#stopsOf(environmentId) === stops;
        if (!hasDied || this.#isBroken(environmentId) || this.#options.name(environmentId) === null)
          throw error;
        return need();
      }
    });
    return unlessAborted(running, signal);
  }

  /** At once and as it is now: whoever waited could come upon another one. Throws when it has ended. */
  #same(environmentId: string, handleId: string): ExecutorTarget {
    const target = this.#lives(environmentId) === handleId ? this.#servers.get(handleId)?.target : null;
    if (target) return target;
    const state = this.#sessions.state(environmentId);
    throw executorGone(state?.phase === "stopped" && state.fault ? inWords(state.fault, state.broken) : null);
  }

  async #running(environmentId: string, start: () => Promise<Connection>): Promise<ExecutorTarget> {
    if (this.#options.name(environmentId) === null) {
      throw new Fault("environment_unknown", "There is no such environment any more.", {
        detail: environmentId,
      });
    }
    try {
      const { handleId } = await start();
      const target = this.#servers.get(handleId)?.target;
      if (target) return target;
      throw new Fault("connection_lost", "It has ended already.", { retryable: true });
    } catch (error) {
      throw inWords(asFault(error), this.#isBroken(environmentId));
    }
  }

  /** The handle of the one in use; null: none is. */
  #lives(environmentId: string): string | null {
    const state = this.#sessions.state(environmentId);
    return state?.phase === "live" || state?.phase === "lost" ? state.facts.handleId : null;
  }

  #stopsOf(environmentId: string): number {
    return this.#stops.get(environmentId) ?? 0;
  }

  #isBroken(environmentId: string): boolean {
    const state = this.#sessions.state(environmentId);
    return state?.phase === "stopped" && state.broken;
  }

  #sessionOptions(environmentId: string): SessionOptions {
    const { clock, log, launch } = this.#options;
    return {
      clock,
      log,
      launch: () => launch(environmentId, this.#context),
      // One is never replaced while it is in use.
      verify: async () => {},
      close: (process) => this.#close(process),
      // It is started when it is needed, and not before.
      isShown: () => false,
      onState: (state) => {
        log.info("exec-server", { environmentId, phase: state.phase });
        for (const listener of this.#listeners) listener(environmentId);
      },
      onConnected() {},
      onConnectionLost() {},
      onProcessGone() {},
      onNotification() {},
      onRequest() {},
    };
  }

  #close(process: SessionProcess): Promise<Fault | null> {
    const server = this.#servers.get(process.handleId);
    if (!server) return process.close();
    return this.#options.cleanups.perform(this.#cleanup(server), () => server.close());
  }

  async #clean(record: CleanupRecord): Promise<Fault | null> {
    const { handleId } = record.subject as ExecServerSubject;
    const owned = this.#sessions.clean(handleId);
    if (owned) return owned;
    const { cleanups, ledger, recorded } = this.#options;
    const handle = ledger.handles.get(handleId);
    return cleanups.perform(record, async () =>
      handle && handle.state !== "gone" ? recorded(this.#context, handle).close() : null,
    );
  }

  #cleanup({ handleId, facts }: LocalServer): NewCleanup {
    const { environmentId, leader, logPath } = facts;
    return execServerCleanup({
      handleId,
      environmentName: this.#options.name(environmentId),
      pid: leader?.pid ?? null,
      logPath: logPath || null,
    });
  }

  #remember(server: LocalServer): void {
    const { environmentId, logPath } = server.facts;
    this.#servers.set(server.handleId, server);
    if (logPath) this.#logPaths.set(environmentId, logPath);
  }
}
