// The sessions of all workspaces with what keeps them in order: launches, cleanups, what an earlier run has left, and the
// release of what is idle. Knows nothing of windows.
//
// Races settled here:
// - What an earlier run has left is found out once, after its watchdog has gone and before any session can be used: what
//   lives is adopted, the rest belongs to its session as retired, so that nothing is started beside it.
// - A session that is idle is needed again: see idleRelease.ts.

import type { CleanupView, NoticeView } from "../../preload/contract/app";
import type { Settings } from "../../preload/contract/settings";
import { recordedExecServer } from "../environments/local/execServerLaunch";
import { LocalServers } from "../environments/local/localServers";
import { asFault, Fault } from "../fault";
import type { CleanupRecord } from "../ledger/cleanupsLedger";
import { Cleanups } from "../supervisor/cleanups";
import type { CodexProcess } from "../supervisor/codexProcess";
import type { Connection } from "../supervisor/connection";
import { IdleRelease } from "../supervisor/idleRelease";
import { Sessions } from "../supervisor/sessions";
import type { SessionOptions } from "../supervisor/supervisedSession";
import type { Threads } from "../threads/threads";
import { type ProcessSubject, processCleanup, viewCleanups } from "./cleanupViews";
import { Launches, type LaunchesOptions } from "./launches";
import { lobbyId } from "./workspaceSessions";

/** What a session tells the rest of main. */
export type SessionHooks = Omit<SessionOptions, "clock" | "log" | "launch" | "verify" | "close">;

export interface SupervisionOptions extends Omit<LaunchesOptions, "cleanups"> {
  settings(): Settings;
  threads(): Threads;
  hooks(workspaceId: string): SessionHooks;
  /** The workspaces that windows show. */
  shownWorkspaces(): ReadonlySet<string>;
  /** A script may need this session at any moment. */
  scriptNeeds(workspaceId: string): boolean;
  /** A terminal is open there: its connection, and with it what runs, would end with the session's codex. */
  terminalNeeds(workspaceId: string): boolean;
  /** The session of no workspace is needed. */
  lobbyIsNeeded(): boolean;
  /** Of an environment whose exec-server Holdfast runs; null: there is none of this id, any more. */
  localEnvironment(environmentId: string): string | null;
  /** The environments in which threads of this workspace run. */
  environmentsOf(workspaceId: string): string[];
  cleanupsChanged(cleanups: CleanupView[]): void;
  /** What the person has to know. */
  tell(about: string, notice: Omit<NoticeView, "id">): void;
}

/** How many app-servers may run at once; beyond it the one that has been idle for longest makes room. */
export const mostServers = 32;
const verifyDeadlineMs = 10_000;

export class Supervision {
  readonly sessions: Sessions;
  /** The exec-servers of this machine. */
  readonly localServers: LocalServers;
  readonly cleanups: Cleanups;
  readonly launches: Launches;
  readonly #options: SupervisionOptions;
  readonly #idle: IdleRelease;

  /** Resolves when it is known what an earlier run has left, and what that is at work in. Never rejects. */
  readonly found: Promise<void>;
  readonly #adoptions: Promise<void>[] = [];

  /** Throws Fault when there is no place for sockets. */
  constructor(options: SupervisionOptions) {
    this.#options = options;
    const { clock, log, ledger, settings } = options;
    this.cleanups = new Cleanups({
      ledger: ledger.cleanups,
      clock,
      log,
      random: Math.random,
      changed: () => this.#showCleanups(),
    });
    this.launches = new Launches({ ...options, cleanups: this.cleanups });
    const ready = this.launches.ready.then(() => this.#recover());
    this.found = ready.then(
      () => Promise.all(this.#adoptions).then(() => undefined),
      // Whoever needs a session hears why there is none.
      () => undefined,
    );
    this.sessions = new Sessions({ make: (workspaceId) => this.#sessionOptions(workspaceId), ready });
    this.localServers = new LocalServers({
      clock,
      log,
      ledger,
      cleanups: this.cleanups,
      context: this.launches.execServerContext,
      launch: (environmentId, context) => this.launches.launchExecServer(environmentId, context),
      recorded: recordedExecServer,
      ready,
      name: (environmentId) => options.localEnvironment(environmentId),
    });
    options.threads().actions.keepOnRecord({ cleanups: this.cleanups, tell: options.tell });
    this.cleanups.register("process", (record) => this.#clean(record));
    this.#idle = new IdleRelease({
      clock,
      limitMs: () => settings().sessionIdleMinutes * 60_000,
      live: () => this.sessions.live,
      isNeeded: (workspaceId) => this.#isNeeded(workspaceId),
      release: (workspaceId) => this.#release(workspaceId),
    });
  }

  settingsChanged(): void {
    this.launches.settingsChanged();
    this.#idle.changed();
  }

  cleanupLogPath(id: string): string | null {
    return subjectOf(this.cleanups.get(id)).logPath ?? null;
  }

  /** One attempt at each cleanup that is owed in a workspace, now. How many are still owed. */
  async retryCleanups(workspaceId: string): Promise<number> {
    const owed = this.cleanups.list().filter((record) => subjectOf(record).workspaceId === workspaceId);
    const outcomes = await Promise.all(owed.map(({ id }) => this.cleanups.retry(id)));
    return outcomes.filter((fault) => fault !== null).length;
  }

  /** Its process can go on without Holdfast. The demo's model cannot. */
  canKeep(workspaceId: string): boolean {
    const state = this.sessions.state(workspaceId);
    if (state?.phase !== "live" && state?.phase !== "lost") return false;
    return !state.facts.endsWithApp && !this.#options.workspaces.get(workspaceId).demo;
  }

  /** Nothing is closed or tried again by itself any more, since everything is about to be. */
  prepareToClose(): void {
    this.#idle.close();
    this.cleanups.close();
  }

  /**
   * The sessions of `kept` go on without Holdfast, with the exec-servers that their threads use and with the watchdog; all
   * others are closed. Nothing starts any more, for the reason `why`.
   */
  async close(kept: ReadonlySet<string>, why?: Fault): Promise<void> {
    if (kept.size === 0) this.launches.keepNothing();
    const inUse = new Set([...kept].flatMap((workspaceId) => this.#options.environmentsOf(workspaceId)));
    await Promise.all([
      this.sessions.closeAll((workspaceId) => kept.has(workspaceId), why),
      this.localServers.closeAll((environmentId) => inUse.has(environmentId), why),
    ]);
    await this.launches.close(kept.size > 0);
  }

  #sessionOptions(workspaceId: string): SessionOptions {
    const { clock, log, hooks } = this.#options;
    return {
      clock,
      log,
      launch: async (signal) => {
        await this.#makeRoom();
        return this.launches.launch(workspaceId, signal);
      },
      verify: (connection, signal) => this.#verify(workspaceId, connection, signal),
      close: (process) => this.launches.closeProcess(process),
      ...hooks(workspaceId),
    };
  }

  #recover(): void {
    this.#findOut("sessions", () => this.#recoverSessions());
    this.#findOut("exec-servers", () => this.localServers.recover());
    this.cleanups.begin();
    this.#showCleanups();
  }

  #findOut(of: string, recover: () => void): void {
    try {
      recover();
    } catch (error) {
      const { message } = asFault(error);
      this.#options.log.error("what an earlier run has left could not be found out", { of, error: message });
    }
  }

  #recoverSessions(): void {
    const { workspaces, threads, ledger } = this.#options;
    const listed = new Set(workspaces.list().map((workspace) => workspace.id));
    const { adoptable, retired } = this.launches.recover((workspaceId) => listed.has(workspaceId));
    for (const [workspaceId, owed] of retired) {
      for (const { process } of owed) {
        ledger.cleanups.record(processCleanup(process));
        // Nobody waits for an answer to what it has asked.
        threads().requests.processGone(process.handleId);
      }
      this.sessions.restore(workspaceId, owed);
    }
    for (const [workspaceId, process] of adoptable) this.#adoptions.push(this.#adopt(workspaceId, process));
    for (const workspaceId of listed) {
      // What was at work there when Holdfast went away has ended since. It never rejects.
      if (!adoptable.has(workspaceId)) void threads().adopted(workspaceId, null);
    }
  }

  /** Never rejects: a process that cannot be used is closed, and a new one is started on the next need. */
  async #adopt(workspaceId: string, process: CodexProcess): Promise<void> {
    const { log, threads } = this.#options;
    const { handleId } = process;
    const prepared = this.launches.prepareAdoption(process).catch((error: unknown) => {
      log.warn("what an adopted codex needs could not be made", { handleId, error: asFault(error).message });
    });
    try {
      // First in the queue of its session: nothing is started beside it.
      const connection = await this.sessions.adopt(workspaceId, process);
      log.info("codex adopted", { handleId, pid: connection.facts.pid, workspaceId });
      await prepared;
      await threads().adopted(workspaceId, connection);
    } catch (error) {
      const message = asFault(error).message;
      log.warn("a codex of an earlier run could not be adopted", { handleId, workspaceId, error: message });
      await threads().adopted(workspaceId, null);
    }
  }

  async #clean(record: CleanupRecord): Promise<Fault | null> {
    const { handleId = "" } = subjectOf(record);
    const owned = this.sessions.clean(handleId);
    if (owned) return owned;
    const handle = this.#options.ledger.handles.get(handleId);
    // A launch that could not close what it had made, and told nobody: an attempt here.
    if (handle && handle.state !== "gone") return this.launches.closeRecorded(handle);
    return this.cleanups.perform(record, async () => null);
  }

  /** A replacement has fully answered when it can say which threads there are, and read those that are shown. */
  async #verify(workspaceId: string, { client }: Connection, signal: AbortSignal): Promise<void> {
    const threads = this.#options.threads();
    const options = { deadlineMs: verifyDeadlineMs, signal };
    await client.request("thread/list", { limit: 1, modelProviders: [] }, options);
    for (const { threadId, workspaceId: place, state, loadedOn } of threads.all) {
      if (place !== workspaceId || threadId === null || !state.watched || loadedOn === null) continue;
      // codex keeps no record of a thread in which no turn has ended; such a one is made anew.
      if (threads.rows.isUnused(threadId)) continue;
      await client.request("thread/read", { threadId }, options);
    }
  }

  async #makeRoom(): Promise<void> {
    if (this.sessions.live.length < mostServers) return;
    const idle = this.#idle.longestIdle();
    if (idle !== null) {
      await this.sessions.close(idle);
      return;
    }
    throw new Fault("too_many_sessions", `${mostServers} workspaces have a codex at work already.`, {
      hint: "Wait until one of them is done, or close its threads.",
      retryable: true,
    });
  }

  #isNeeded(workspaceId: string): boolean {
    if (workspaceId === lobbyId) return this.#options.lobbyIsNeeded();
    const { threads, shownWorkspaces, scriptNeeds, terminalNeeds } = this.#options;
    return (
      shownWorkspaces().has(workspaceId) ||
      scriptNeeds(workspaceId) ||
      terminalNeeds(workspaceId) ||
      threads().keepsSession(workspaceId)
    );
  }

  #release(workspaceId: string): void {
    this.#options.log.info("an idle session is closed", { workspaceId });
    // What could not be ended is on record as a cleanup.
    void this.sessions.close(workspaceId);
  }

  #showCleanups(): void {
    const listed = new Set(this.#options.workspaces.list().map((workspace) => workspace.id));
    this.#options.cleanupsChanged(viewCleanups(this.cleanups.list(), (id) => listed.has(id)));
  }
}

function subjectOf(record: CleanupRecord | null): Partial<ProcessSubject> {
  return (record?.subject ?? {}) as Partial<ProcessSubject>;
}
