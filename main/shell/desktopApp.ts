// The running app: brings the backend, the windows and the operating system together.
//
// Races, and what settles each:
// - A folder is handed over before there are windows: it waits until there are.
// - Quit comes while the backend is still starting: shutting down waits for the start, within its deadline, and then shuts
//   down what was started. No window is opened any more.
// - The app ends while a page still has something to hand over (the last words of a draft): its window is closed first,
//   and only then is the backend shut down, or after a second.

import { app, Menu, nativeTheme, powerMonitor, protocol, session, shell } from "electron";
import { calls } from "../../preload/contract";
import type { Handlers } from "../bridge/backend";
import { PortServer, type WindowCall } from "../bridge/portServer";
import { systemClock } from "../clock";
import { asFault } from "../fault";
import { appScheme, developmentServer } from "./appPages";
import type { AppWindow } from "./appWindow";
import { Attachments } from "./attachments";
import { relaunchArguments } from "./commandLine";
import { askAboutWork, tellOfFailure, tellOfFault } from "./dialogs";
import { electronDesktop, electronImages, openLink } from "./electronDesktop";
import { electronUpdater, hasUpdateFeed, updateDialogs } from "./electronUpdates";
import { Ending } from "./ending";
import { guardContents, guardSession, type PageOptions } from "./guardedSession";
import { type HandOver, handOverSchema } from "./handOver";
import type { Home } from "./home";
import { platformKeyStore } from "./keyStore";
import type { OpenWork, Relaunch, WorkChoice } from "./lifecycle";
import { canOpenAtLogin, refreshLoginItem, setOpenAtLogin } from "./loginItem";
import { MainLog } from "./mainLog";
import { menuTemplate } from "./menu";
import { Notifications } from "./notifications";
import { answerOnRecord } from "./openWork";
import { Presence } from "./presence";
import { catchFailures, takeSignals } from "./processEvents";
import type { Services, ShellOptions } from "./services";
import { shellCalls } from "./shellCalls";
import { Thumbnails } from "./thumbnails";
import { Updates } from "./updates";
import { WindowRecords } from "./windowRecords";
import { Windows } from "./windows";

/** How much of the time in which the app has to end its pages may take to hand over what they have: words that were just typed. */
const shareOfPages = 0.25;

export class DesktopApp {
  readonly #options: ShellOptions;
  readonly #home: Home;
  readonly #runsFromFolder: boolean;
  readonly #clock = systemClock;
  readonly #log: MainLog;
  readonly #ending: Ending;
  readonly #pages: PageOptions;
  readonly #attachments: Attachments;
  readonly #thumbnails = new Thumbnails(electronImages);
  #starting: Promise<Services> | null = null;
  #running: { services: Services; windows: Windows; records: WindowRecords; presence: Presence } | null =
    null;
  /** Started at login, out of sight. */
  #isHidden = false;
  /** What the app's icon shows; it can be shown once Electron is ready. */
  #badge = 0;
  /** What was asked for before there were windows. */
  #waiting: (() => void)[] = [];

  constructor(options: ShellOptions, home: Home, runsFromFolder: boolean) {
    this.#options = options;
    this.#home = home;
    this.#runsFromFolder = runsFromFolder;
    this.#log = new MainLog({ path: home.mainLog, clock: this.#clock });
    this.#attachments = new Attachments(home.attachments, electronImages);
    this.#pages = {
      renderer: options.renderer,
      devServer: developmentServer(options.devServer, app.isPackaged),
      log: this.#log,
    };
    this.#ending = new Ending({
      clock: this.#clock,
      log: this.#log,
      openWork: () => this.#running?.services.openWork() ?? null,
      ask: (work, withdrawn) => this.#ask(work, withdrawn),
      bringUp: () => this.#running?.windows.bringUp(),
      open: (asked) => this.#openFolder(asked),
      shutDown: async (request) => {
        // Chromium takes away its own files only if it has finished starting: when its loop runs.
        await app.whenReady().then(() => new Promise((resolve) => setImmediate(resolve)));
        this.#running?.presence.dispose();
        await this.#running?.windows.leave(request.deadlineMs * shareOfPages);
        this.#running?.records.finish();
        // Why it could not start has been said already.
        const services = await this.#starting?.catch(() => null);
        await services?.shutDown(request);
      },
      tell: async (failure) => {
        await app.whenReady();
        await tellOfFailure(failure, this.#running !== null, this.#home.mainLog);
      },
      end: (exitCode, relaunch) => this.#end(exitCode, relaunch),
    });
  }

  run({ folder, hidden }: HandOver): void {
    this.#isHidden = hidden && folder === null;
    const { version } = this.#options;
    this.#log.info("Started", {
      version,
      electron: process.versions.electron,
      platform: `${process.platform} ${process.arch}`,
      pid: process.pid,
    });
    catchFailures(this.#log, (error) => this.#ending.fail(error));
    protocol.registerSchemesAsPrivileged([
      {
        scheme: appScheme,
        privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
      },
    ]);
    this.#listen();
    if (folder !== null) this.#openFolder(folder);

    const starting = this.#options.start({
      home: this.#home,
      log: this.#log,
      clock: this.#clock,
      keyStore: platformKeyStore,
      setTheme: (theme) => {
        nativeTheme.themeSource = theme;
      },
      setTextSize: (percent) => this.#running?.windows.setTextSize(percent),
      setBadge: (count) => {
        this.#badge = count;
        this.#running?.presence.setBadge(count);
      },
      openLink,
      shownWorkspaces: () => this.#running?.windows.shownWorkspaces() ?? new Set(),
      windows: () => this.#running?.windows.facts() ?? [],
      desktop: {
        inFront: () => this.#running?.windows.inFront() ?? null,
        showNotification: (card) => this.#whenRunning(() => this.#running?.presence.show(card)),
        withdrawNotification: (id) => this.#whenRunning(() => this.#running?.presence.withdraw(id)),
        open: (place) => this.#whenRunning(() => this.#running?.presence.open(place)),
        openAtLogin: setOpenAtLogin,
      },
    });
    this.#starting = starting;
    Promise.all([starting, app.whenReady()]).then(
      ([services]) => this.#ready(services),
      (error: unknown) => {
        this.#log.error("Holdfast could not start", { error });
        this.#ending.fail(error);
      },
    );
  }

  async #ask(work: OpenWork, withdrawn: AbortSignal): Promise<WorkChoice | "cancel"> {
    const answer = answerOnRecord(this.#running?.services.quitting() ?? "ask", work);
    return answer ?? askAboutWork(this.#running?.windows.front()?.window ?? null, work, withdrawn);
  }

  #ready(services: Services): void {
    takeSignals(this.#endBySignal);
    if (!this.#ending.isRunning) return;
    nativeTheme.themeSource = services.theme;
    guardSession(session.defaultSession, this.#pages);
    const records = new WindowRecords(services.windows, this.#clock, this.#log);
    const backendHandlers = bound(services.backend.handlers);
    const windows = new Windows({
      preload: this.#options.preload,
      devServer: this.#pages.devServer,
      development: !app.isPackaged,
      clock: this.#clock,
      log: this.#log,
      records,
      serve: (port, window, closed) =>
        new PortServer({
          port,
          closed,
          handlers: { ...backendHandlers, ...this.#windowCalls(services, records, window) },
          topics: services.backend.topics,
          clock: this.#clock,
          log: this.#log,
        }),
      textSize: services.textSize,
      mayCloseLast: () => this.#mayCloseLast(),
      looked: () => services.attention.looked(),
      quit: () => this.#ending.quit("person"),
      sessionEnds: () => this.#ending.quit("session end"),
    });
    const presence = new Presence({
      clock: this.#clock,
      log: this.#log,
      services,
      windows,
      quit: () => this.#ending.quit("person"),
    });
    this.#running = { services, windows, records, presence };
    presence.setBadge(this.#badge);
    const updates = hasUpdateFeed() ? this.#updates(windows) : null;
    updates?.begin();
    this.#setMenu(windows, updates);
    powerMonitor.on("resume", () => {
      this.#log.info("The machine has woken up");
      services.resumed();
    });
    powerMonitor.on("shutdown", (event?: { preventDefault?(): void }) => {
      // Linux and macOS wait for the app to end when asked to.
      event?.preventDefault?.();
      this.#ending.quit("session end");
    });
    // A window takes a while to be drawn, so it is asked for first; unless the tray is all that is to be seen.
    if (!this.#isHidden) windows.openRemembered();
    presence.begin();
    if (this.#isHidden && this.#staysInTray) windows.hold();
    else if (this.#isHidden) windows.openRemembered();
    this.#refreshLoginItem();
    for (const task of this.#waiting.splice(0)) task();
  }

  #windowCalls(services: Services, records: WindowRecords, { id, window }: AppWindow) {
    return shellCalls({
      desktop: electronDesktop(window),
      backend: services.backend,
      facts: services,
      home: this.#home,
      attachments: this.#attachments,
      thumbnails: this.#thumbnails,
      nowMs: () => this.#clock.nowMs(),
      layout: () => records.get(id).layout,
      remember: (layout) => {
        records.update(id, { layout });
        services.attention.looked();
      },
      abilities: () => ({
        notifications: Notifications.areSupported,
        tray: this.#running?.presence.hasTray ?? false,
        openAtLogin: canOpenAtLogin(),
      }),
      openWindow: () => void this.#running?.windows.openNew(),
    });
  }

  #updates(windows: Windows): Updates {
    return new Updates({
      updater: electronUpdater(this.#log),
      words: updateDialogs(() => windows.front()?.window ?? null),
      quit: () => this.#ending.quit("person"),
      clock: this.#clock,
      log: this.#log,
    });
  }

  #setMenu(windows: Windows, updates: Updates | null): void {
    app.setAboutPanelOptions({ applicationName: "Holdfast", applicationVersion: this.#options.version });
    const template = menuTemplate({
      platform: process.platform,
      development: !app.isPackaged,
      command: (command) => windows.command(command),
      newWindow: () => windows.openNew(),
      showLogs: () => shell.showItemInFolder(this.#home.mainLog),
      about: () => app.showAboutPanel(),
      lookForUpdates: updates && (() => void updates.look()),
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }

  #listen(): void {
    app.on("second-instance", (_event, _argv, _workingFolder, handedOver) => {
      const parsed = handOverSchema.safeParse(handedOver);
      // It was started at login once more, which is no wish to see it.
      if (parsed.success && parsed.data.hidden && parsed.data.folder === null) return;
      this.#ending.launchedAgain(parsed.success ? parsed.data.folder : null);
    });
    app.on("open-file", (event, path) => {
      event.preventDefault();
      this.#ending.launchedAgain(path);
    });
    app.on("activate", () => {
      if (this.#ending.isRunning) this.#running?.windows.bringUp();
    });
    app.on("before-quit", (event) => {
      if (this.#ending.hasEnded) return;
      event.preventDefault();
      this.#ending.quit("person");
    });
    app.on("window-all-closed", () => {
      if (process.platform === "darwin" || this.#staysInTray) return;
      if (this.#ending.isRunning) this.#ending.quit("person");
    });
    app.on("web-contents-created", (_event, contents) => guardContents(contents, this.#pages));
    app.on("child-process-gone", (_event, { type, reason, exitCode, name }) => {
      if (reason !== "clean-exit")
        this.#log.warn("A process of Electron's has gone", { type, reason, exitCode, name });
    });
    takeSignals(this.#endBySignal);
  }

  readonly #endBySignal = (exitCode: number) => this.#ending.quit("signal", exitCode);

  /** Without windows Holdfast goes on, and the tray brings one back. */
  get #staysInTray(): boolean {
    const running = this.#running;
    return running ? running.presence.hasTray && running.services.keepsInTray() : false;
  }

  #refreshLoginItem(): void {
    try {
      refreshLoginItem();
    } catch (error) {
      this.#log.warn("Starting at login could not be looked after", { error });
    }
  }

  /**
   * On a Mac the app goes on without windows, and in the tray if it is to stay there. Elsewhere closing the last one quits,
   * which may ask first, or be refused.
   */
  #mayCloseLast(): boolean {
    if (process.platform === "darwin" || this.#staysInTray || !this.#ending.isRunning) return true;
    // Not from within the closing of the very window that ending takes away.
    setImmediate(() => this.#ending.quit("person"));
    return false;
  }

  #whenRunning(task: () => void): void {
    if (this.#running) task();
    else this.#waiting.push(task);
  }

  #openFolder(folder: string | null): void {
    this.#whenRunning(() => {
      if (!this.#running) return;
      const window = this.#running.windows.bringUp();
      if (folder === null) return;
      this.#running.services.backend.handlers["workspaces.open"]({ path: folder })
        .then(({ workspaceId }) =>
          window.order({ kind: "show", workspaceId, threadKey: null, requestKey: null }),
        )
        .catch(async (error: unknown) => {
          this.#log.warn("A folder could not be opened", { folder, error });
          // Whoever named it in a terminal looks there first.
          process.stderr.write(`holdfast: ${asFault(error).message}\n`);
          if (window.isAlive) await tellOfFault(window.window, error);
        })
        .catch((error: unknown) => this.#log.error("A message could not be shown", { error }));
    });
  }

  #end(exitCode: number, relaunch: Relaunch | null): void {
    if (relaunch) {
      app.relaunch({ args: relaunchArguments(process.argv, this.#runsFromFolder, relaunch.folder) });
    }
    this.#log.close();
    // Everything has been shut down by now; nothing that matters is cut off.
    if (this.#running?.services.canEndInOrder() === false) process.kill(process.pid, "SIGKILL");
    app.exit(exitCode);
  }
}

/** Handlers that keep their object, wherever they are put. */
function bound<Names extends WindowCall>(handlers: Handlers<Names>): Handlers<Names> {
  const names = (Object.keys(calls) as WindowCall[]).filter((name) => name in handlers) as Names[];
  const entries = names.map((name) => [name, handlers[name].bind(handlers)]);
  return Object.fromEntries(entries) as Handlers<Names>;
}
