// Holdfast without its windows: the parts, and how they hear of each other. Runs in plain Node.
//
// Races settled here:
// - The account is asked through any live session; while there is no workspace, a session of its own (the lobby) answers,
//   and it is closed once a workspace's session lives, unless a sign-in goes on in it.

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { type Settings, settingsSchema } from "../../preload/contract/settings";
import { isInWorkspace } from "../../preload/contract/terminals";
import type { Account } from "../accounts/account";
import { accountFault } from "../accounts/accountView";
import type { LimitBook } from "../accounts/limitBook";
import type { Attention } from "../attention/attention";
import { Cells } from "../cells/cells";
import type { Clock } from "../clock";
import { configFault } from "../codex/configProblem";
import { createCodexFinder } from "../codex/findCodex";
import { createLoginEnvironment } from "../codex/loginEnvironment";
import { Environments } from "../environments/environments";
import { environmentPlace } from "../environments/terminals/environmentPlace";
import { leftTerminals } from "../environments/terminals/leftTerminals";
import type { KeyStore } from "../environments/tokens/keyStore";
import { asFault, Fault } from "../fault";
import type { Ledger } from "../ledger/ledger";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import type { HomeWatch } from "../supervisor/homeWatch";
import type { SessionState } from "../supervisor/sessionState";
import type { Sessions } from "../supervisor/sessions";
import { Terminals } from "../terminals/terminals";
import { Exports } from "../threads/exporting/exports";
import { dropLeftFiles } from "../threads/exporting/wholeFile";
import { keptItemsOf, upToDate } from "../threads/keptItem";
import { Threads } from "../threads/threads";
import type { Changes } from "../workspaces/changes/changes";
import { WorkspaceTerminals } from "../workspaces/terminals/workspaceTerminals";
import { Workspaces } from "../workspaces/workspaces";
import type { WorktreeStarts } from "../workspaces/worktrees/starting/worktreeStarts";
import type { Worktrees } from "../workspaces/worktrees/worktrees";
import { accountParts } from "./accountParts";
import { AppTopic, newAppState } from "./appTopic";
import { attentionOf, type Desktop } from "./attentionParts";
import { CodexLocator } from "./codexLocator";
import { withNews } from "./codexPage/codexPage";
import { ConfigFaults } from "./configFaults";
import { environmentUse, openTerminals } from "./environmentUse";
import { mayHaveChangedFiles } from "./fileEvents";
import { watchHome } from "./homeGone";
import { type OpenWork, openWork } from "./openWork";
import { OwnCodex } from "./ownCodex";
import { checkRemovable } from "./removable";
import { readSettings, writeSettings } from "./settings";
import { shutDownInOrder } from "./shutDown";
import { tellAtStart } from "./startNotices";
import { type SessionHooks, Supervision } from "./supervision";
import { workspaceChanges } from "./workspaceChanges";
import { lobbyId, viewSession, viewWorkspaces } from "./workspaceSessions";
import { openTerminalsOf, terminalsRunFault } from "./workspaceTerminals";
import { worktreeParts } from "./worktreeParts";

export interface CoreOptions {
  version: string;
  home: string;
  logs: string;
  ledger: Ledger;
  /** Where a damaged ledger was set aside. */
  damagedFile: string | undefined;
  clock: Clock;
  log: Log;
  /** The folder whose node_modules has the codex that comes with the app. */
  bundledRoot: string;
  /** The built watchdog. */
  watchdogScript: string;
  /** The built thread that runs a script. */
  cellWorkerScript: string;
  startedFromTerminal: boolean;
  environment: Record<string, string | undefined>;
  keyStore: KeyStore;
  openLink(url: string): Promise<void>;
  /** The workspaces that windows show. */
  shownWorkspaces(): ReadonlySet<string>;
  themeChanged(theme: Settings["theme"]): void;
  textSizeChanged(percent: number): void;
  /** How much waits for the person, in all threads and of all scripts. */
  waitingChanged(count: number): void;
  desktop: Desktop;
}

export class Core {
  readonly app: AppTopic;
  readonly threads: Threads;
  readonly account: Account;
  readonly limits: LimitBook;
  readonly workspaces: Workspaces;
  readonly locator: CodexLocator;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly supervision: Supervision;
  readonly worktrees: Worktrees;
  readonly starts: WorktreeStarts;
  readonly cells: Cells;
  readonly environments: Environments;
  readonly terminals: Terminals;
  readonly attention: Attention;
  readonly configFaults: ConfigFaults;
  readonly changes: Changes;
  readonly exports: Exports;
  readonly #workspaceTerminals: WorkspaceTerminals;
  readonly #options: CoreOptions;
  readonly #ownCodex: OwnCodex;
  readonly #homeWatch: HomeWatch;
  #canEndInOrder = true;

  constructor(options: CoreOptions) {
    this.#options = options;
    this.#ownCodex = new OwnCodex(this, options.clock);
    this.ledger = options.ledger;
    this.clock = options.clock;
    this.log = options.log;
    const { clock, log, ledger } = options;
    const personHome = options.environment.HOME ?? options.environment.USERPROFILE ?? "";
    const { settings, unusable } = readSettings(ledger.settings);
    this.app = new AppTopic(
      // The person's home, for writing paths short.
      newAppState({ version: options.version, home: personHome, settings }),
      () => this.threads.rows.all,
    );
    this.configFaults = new ConfigFaults(this.app, log);
    this.locator = new CodexLocator({
      clock,
      finder: createCodexFinder({
        clock,
        environmentPath: options.environment.HOLDFAST_CODEX,
        homeFolder: personHome,
        bundledRoot: options.bundledRoot,
      }),
      environment: createLoginEnvironment({
        clock,
        log,
        startedFromTerminal: options.startedFromTerminal,
        env: options.environment,
      }),
      setting: () => this.settings.codexPath,
      changed: (codex) => this.app.update({ codex }),
    });
    this.workspaces = new Workspaces({
      ledger: ledger.workspaces,
      log,
      // A workspace is known by its real path.
      demoPath: join(realpathSync(options.home), "demo", "workspace"),
      changed: () => this.#showWorkspaces(),
    });
    this.attention = attentionOf(this, options.desktop, log);
    this.threads = new Threads({
      clock,
      log,
      ledger,
      runMarks: {
        byMessage: (clientId) => this.cells.marks.byMessage(clientId),
        byThread: (threadKey) => this.cells.marks.byThread(threadKey),
        message: (runId, clientId) => this.cells.marks.message(runId, clientId),
        threadNamed: (threadKey, threadId) => this.cells.marks.threadNamed(threadKey, threadId),
      },
      connect: (workspaceId) => this.sessions.need(workspaceId),
      connection: (workspaceId) => this.sessions.connection(workspaceId),
      presentFolder: (workspaceId) => this.workspaces.presentFolder(workspaceId),
      workspace: (workspaceId) => {
        const workspace = this.workspaces.get(workspaceId);
        return { path: workspace.path, demo: workspace.demo, profileId: workspace.demo ? "demo" : "user" };
      },
      environments: {
        list: () => this.environments.views,
        name: (environmentId) => this.environments.name(environmentId),
        locate: (environmentId) => this.environments.locate(environmentId),
        session: (environmentId) => this.environments.session(environmentId),
        attend: (environmentId) => this.environments.attend(environmentId),
      },
      newThreadSettings: () => this.settings.newThread,
      isAwaited: (key) => ledger.worktreeStarts.list().some(({ threadKey }) => threadKey === key),
      configFault,
      publish: (changes, urgent) => this.app.publish(changes, urgent),
      waitingChanged: (waiting) => {
        this.app.update({ waiting });
        this.#tellWaiting();
      },
      listingChanged: () => this.#showWorkspaces(),
      turnEnded: (end) => this.attention.turnEnded(end),
      cameBack: (threadId, clientId, fault) => this.attention.cameBack(threadId, clientId, fault),
      endedAway: (threadId) => this.attention.endedAway(threadId),
    });
    ({ account: this.account, limits: this.limits } = accountParts(
      this,
      async () => (await this.anyUserConnection()).client,
      options,
    ));
    this.#homeWatch = watchHome(this, options);
    this.supervision = new Supervision({
      ...options,
      homeMark: this.#homeWatch.home,
      locator: this.locator,
      workspaces: this.workspaces,
      settings: () => this.settings,
      threads: () => this.threads,
      hooks: (workspaceId) => this.#sessionHooks(workspaceId),
      lobbyIsNeeded: () => this.app.state.login.state !== "none",
      scriptNeeds: (workspaceId) =>
        this.cells.needsSession(workspaceId) || this.changes.needsSession(workspaceId),
      terminalNeeds: (workspaceId) => openTerminalsOf(this.terminals.rows, workspaceId).length > 0,
      localEnvironment: (environmentId) => this.environments.localName(environmentId),
      environmentsOf: (workspaceId) => this.threads.environments.usedIn(workspaceId),
      tell: (about, notice) => this.app.notice(about, notice),
      cleanupsChanged: (cleanups) => {
        this.app.update({ cleanups });
        this.cells.cleanupsChanged();
      },
    });
    const worktrees = worktreeParts(this, options, (workspaceId) => this.#forgetThreads(workspaceId));
    ({ worktrees: this.worktrees, starts: this.starts } = worktrees);
    this.cells = new Cells({
      clock,
      log,
      ledger,
      threads: this.threads,
      workspaces: this.workspaces,
      worktrees: this.worktrees,
      cleanups: this.supervision.cleanups,
      connect: (workspaceId) => this.sessions.need(workspaceId),
      cannotSend: (workspaceId) => this.#cannotSend(workspaceId),
      limits: () => this.settings.cellLimits,
      workerScript: options.cellWorkerScript,
      changed: (change) => {
        this.app.update(change);
        if (change.cellQuestions) this.#tellWaiting();
      },
      notify: (notice) => this.attention.said(notice),
    });
    this.environments = new Environments({
      clock,
      log,
      ledger,
      keyStore: options.keyStore,
      servers: this.supervision.localServers,
      codexVersion: () => this.locator.version(),
      environment: () => this.locator.variables(),
      use: (environmentId) => environmentUse(environmentId, this.threads, this.terminals.rows),
      changed: (environments) => {
        this.app.update({ environments });
        this.threads.environments.environmentsChanged();
      },
    });
    this.supervision.localServers.onChange(() => this.environments.serverChanged());
    this.#workspaceTerminals = new WorkspaceTerminals({
      clock,
      log,
      ledger: ledger.terminals,
      cleanups: this.supervision.cleanups,
      folder: join(options.home, "terminals"),
      presentFolder: (workspaceId) => this.workspaces.presentFolder(workspaceId),
      connect: async (workspaceId, closed) => {
        const { handleId, facts } = await this.sessions.need(workspaceId);
        return { client: await this.supervision.launches.beside(handleId, closed), codexPid: facts.pid };
      },
      variables: () => this.locator.variables(),
    });
    this.terminals = new Terminals({
      clock,
      log,
      place: (place) =>
        place.kind === "workspace"
          ? this.#workspaceTerminals.place(this.workspaces.get(place.workspaceId).id)
          : environmentPlace(this.environments.get(place.environmentId), clock),
      changed: (terminals) => this.app.update({ terminals }),
    });
    this.changes = workspaceChanges(this, (workspaceId) => this.#cannotSend(workspaceId));
    this.exports = new Exports({
      clock,
      log,
      records: this.#exportRecords,
      thread: (threadKey) => {
        const { threadId, workspaceId, state } = this.threads.runtime(threadKey);
        return { threadId, workspaceId, title: state.facts.title };
      },
      connect: (workspaceId) => this.sessions.need(workspaceId),
      kept: (threadId) => keptItemsOf(upToDate(this.threads.all, ledger.runningItems), threadId),
    });
    this.app.update({ environments: this.environments.views });
    this.terminals.listLost([...leftTerminals(this.environments.left), ...this.#workspaceTerminals.left]);
    tellAtStart(this.app, {
      damagedFile: options.damagedFile,
      unusableSettings: unusable,
      unreadableEnvironments: this.environments.unreadable,
    });
    for (const workspace of this.workspaces.list()) this.threads.rows.remember(workspace.id);
    this.#showWorkspaces();
    this.threads.restore();
  }

  get sessions(): Sessions {
    return this.supervision.sessions;
  }

  get #exportRecords(): string {
    return join(this.#options.home, "exports");
  }

  get settings(): Settings {
    return this.app.state.settings;
  }

  /** What takes long at start-up; never rejects. */
  async begin(): Promise<void> {
    void this.environments.endLeft();
    void dropLeftFiles(this.#exportRecords, this.#options.log);
    void this.#workspaceTerminals.endLeft();
    const checked = this.workspaces
      .refreshAll()
      .then(() => this.worktrees.settle())
      .then(() => this.starts.resume());
    await this.locator.binary().catch(() => undefined);
    await checked;
    await this.#readAccount();
  }

  /** Never rejects. */
  async #readAccount(): Promise<void> {
    await this.account.refresh().catch((error: unknown) => {
      this.#options.log.info("the account could not be read", { error: asFault(error).code });
    });
  }

  /** A window shows this workspace now. */
  async show(workspaceId: string): Promise<void> {
    this.ledger.workspaces.touch(workspaceId);
    await this.workspaces.refresh(workspaceId);
    await this.threads.list.refresh(workspaceId);
  }

  setSettings(change: Partial<Settings>): void {
    const before = this.settings;
    const settings = settingsSchema.parse({ ...before, ...change });
    // Before it is written down: what the desktop refuses is not switched on.
    if (settings.openAtLogin !== before.openAtLogin) this.#options.desktop.openAtLogin(settings.openAtLogin);
    writeSettings(this.ledger.settings, change);
    this.app.update({ settings });
    this.supervision.settingsChanged();
    if (settings.theme !== before.theme) this.#options.themeChanged(settings.theme);
    if (settings.textSize !== before.textSize) this.#options.textSizeChanged(settings.textSize);
  }

  /** A connection to the person's own codex (not the demo's), whatever its folder; started if there is none. */
  anyUserConnection(): Promise<Connection> {
    return this.#ownCodex.connection();
  }

  sessionLogPath(workspaceId: string): string | null {
    return this.supervision.launches.logPath(workspaceId);
  }

  /** Makes what the demo needs and returns its workspace. */
  async openDemo(): Promise<string> {
    const demo = await this.supervision.launches.demo();
    return (await this.workspaces.open(demo.workspacePath, "Demo")).id;
  }

  /** Something would be cut off if its process ended now. Without a process there is nothing to cut off. */
  isAtWork(workspaceId: string): boolean {
    const phase = this.sessions.state(workspaceId)?.phase ?? "stopped";
    return phase !== "stopped" && !this.threads.isQuiet(workspaceId);
  }

  /** Takes the workspace off the list; nothing on disk is touched. */
  async removeWorkspace(workspaceId: string): Promise<void> {
    checkRemovable(this, workspaceId);
    this.workspaces.remove(workspaceId);
    this.#forgetThreads(workspaceId);
    await this.sessions.close(workspaceId);
  }

  async restartSession(workspaceId: string, force: boolean): Promise<void> {
    if (!force && this.isAtWork(workspaceId)) {
      throw new Fault("turn_running", "Something still runs in this workspace, or waits for you.", {
        hint: "Stop it first, or restart codex anyway: the turn is then interrupted.",
      });
    }
    const hint = "Close them first, or restart codex anyway: what runs in them is then ended.";
    const terminalsRun = force ? null : terminalsRunFault(this.terminals.rows, workspaceId, hint);
    if (terminalsRun) throw terminalsRun;
    await this.sessions.restart(workspaceId);
  }

  /** The machine has woken up: connections that did not survive it are noticed now, not at the next message. */
  resumed(): void {
    for (const workspace of this.workspaces.list()) this.sessions.probe(workspace.id);
  }

  /** What ending the app would cut off; null: nothing. Before `supervision.found` there may be more. */
  openWork(): OpenWork | null {
    const scripts = [...this.cells.running, ...this.starts.running];
    const others = { scripts, terminals: openTerminals(this.terminals.atWork), settings: this.settings };
    return openWork(this.threads, others, (workspaceId) => this.supervision.canKeep(workspaceId));
  }

  /** See `shutDownInOrder`. */
  async shutDown(work: "keep" | "stop"): Promise<void> {
    this.#homeWatch.close();
    this.attention.dispose();
    this.#canEndInOrder = await shutDownInOrder(this, work, this.#options.log);
  }

  /** False after `shutDown`: something of this process would wait for ever at an orderly end. */
  get canEndInOrder(): boolean {
    return this.#canEndInOrder;
  }

  /** What is being answered right now does not wait any more; the titles of windows count the same. */
  #tellWaiting(): void {
    const { waiting, cellQuestions } = this.app.state;
    const requests = waiting.filter((request) => !request.answering);
    this.#options.waitingChanged(requests.length + cellQuestions.length);
    this.attention.waits(requests, cellQuestions);
  }

  #sessionHooks(workspaceId: string): SessionHooks {
    const isLobby = workspaceId === lobbyId;
    return {
      isShown: () => !isLobby && this.threads.isShown(workspaceId),
      onState: (state) => this.#sessionChanged(workspaceId, state),
      onConnected: () => {
        if (isLobby) return;
        this.threads.connected(workspaceId);
        if (this.#isDemo(workspaceId)) return;
        this.#leaveLobby();
        // It may have been started because codex's configuration has changed: another provider, another account.
        void this.#readAccount();
      },
      onConnectionLost: () => this.threads.connectionLost(workspaceId),
      onProcessGone: (handleId, fault) => this.threads.processGone(workspaceId, handleId, fault),
      onNotification: (_connection, method, params) => this.#notification(workspaceId, method, params),
      onRequest: (connection, request) => this.threads.request(workspaceId, connection, request),
    };
  }

  /** Why its codex would send nothing to a model; null: it would. */
  #cannotSend(workspaceId: string): Fault | null {
    const { account, settings } = this.app.state;
    return this.workspaces.get(workspaceId).demo ? null : accountFault(account, settings);
  }

  #forgetThreads(workspaceId: string): void {
    this.threads.rows.forgetWorkspace(workspaceId);
    this.threads.list.forget(workspaceId);
    this.terminals.forget((row) => isInWorkspace(row, workspaceId));
  }

  #isDemo(workspaceId: string): boolean {
    return workspaceId !== lobbyId && this.workspaces.get(workspaceId).demo;
  }

  #sessionChanged(workspaceId: string, state: SessionState): void {
    this.#options.log.info("session", { workspaceId, phase: state.phase });
    if (workspaceId === lobbyId) return;
    this.app.updateWorkspace(workspaceId, { session: viewSession(state) });
    if (state.phase === "starting" && this.app.workspace(workspaceId)?.demo === false)
      this.#ownCodex.begins(workspaceId);
  }

  #notification(workspaceId: string, method: string, params: unknown): void {
    if (method === "configWarning") this.configFaults.warned(params);
    // Pieces of text come by the thousand: whose workspace it is, which the ledger knows, is asked only where it matters.
    if (method.startsWith("account/") && !this.#isDemo(workspaceId)) {
      this.account.notification(method, params);
      this.limits.notification(method, params);
    }
    if (workspaceId === lobbyId) return;
    const { codexNews } = this.app.state;
    const news = withNews(codexNews[workspaceId], method, params);
    if (news) this.app.update({ codexNews: { ...codexNews, [workspaceId]: news } });
    this.threads.notification(workspaceId, method, params);
    if (method === "turn/completed") this.workspaces.changedOnDisk(workspaceId);
    if (mayHaveChangedFiles(method, params)) this.changes.changedOnDisk(workspaceId);
  }

  #leaveLobby(): void {
    if (this.app.state.login.state === "none") {
      this.sessions.close(lobbyId).catch((error: unknown) => {
        this.#options.log.warn("the lobby could not be left", { error: asFault(error).message });
      });
    }
  }

  #showWorkspaces(): void {
    const { workspaces, sessions, threads } = this;
    const session = (id: string) => sessions.state(id);
    this.app.update({
      workspaces: viewWorkspaces(workspaces.list(), session, (id) => threads.list.state(id)),
    });
  }
}
