// Main's side of the watchdog: started with the first app-server or exec-server, told what main owns, started again when it dies.
//
// Races settled here:
// - Holdfast dies between the decision to start it and the knowledge of its pid: the intent is in the ledger first, with the
//   marker that it carries, as with every process.
// - It dies while main lives, before it has read all that it was told: its successor is told everything. A message to one
//   that has just died is lost with it (EPIPE), and that is no news: its exit is.
// - Main is killed, or its time is over, while it closes its servers at its end: the watchdog was told before that none is to
//   stay, whatever it does.
// - Main ends, and leaves servers behind, while no watchdog runs (it waits to be started again): one is started first.
// - It does not read what it is told, because it hangs: it is killed, and its successor is told everything.
// - It does not go when nothing is left to watch: it is killed; shutting down is bounded in time.
// Whatever goes wrong with it is logged and nothing else fails: it is the second net, and the first is the next start.

import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Clock, Timer } from "../../clock";
import { asFault, Fault } from "../../fault";
import type { HandlesLedger } from "../../ledger/handlesLedger";
import type { Log } from "../../log";
import { sealedSpawn } from "../../sealedSpawn";
import { markerVariable } from "../handleTree";
import type { HomeMark } from "../homeMark";
import { processStartTime } from "../processTree";
import { ownerVariable } from "../unrecorded";
import { type OwnedServer, type WatchdogMessage, writeMessage } from "./watchdogMessages";

export type { OwnedServer } from "./watchdogMessages";

/** The profile and the session under which the ledger has a watchdog's handle. */
export const watchdogProfileId = "watchdog";

export interface WatchdogOptions {
  /** The built script, main.ts of this folder. */
  script: string;
  /** Holdfast's home. */
  owner: string;
  home: HomeMark;
  handles: HandlesLedger;
  /** The folder for logs. */
  logs: string;
  clock: Clock;
  log: Log;
  /** Of this process. */
  environment: Readonly<Record<string, string | undefined>>;
  /** How long an app-server may be idle without an owner. */
  unattendedMs: number;
}

interface Running {
  handleId: string;
  logPath: string;
  child: ChildProcess;
  startedAtMs: number;
  exited: Promise<void>;
}

/** What is done when it is found not to run: started with what is owned; or nothing more. */
type Phase = "in use" | "left" | "closed";

const firstRestartMs = 1_000;
const lastRestartMs = 5 * 60_000;
/** One that has lived for so long is started again as if it were the first. */
const longLifeMs = 60_000;
const exitGraceMs = 2_000;
const killGraceMs = 1_000;
/** What a watchdog that reads never lets pile up. */
const mostUnreadBytes = 1024 * 1024;

export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #servers = new Map<string, OwnedServer>();
  #unattendedMs: number;
  #keepsNothing = false;
  #running: Running | null = null;
  #restart: Timer | null = null;
  /** Deaths in a row, each soon after its start. */
  #deaths = 0;
  #phase: Phase = "in use";
  #closing: Promise<void> | null = null;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#unattendedMs = options.unattendedMs;
  }

  /**
   * When the process is known, and again when more is known of how to reach it: on a loopback before the first turn, since
   * a server that cannot be asked counts as idle in the end. Never throws.
   */
  own(server: OwnedServer): void {
    this.#servers.set(server.handleId, server);
    if (this.#running) this.#tell({ type: "own", server });
    else if (this.#phase === "in use" && this.#restart === null) this.#start();
  }

  /** When the handle has been closed and nothing of it is left. Never throws. */
  disown(handleId: string): void {
    if (this.#servers.delete(handleId)) this.#tell({ type: "disown", handleId });
  }

  setUnattendedMs(ms: number): void {
    this.#unattendedMs = ms;
    this.#tell({ type: "unattended", ms });
  }

  /**
   * The app is about to close all its servers. However it goes in the middle of it, what it has not closed by then is ended.
   */
  keepNothing(): void {
    this.#keepsNothing = true;
    this.#tell({ type: "keep nothing" });
  }

  /**
   * The app ends and keeps its servers running: the watchdog sees to them from the moment when this process is gone. Its
   * handle stays `running` in the ledger.
   */
  leave(): void {
    if (this.#phase !== "in use") return;
    this.#phase = "left";
    this.#startForTheRest();
  }

  /**
   * The app ends and has closed its servers. With none left the watchdog goes too, and its handle is `gone`; else it tries to
   * end what is left, and its handle stays `running`. Never rejects; bounded in time.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#phase = "closed";
    this.#startForTheRest();
    const running = this.#running;
    if (!running) return;
    running.child.stdin?.end();
    if (this.#servers.size > 0 || (await this.#exitsWithin(running, exitGraceMs))) return;
    this.#options.log.warn("the watchdog hangs and is killed", { handleId: running.handleId });
    running.child.kill("SIGKILL");
    if (await this.#exitsWithin(running, killGraceMs)) return;
    this.#options.log.error("the watchdog cannot be ended", { handleId: running.handleId });
  }

  #startForTheRest(): void {
    this.#restart?.cancel();
    this.#restart = null;
    if (!this.#running && this.#servers.size > 0) this.#start();
  }

  #start(): void {
    try {
      this.#running = this.#spawn();
      this.#tell({ type: "home", home: this.#options.home });
      this.#tell({ type: "unattended", ms: this.#unattendedMs });
      if (this.#keepsNothing) this.#tell({ type: "keep nothing" });
      for (const server of this.#servers.values()) this.#tell({ type: "own", server });
    } catch (error) {
      this.#options.log.error("the watchdog cannot be started", { message: asFault(error).message });
      this.#startLater();
    }
  }

  #startLater(): void {
    this.#deaths += 1;
    if (this.#phase !== "in use" || this.#servers.size === 0 || this.#restart !== null) return;
    const delayMs = Math.min(lastRestartMs, firstRestartMs * 2 ** (this.#deaths - 1));
    this.#restart = this.#options.clock.after(delayMs, () => {
      this.#restart = null;
      if (this.#servers.size > 0) this.#start();
    });
  }

  #spawn(): Running {
    const { script, handles, logs, clock, log } = this.#options;
    if (!existsSync(script)) {
      throw new Fault("watchdog_missing", `The watchdog's script is not at ${script}.`);
    }
    const handleId = randomUUID();
    const logPath = join(logs, `watchdog-${handleId}.log`);
    handles.intend({
      handleId,
      sessionId: watchdogProfileId,
      workspaceId: "",
      profileId: watchdogProfileId,
      marker: handleId,
      command: { file: process.execPath, args: [script], workingDirectory: logs },
      // It ends with its input, unless there is something left to watch.
      channel: { kind: "stdio" },
      teardown: null,
      logPath,
    });
    let child: ChildProcess;
    try {
      child = this.#spawnScript(handleId, logPath);
    } catch (error) {
      this.#record(() => handles.gone(handleId, null));
      throw error;
    }
    // In the same tick: the pid cannot have been given to another process yet.
    const startTime = child.pid === undefined ? null : processStartTime(child.pid);
    const { pid } = child;
    const exited = new Promise<void>((resolve) => {
      child.once("exit", (code, signal) => {
        this.#ended(running, { code, signal });
        resolve();
      });
      child.on("error", (error) => {
        // Later ones are of a kill or a message that failed.
        if (pid !== undefined) return log.warn("the watchdog", { handleId, message: error.message });
        this.#ended(running, null);
        resolve();
      });
    });
    const running: Running = { handleId, logPath, child, startedAtMs: clock.nowMs(), exited };
    // It has just died, as its exit will say. Unheard, it would end the app.
    child.stdin?.on("error", (error) => {
      log.warn("the watchdog does not take what it is told", { handleId, message: error.message });
    });
    child.unref();
    if (pid !== undefined) {
      this.#record(() => handles.started(handleId, { pid, startTime: startTime ?? "", processGroup: pid }));
      log.info("the watchdog has started", { handleId, pid });
    }
    return running;
  }

  #spawnScript(handleId: string, logPath: string): ChildProcess {
    const { script, logs } = this.#options;
    const logFile = openSync(logPath, "a", 0o600);
    try {
      return sealedSpawn(process.execPath, [script], {
        // Not the folder that the app was started in, which it would keep in use.
        cwd: logs,
        env: this.#environment(handleId),
        detached: true,
        windowsHide: true,
        stdio: ["pipe", logFile, logFile],
      });
    } finally {
      closeSync(logFile);
    }
  }

  #environment(handleId: string): Record<string, string | undefined> {
    return {
      ...this.#options.environment,
      // Made for the app; a script that it loads may not be there later.
      NODE_OPTIONS: undefined,
      ELECTRON_RUN_AS_NODE: "1",
      [markerVariable]: handleId,
      [ownerVariable]: this.#options.owner,
    };
  }

  #tell(message: WatchdogMessage): void {
    const child = this.#running?.child;
    if (!child?.stdin?.writable) return;
    child.stdin.write(writeMessage(message));
    if (child.stdin.writableLength <= mostUnreadBytes) return;
    this.#options.log.error("the watchdog hangs and is killed", { pid: child.pid });
    child.kill("SIGKILL");
  }

  /** `exit` null: it never ran. */
  #ended(running: Running, exit: { code: number | null; signal: string | null } | null): void {
    const { handles, clock, log } = this.#options;
    const { handleId, logPath, startedAtMs } = running;
    this.#record(() => handles.gone(handleId, exit));
    if (this.#running === running) this.#running = null;
    if (this.#phase === "closed" && exit?.code === 0) {
      removeIfEmpty(logPath);
      return;
    }
    log.error("the watchdog has ended", { handleId, ...exit, logPath });
    if (clock.nowMs() - startedAtMs >= longLifeMs) this.#deaths = 0;
    this.#startLater();
  }

  /** It runs, or has ended, whatever the ledger says: the next start finds out. */
  #record(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#options.log.error("the watchdog could not be recorded", { message: asFault(error).message });
    }
  }

  #exitsWithin({ exited }: Running, limitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(limitMs, () => resolve(false));
      void exited.then(() => {
        timer.cancel();
        resolve(true);
      });
    });
  }
}

function removeIfEmpty(path: string): void {
  try {
    if (statSync(path).size === 0) rmSync(path);
  } catch {
    // An empty file more does no harm.
  }
}
