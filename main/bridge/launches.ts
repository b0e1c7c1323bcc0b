// How each session's codex is started: the binary, the environment, the launch profile; and the demo's model server, which
// runs as long as a session of the demo may need it.
//
// Races settled here:
// - What an earlier run of the app left behind is ended before anything new is started: every launch waits for that.
// - Two sessions of the demo at once: one model server; a start that failed is tried anew by the next.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../preload/contract/app";
import { localModelEnvironment, localModelOverrides } from "../accounts/localModels";
import type { Clock } from "../clock";
import { type Demo, startDemo } from "../demo/demo";
import { asFault } from "../fault";
import type { HandlesLedger } from "../ledger/handlesLedger";
import type { Log } from "../log";
import { launchCodex } from "../supervisor/codexProcess";
import { type LaunchProfile, userProfile } from "../supervisor/launchProfile";
import { reapLeftovers } from "../supervisor/leftovers";
import { prepareSocketFolder } from "../supervisor/socketFolder";
import type { SessionProcess } from "../supervisor/supervisedSession";
import type { Workspaces } from "../workspaces/workspaces";
import type { CodexLocator } from "./codexLocator";
import { lobbyId } from "./workspaceSessions";

export interface LaunchesOptions {
  version: string;
  home: string;
  logs: string;
  clock: Clock;
  log: Log;
  environment: Record<string, string | undefined>;
  handles: HandlesLedger;
  locator: CodexLocator;
  workspaces: Workspaces;
  settings(): Settings;
}

export class Launches {
  readonly #options: LaunchesOptions;
  readonly #sockets: string;
  readonly #leftoversReaped: Promise<void>;
  /** The newest log of each workspace's codex. */
  readonly #logPaths = new Map<string, string>();
  #demo: Promise<Demo> | null = null;

  /** Begins to end what an earlier run left behind. Throws Fault when there is no place for sockets. */
  constructor(options: LaunchesOptions) {
    this.#options = options;
    this.#sockets = prepareSocketFolder(options.home);
    const { handles, clock, log } = options;
    this.#leftoversReaped = reapLeftovers({ handles, clock, log }).catch((error: unknown) => {
      log.error("what an earlier run left behind could not be ended", { error: asFault(error).message });
    });
  }

  logPath(workspaceId: string): string | null {
    return this.#logPaths.get(workspaceId) ?? null;
  }

  async launch(workspaceId: string, signal: AbortSignal): Promise<SessionProcess> {
    await this.#leftoversReaped;
    const { version, clock, log, logs, environment, handles, locator, settings } = this.#options;
    const binary = await locator.binary();
    const variables = await locator.variables();
    const { path, profile } = await this.#place(workspaceId);
    return launchCodex({
      version,
      binary,
      profile,
      workspace: { id: workspaceId, path },
      variables,
      ownCodexHome: environment.CODEX_HOME ?? null,
      sockets: this.#sockets,
      logs,
      threadUnloadSeconds: settings().threadUnloadMinutes * 60,
      handles,
      clock,
      log,
      signal,
      onLogPath: (logPath) => this.#logPaths.set(workspaceId, logPath),
    });
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

  async close(): Promise<void> {
    // A demo that could not be started has nothing to close, and has said so where it was asked for.
    const demo = await this.#demo?.catch(() => null);
    await demo?.close();
  }

  async #place(workspaceId: string): Promise<{ path: string; profile: LaunchProfile }> {
    const { home, workspaces } = this.#options;
    if (workspaceId === lobbyId) {
      const path = join(home, "lobby");
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return { path, profile: this.#userProfile() };
    }
    const path = await workspaces.presentFolder(workspaceId);
    return {
      path,
      profile: workspaces.get(workspaceId).demo ? await this.#demoProfile() : this.#userProfile(),
    };
  }

  async #demoProfile(): Promise<LaunchProfile> {
    const { codexHome, configOverrides, environment } = await this.demo();
    return {
      id: "demo",
      prepare: async (workspace) => ({
        workingDirectory: workspace.path,
        codexHome,
        configOverrides,
        environment,
        teardown: async () => {},
      }),
    };
  }

  #userProfile(): LaunchProfile {
    const local = this.#options.settings().localModel;
    return userProfile({
      id: "user",
      codexHome: null,
      overrides: () => (local ? localModelOverrides(local) : []),
      environment: () => (local ? localModelEnvironment(local.provider, this.#options.environment) : {}),
    });
  }
}
