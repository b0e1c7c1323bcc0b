// The running app: brings the backend, the windows and the operating system together.
//
// Races, and what settles each:
// - A folder is handed over before pages are served: it waits until they are.
// - A page asks for its port before the backend has started: it gets it then. The backend is started when the first page
//   begins, or after a while when none does.
// - Quit comes while the backend is still starting: shutting down waits for the start, within its deadline, and then shuts
//   down what was started. No window is opened any more.
// - The first page never says that it has drawn (it hangs, it is closed): what waits for that begins after a while.
// - The app ends while a page still has something to hand over (the last words of a draft): its window is closed first,
//   and only then is the backend shut down, or after a second.

import { app, Menu, nativeTheme, powerMonitor, powerSaveBlocker, protocol, session, shell } from "electron";
import type { Layout } from "../../preload/contract/layout";
import { systemClock, type Timer } from "../clock";
import { asFault } from "../fault";
import { appScheme, developmentServer } from "./appPages";
import type { AppWindow, Serve } from "./appWindow";
import { Attachments } from "./attachments";
import { relaunchArguments } from "./commandLine";
import { askAboutWork, tellOfFailure, tellOfFault } from "./dialogs";
import { electronDesktop, electronImages, openLink } from "./electronDesktop";
import { electronUpdater, hasUpdateFeed, updateDialogs } from "./electronUpdates";
import { Ending } from "./ending";
import { guardContents, guardSession, type PageOptions } from "./guardedSession";
import { type HandOver, handOverSchema } from "./handOver";
import type { Home } from "./home";
import { KeepAwake } from "./keepAwake";
import { platformKeyStore } from "./keyStore";
import type { OpenWork, Relaunch, WorkChoice } from "./lifecycle";
import { canOpenAtLogin, refreshLoginItem, setOpenAtLogin } from "./loginItem";
import { MainLog } from "./mainLog";
import { menuTemplate } from "./menu";
import { Notifications } from "./notifications";
import { answerOnRecord } from "./openWork";
import { Presence } from "./presence";
import { catchFailures, takeSignals } from "./processEvents";
import type { Opened, Services, ShellContext, ShellOptions } from "./services";
import type { ServingOptions } from "./serving";
import { Thumbnails } from "./thumbnails";
import { Updates } from "./updates";
import { WindowRecords } from "./windowRecords";
import { Windows } from "./windows";

/** How much of the time in which the app has to end its pages may take to hand over what they have: words that were just typed. */
const shareOfPages = 0.25;

/** How long what the first window need not wait for is held back when that window does not say that it is drawn. */
const drawnWithinMs = 3_000;

/**
 * How long the backend waits for the first page to begin. Whatever main does before that keeps the page from its script; while
 * the script runs, in a process of its own, main is free.
 */
const pageWithinMs = 500;

interface Running {
  services: Services;
  presence: Presence;
  keepAwake: KeepAwake;
}

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
  #shown: { windows: Windows; records: WindowRecords } | null = null;
  #running: Running | null = null;
  /** What the first window need not wait for and has not been done, step by step; and when it begins at the latest. */
  #rest: { steps: (() => void)[]; timer: Timer } | null = null;
  #workFound = () => {};
  /** Null: it is known what is at work. */
  #untilWorkIsKnown: Promise<void> | null;
  /** Started at login, out of sight. */
  #isHidden = false;
  /** What the app's icon shows; it can be shown once Electron is ready. */
  #badge = 0;
  /** What was asked for before there was anything to ask. */
  #waiting: ((running: Running) => void)[] = [];

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
    this.#untilWorkIsKnown = new Promise((resolve) => {
      this.#workFound = () => {
        this.#untilWorkIsKnown = null;
        resolve();
      };
    });
    this.#ending = new Ending({
      clock: this.#clock,
      log: this.#log,
      openWork: () => this.#running?.services.openWork() ?? null,
      untilWorkIsKnown: () => this.#workKnown(),
      ask: (work, withdrawn) => this.#ask(work, withdrawn),
      bringUp: () => this.#shown?.windows.bringUp(),
      open: (asked) => this.#openFolder(asked),
      shutDown: async (request) => {
        // Chromium takes away its own files only if it has finished starting: when its loop runs.
        await app.whenReady().then(() => new Promise((resolve) => setImmediate(resolve)));
        this.#running?.presence.dispose();
        this.#running?.keepAwake.dispose();
        this.#rest?.timer.cancel();
        await this.#shown?.windows.leave(request.deadlineMs * shareOfPages);
        this.#shown?.records.finish();
        // Why it could not start has been said already.
        const services = await this.#starting?.catch(() => null);
        await services?.shutDown(request);
      },
      tell: async (failure) => {
        await app.whenReady();
        await tellOfFailure(failure, this.#shown !== null, this.#home.mainLog);
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

    // Otherwise Electron makes one of its own, which nobody sees.
    if (process.platform !== "darwin") Menu.setApplicationMenu(null);
    const fail = (error: unknown) => {
      this.#log.error("Holdfast could not start", { error });
      this.#ending.fail(error);
    };
    let opened: Opened;
    try {
      opened = this.#options.open({ home: this.#home, log: this.#log, clock: this.#clock });
    } catch (error) {
      fail(error);
      return;
    }
    app.whenReady().then(() => this.#ready(opened, fail), fail);
  }

  #context(): ShellContext {
    return {
      home: this.#home,
      log: this.#log,
      clock: this.#clock,
      keyStore: platformKeyStore,
      setTheme: (theme) => {
        nativeTheme.themeSource = theme;
      },
      setTextSize: (percent) => this.#shown?.windows.setTextSize(percent),
      setBadge: (count) => {
        this.#badge = count;
        this.#running?.presence.setBadge(count);
      },
      openLink,
      shownWorkspaces: () => this.#shown?.windows.shownWorkspaces() ?? new Set(),
      windows: () => this.#shown?.windows.facts() ?? [],
      desktop: {
        inFront: () => this.#shown?.windows.inFront() ?? null,
        showNotification: (card) => this.#whenRunning(({ presence }) => presence.show(card)),
        withdrawNotification: (id) => this.#whenRunning(({ presence }) => presence.withdraw(id)),
        open: (place) => this.#whenRunning(({ presence }) => presence.open(place)),
        openAtLogin: setOpenAtLogin,
      },
    };
  }

  async #ask(work: OpenWork, withdrawn: AbortSignal): Promise<WorkChoice | "cancel"> {
    const answer = answerOnRecord(this.#running?.services.quitting() ?? "ask", work);
    return answer ?? askAboutWork(this.#shown?.windows.front()?.window ?? null, work, withdrawn);
  }

  #ready(opened: Opened, fail: (error: unknown) => void): void {
    takeSignals(this.#endBySignal);
    if (!this.#ending.isRunning) return;
    nativeTheme.themeSource = opened.theme;
    guardSession(session.defaultSession, this.#pages);
    const records = new WindowRecords(opened.windows, this.#clock, this.#log);
    const windows = new Windows({
      preload: this.#options.preload,
      devServer: this.#pages.devServer,
      development: !app.isPackaged,
      clock: this.#clock,
      log: this.#log,
      records,
      textSize: opened.textSize,
      mayCloseLast: () => this.#mayCloseLast(),
      looked: () => this.#running?.services.attention.looked(),
      quit: () => this.#ending.quit("person"),
      sessionEnds: () => this.#ending.quit("session end"),
    });
    this.#shown = { windows, records };
    let isStarted = false;
    const start = () => {
      timer.cancel();
      if (isStarted || !this.#ending.isRunning) return;
      isStarted = true;
      this.#starting = opened.start(this.#context());
      Promise.all([this.#starting, import("./serving")]).then(
        ([services, { serving }]) =>
          this.#started(services, windows, records, (options) =>
            serving({ clock: this.#clock, log: this.#log, services, ...options }),
          ),
        fail,
      );
    };
    const timer = this.#clock.after(pageWithinMs, start);
    // A window takes a while to be made, by processes of its own, so it is asked for first.
    windows.onPageBegins(start);
    if (this.#isHidden) start();
    else windows.openRemembered();
  }

  #started(
    services: Services,
    windows: Windows,
    records: WindowRecords,
    serving: (options: Pick<ServingOptions, "desktopOf">) => Serve,
  ): void {
    if (!this.#ending.isRunning) return;
    this.#log.info("The backend has started", { codeCache: { ...this.#options.codeCache } });
    const presence = new Presence({
      clock: this.#clock,
      log: this.#log,
      services,
      windows,
      quit: () => this.#ending.quit("person"),
    });
    const keepAwake = new KeepAwake({ clock: this.#clock, services, blocker: powerSaveBlocker });
    const running = { services, presence, keepAwake };
    this.#running = running;
    void services.workFound.then(() => this.#workFound());
    presence.setBadge(this.#badge);
    powerMonitor.on("resume", () => {
      this.#log.info("The machine has woken up");
      services.resumed();
    });
    powerMonitor.on("shutdown", (event?: { preventDefault?(): void }) => {
      // Linux and macOS wait for the app to end when asked to.
      event?.preventDefault?.();
      this.#ending.quit("session end");
    });
    const updates = hasUpdateFeed() ? this.#updates(windows) : null;
    this.#rest = {
      steps: this.#restOf(running, windows, updates),
      timer: this.#clock.after(drawnWithinMs, () => this.#drawn()),
    };
    windows.serveWith(serving({ desktopOf: (window) => this.#desktopOf(window, services, records) }));
    // The tray is all that is to be seen, or if there is none, windows all the same.
    if (this.#isHidden) {
      this.#finishStart();
      if (this.#staysInTray) windows.hold();
      else windows.openRemembered();
    }
    for (const task of this.#waiting.splice(0)) task(running);
  }

  /** A window shows what there is to see: now the rest may take the machine's time, and leaves some to the window. */
  #drawn(): void {
    this.#rest?.timer.cancel();
    const step = this.#ending.isRunning ? this.#rest?.steps.shift() : undefined;
    if (!step) return;
    step();
    setImmediate(() => this.#drawn());
  }

  /** For what cannot do without the rest. */
  #finishStart(): void {
    this.#rest?.timer.cancel();
    for (const step of this.#rest?.steps.splice(0) ?? []) if (this.#ending.isRunning) step();
  }

  #restOf(running: Running, windows: Windows, updates: Updates | null): (() => void)[] {
    const { services, presence, keepAwake } = running;
    return [
      () => this.#setMenu(windows, updates),
      () => services.begin(),
      () => presence.begin(),
      () => keepAwake.begin(),
      () => updates?.begin(),
      () => this.#refreshLoginItem(),
    ];
  }

  #desktopOf({ id, window }: AppWindow, services: Services, records: WindowRecords) {
    return {
      desktop: electronDesktop(window),
      home: this.#home,
      attachments: this.#attachments,
      thumbnails: this.#thumbnails,
      nowMs: () => this.#clock.nowMs(),
      layout: () => records.get(id).layout,
      remember: (layout: Layout) => {
        records.update(id, { layout });
        services.attention.looked();
      },
      abilities: () => {
        this.#finishStart();
        return {
          notifications: Notifications.areSupported,
          tray: this.#running?.presence.hasTray ?? false,
          openAtLogin: canOpenAtLogin(),
        };
      },
      openWindow: () => void this.#shown?.windows.openNew(),
      closeWindow: () => window.close(),
      quit: () => this.#ending.quit("person"),
      about: () => app.showAboutPanel(),
      drawn: () => this.#drawn(),
    };
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
      if (this.#ending.isRunning) this.#shown?.windows.bringUp();
    });
    app.on("before-quit", (event) => {
      if (this.#ending.hasEnded) return;
      event.preventDefault();
      this.#ending.quit("person");
    });
    app.on("window-all-closed", () => {
      this.#finishStart();
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
  #workKnown(): Promise<void> | null {
    const look = () => this.#running?.services.lookAtTerminals() ?? null;
    const found = this.#untilWorkIsKnown;
    return found === null ? look() : found.then(async () => void (await look()));
  }

  #mayCloseLast(): boolean {
    this.#finishStart();
    if (process.platform === "darwin" || this.#staysInTray || !this.#ending.isRunning) return true;
    // Not from within the closing of the very window that ending takes away.
    setImmediate(() => this.#ending.quit("person"));
    return false;
  }

  #whenRunning(task: (running: Running) => void): void {
    if (this.#running) task(this.#running);
    else this.#waiting.push(task);
  }

  #openFolder(folder: string | null): void {
    this.#whenRunning(({ services }) => {
      const window = this.#shown?.windows.bringUp();
      if (!window) return;
      if (folder === null) return;
      services.backend.handlers["workspaces.open"]({ path: folder })
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
