// How each session's codex is started or found again: the binary, the environment, the launch profile, the watchdog; and the
// demo's model server, which runs as long as a session of the demo may need it.
//
// Races settled here:
// - A watchdog of an earlier run may be ending a server at this moment: it is ended first, and `ready` says when. Nothing is
//   adopted or started before that.
// - Two sessions of the demo at once: one model server; a start that failed is tried anew by the next.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../preload/contract/settings";
import { localModelEnvironment, localModelOverrides } from "../accounts/localModels";
import type { Clock } from "../clock";
import type { RpcClient } from "../codex/rpcClient";
import { type Demo, startDemo } from "../demo/demo";
import type { ExecServerContext, LocalServer } from "../environments/local/execServer";
import { execServerProfileId, launchExecServer } from "../environments/local/execServerLaunch";
import { asFault, Fault } from "../fault";
import type { HandleRecord } from "../ledger/handlesLedger";
import type { Ledger } from "../ledger/ledger";
import type { Log } from "../log";
import type { Cleanups } from "../supervisor/cleanups";
import { launchCodex } from "../supervisor/codexLaunch";
import type { CodexProcess, ProcessContext } from "../supervisor/codexProcess";
import { endHandleTree } from "../supervisor/handleTree";
import type { HomeMark } from "../supervisor/homeMark";
import { type LaunchProfile, userProfile } from "../supervisor/launchProfile";
import { channelOnRecord, portInLog } from "../supervisor/listening";
import { removeOldLogs } from "../supervisor/oldLogs";
import type { OwnedFacts } from "../supervisor/ownedProcess";
import { type Recovered, recordedProcess, recover } from "../supervisor/recovery";
import { prepareSocketFolder } from "../supervisor/socketFolder";
import type { SessionProcess } from "../supervisor/supervisedSession";
import { recordUnrecorded } from "../supervisor/unrecorded";
import { type OwnedServer, Watchdog, watchdogProfileId } from "../supervisor/watchdog/watchdog";
import type { Workspaces } from "../workspaces/workspaces";
import { setupProfileId } from "../workspaces/worktrees/starting/setupScript";
import { processCleanup, teardownCleanup } from "./cleanupViews";
import type { CodexLocator } from "./codexLocator";
import { lobbyId } from "./workspaceSessions";

export interface LaunchesOptions {
  version: string;
  home: string;
  logs: string;
  watchdogScript: string;
  clock: Clock;
  log: Log;
  environment: Record<string, string | undefined>;
  ledger: Ledger;
  locator: CodexLocator;
  workspaces: Workspaces;
  cleanups: Cleanups;
  homeMark: HomeMark;
  settings(): Settings;
}

/** Of handles that are no app-servers. */
const otherProfiles: ReadonlySet<string> = new Set([watchdogProfileId, execServerProfileId, setupProfileId]);

export class Launches {
  /** No watchdog of an earlier run is left. Never rejects. */
  readonly ready: Promise<void>;
  readonly #options: LaunchesOptions;
  readonly #context: ProcessContext;
  readonly #watchdog: Watchdog;
  readonly #profiles: Record<string, LaunchProfile>;
  /** By handle: those that may still run. */
  readonly #processes = new Map<string, CodexProcess>();
  /** The newest log of each workspace's codex. */
  readonly #logPaths = new Map<string, string>();
  #demo: Promise<Demo> | null = null;

  /** Throws Fault when there is no place for sockets. */
  constructor(options: LaunchesOptions) {
    this.#options = options;
    prepareSocketFolder(options.home);
    const { version, clock, log, ledger, cleanups } = options;
    const { handles } = ledger;
    this.#watchdog = new Watchdog({
      script: options.watchdogScript,
      owner: options.home,
      home: options.homeMark,
      handles,
      logs: options.logs,
      clock,
      log,
      environment: options.environment,
      unattendedMs: unattendedMs(options.settings()),
    });
    this.#context = {
      version,
      owner: options.home,
      handles,
      clock,
      log,
      close: (process) => this.closeProcess(process),
      tearDown: (handleId, profileId, owed) => this.#tearDown(handleId, profileId, owed),
      onStarted: (process) => {
        this.#processes.set(process.handleId, process);
        this.#logPaths.set(process.facts.workspaceId, process.facts.logPath);
        this.#watchOver("app-server", process);
      },
      onGone: (handleId) => {
        this.#processes.delete(handleId);
        this.#watchdog.disown(handleId);
      },
    };
    this.#profiles = { user: this.#userProfile(), demo: this.#demoProfile() };
    cleanups.register("launch teardown", (record) => {
      const { profileId, owed } = record.subject as { profileId: string; owed: unknown };
      return cleanups.perform(record, () => this.#undo(profileId, owed));
    });
    this.ready = this.#findUnrecorded().then(() => this.#endEarlierWatchdogs());
  }

  /** What an earlier run has left. To be called once, when `ready` has resolved. */
  recover(isListed: (workspaceId: string) => boolean): Recovered {
    const notGone = this.#options.ledger.handles.listNotGone();
    const records = notGone.filter(({ profileId }) => !otherProfiles.has(profileId));
    const recovered = recover({
      records,
      context: this.#context,
      canAdopt: ({ workspaceId }) => workspaceId !== lobbyId && isListed(workspaceId),
    });
    for (const process of recovered.adoptable.values()) this.#context.onStarted(process);
    const { logs, log } = this.#options;
    removeOldLogs(logs, new Set(notGone.map(({ handleId }) => handleId))).catch((error: unknown) => {
      log.warn("old logs could not be removed", { error: asFault(error).message });
    });
    return recovered;
  }

  /** A process of an earlier run is used again: what it needs of Holdfast is there. */
  async prepareAdoption(process: CodexProcess): Promise<void> {
    // Its model server is a part of Holdfast; it is at the same address again.
    if (process.facts.profileId === "demo") await this.demo();
  }

  logPath(workspaceId: string): string | null {
    return this.#logPaths.get(workspaceId) ?? null;
  }

  async launch(workspaceId: string, signal: AbortSignal): Promise<CodexProcess> {
    const { logs, environment, locator, settings } = this.#options;
    const binary = await locator.binary();
    const variables = await locator.variables();
    const { path, profile } = await this.#place(workspaceId);
    return launchCodex({
      ...this.#context,
      binary,
      profile,
      workspace: { id: workspaceId, path },
      variables,
      ownCodexHome: environment.CODEX_HOME ?? null,
      // Made again: it may have been removed while Holdfast runs.
      sockets: prepareSocketFolder(this.#options.home),
      logs,
      threadUnloadSeconds: unloadSeconds(settings()),
      signal,
    });
  }

  /** A connection of somebody's own to the codex of this handle: see CodexProcess. */
  async beside(handleId: string, closed: (fault: Fault) => void): Promise<RpcClient> {
    const process = this.#processes.get(handleId);
    if (!process) throw new Fault("connection_lost", "codex has just ended.", { retryable: true });
    return process.beside(closed);
  }

  /** Written down before, struck off when nothing is left. */
  closeProcess(process: SessionProcess & Partial<Pick<CodexProcess, "facts">>): Promise<Fault | null> {
    return this.#options.cleanups.perform(processCleanup(process), () => process.close());
  }

  /** A handle that no session owns: what is left of it is ended. To be called by the cleanup's executor. */
  closeRecorded(record: HandleRecord): Promise<Fault | null> {
    return this.closeProcess(recordedProcess(this.#context, record));
  }

  /** What an exec-server needs of the rest. */
  get execServerContext(): ExecServerContext {
    const { owner, handles, clock, log, onGone } = this.#context;
    const onStarted = (server: LocalServer) => this.#watchOver("exec-server", server);
    return { owner, handles, clock, log, onGone, onStarted };
  }

  async launchExecServer(environmentId: string, context: ExecServerContext): Promise<LocalServer> {
    const { home, logs, environment, locator } = this.#options;
    const binary = await locator.binary();
    const variables = await locator.variables();
    const ownCodexHome = environment.CODEX_HOME ?? null;
    const sockets = prepareSocketFolder(home);
    return launchExecServer({ environmentId, binary, variables, ownCodexHome, sockets, logs }, context);
  }

  settingsChanged(): void {
    this.#watchdog.setUnattendedMs(unattendedMs(this.#options.settings()));
  }

  /** Nothing is to go on without Holdfast: what it cannot close before its end, the watchdog ends soon after. */
  keepNothing(): void {
    this.#watchdog.keepNothing();
  }

  /** The demo's workspace and model server, made if need be. */
  demo(): Promise<Demo> {
    const { home, clock, log } = this.#options;
    this.#demo ??= startDemo({ home, clock, log }).catch((error: unknown) => {
      this.#demo = null;
      throw error;
    });
    return this.#demo;
  }

  /** `keeps`: processes go on without Holdfast, and the watchdog stays with them. */
  async close(keeps: boolean): Promise<void> {
    if (keeps) this.#watchdog.leave();
    else await this.#watchdog.close();
    // A demo that could not be started has nothing to close, and has said so where it was asked for.
    const demo = await this.#demo?.catch(() => null);
    await demo?.close();
  }

  #watchOver(kind: OwnedServer["kind"], { facts }: { facts: OwnedFacts }): void {
    const { handleId, leader, channel, logPath } = facts;
    if (!leader) return;
    const reached = channelOnRecord(channel);
    this.#watchdog.own({
      kind,
      handleId,
      ...leader,
      channel: reached.kind === "loopback" ? { ...reached, port: portInLog(logPath) } : reached,
    });
  }

  async #tearDown(handleId: string, profileId: string, owed: unknown): Promise<void> {
    if (owed === null) return;
    const { cleanups, ledger, log } = this.#options;
    const attempt = cleanups.perform(teardownCleanup(handleId, profileId, owed), () =>
      this.#undo(profileId, owed),
    );
    // It is on record as a cleanup now, and no longer to be done when the handle is closed again.
    try {
      if (ledger.handles.get(handleId)) ledger.handles.tornDown(handleId);
    } catch (error) {
      // It is done once more then, which does no harm.
      log.error("a teardown could not be written down", { handleId, error: asFault(error).message });
    }
    await attempt;
  }

  async #undo(profileId: string, owed: unknown): Promise<Fault | null> {
    const profile = this.#profiles[profileId];
    if (!profile) {
      return new Fault("launch_profile_unknown", `There is no launch profile ${profileId} any more.`);
    }
    await profile.teardown(owed);
    return null;
  }

  /** A ledger that is new may be new because the one before it was lost. Never rejects. */
  async #findUnrecorded(): Promise<void> {
    const { home, ledger, clock, log } = this.#options;
    if (!ledger.handles.isEmpty) return;
    try {
      const found = await recordUnrecorded({ home, handles: ledger.handles, clock });
      if (found > 0) log.warn("processes of a lost ledger were found and are ended", { found });
    } catch (error) {
      log.error("processes of a lost ledger could not be looked for", { error: asFault(error).message });
    }
  }

  async #endEarlierWatchdogs(): Promise<void> {
    const { ledger, clock, log } = this.#options;
    const earlier = ledger.handles.listNotGone().filter((record) => record.profileId === watchdogProfileId);
    await Promise.all(
      earlier.map(async ({ handleId, facts }) => {
        const leader = facts && { pid: facts.pid, startTime: facts.startTime };
        // It does nothing that it would have to bring to an end.
        const left = await endHandleTree({ handleId, leader }, clock, undefined, {
          beforeTermMs: 0,
        }).catch((error: unknown) => asFault(error));
        if (left) log.error("a watchdog of an earlier run did not end", { handleId, message: left.message });
        else ledger.handles.gone(handleId, null);
      }),
    );
  }

  async #place(workspaceId: string): Promise<{ path: string; profile: LaunchProfile }> {
    const { home, workspaces } = this.#options;
    const { user, demo } = this.#profiles as { user: LaunchProfile; demo: LaunchProfile };
    if (workspaceId === lobbyId) {
      const path = join(home, "lobby");
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return { path, profile: user };
    }
    const path = await workspaces.presentFolder(workspaceId);
    return { path, profile: workspaces.get(workspaceId).demo ? demo : user };
  }

  #demoProfile(): LaunchProfile {
    return {
      id: "demo",
      prepare: async (workspace) => {
        const { codexHome, configOverrides, environment } = await this.demo();
        return {
          workingDirectory: workspace.path,
          codexHome,
          configOverrides,
          environment,
          // The model server is for all sessions of the demo and ends with Holdfast.
          teardown: null,
        };
      },
      teardown: async () => {},
    };
  }

  #userProfile(): LaunchProfile {
    const localModel = () => this.#options.settings().localModel;
    return userProfile({
      id: "user",
      codexHome: null,
      overrides: () => {
        const local = localModel();
        return local ? localModelOverrides(local) : [];
      },
      environment: () => {
        const local = localModel();
        return local ? localModelEnvironment(local.provider, this.#options.environment) : {};
      },
    });
  }
}

function unattendedMs(settings: Settings): number {
  return settings.unattendedMinutes * 60_000;
}

/** codex counts in whole seconds. */
function unloadSeconds({ threadUnloadMinutes }: Settings): number | null {
  return threadUnloadMinutes === null ? null : Math.round(threadUnloadMinutes * 60);
}
