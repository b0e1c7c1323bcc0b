// One window: its page, the port that serves it, its place on the screen.
//
// Races, and what settles each:
// - The page is loaded again (or for the first time) and asks for a port: it gets a new one. The server of the page before
//   it ends when that page's port has closed, which is after the last thing that the page posted.
// - Something is asked of the window before its page has a port: it waits here, in order.
// - The page crashes while its window is being closed: nothing is loaded any more.
// - The page hangs, and comes back while the person is being asked about it: the question goes away.
// - The page never paints: the window is shown all the same after a while, so that there is something to close.

import { BrowserWindow, dialog, MessageChannelMain, type RenderProcessGoneDetails } from "electron";
import { portChannel } from "../../preload/contract/port";
import type { BridgePort } from "../bridge/port";
import type { PortServer, WindowOrder } from "../bridge/portServer";
import type { Clock, Timer } from "../clock";
import type { Log } from "../log";
import { startPage } from "./appPages";
import { CrashGuard } from "./crashGuard";
import { electronPort } from "./electronPort";
import { smallest, type WindowPlace } from "./placement";

/** Answers the page of a window. `closed`: the page's end of the port has gone. */
export type Serve = (port: BridgePort, window: AppWindow, closed: () => void) => PortServer;

export interface AppWindowOptions {
  id: string;
  place: WindowPlace;
  preload: string;
  devServer: string | null;
  development: boolean;
  dark: boolean;
  /** In percent. */
  textSize: number;
  clock: Clock;
  log: Log;
  moved(place: WindowPlace): void;
  /** The person closes it. False: it stays. */
  mayClose(): boolean;
  closed(): void;
  quit(): void;
  /** The system ends the session (Windows says so to windows). */
  sessionEnds(): void;
}

/** How long a window waits for its page before it is shown without. */
const showAfterMs = 4000;

/** How long the server of a page that is gone goes on for what the page posted last. On a busy machine that may come late. */
const lastWordsMs = 10_000;

const grounds = { light: "#f8fbfc", dark: "#0d1114" };

export class AppWindow {
  readonly id: string;
  readonly window: BrowserWindow;
  readonly #options: AppWindowOptions;
  readonly #crashes = new CrashGuard();
  #server: PortServer | null = null;
  /** The servers of this page and of pages that have just gone, the latter with the end of waiting for them. */
  readonly #serving = new Map<PortServer, Timer | null>();
  #allEnded: () => void = () => {};
  #waiting: WindowOrder[] = [];
  #showTimer: Timer | null = null;
  #hanging: AbortController | null = null;
  #textSize: number;

  constructor(options: AppWindowOptions) {
    this.#options = options;
    this.id = options.id;
    this.#textSize = options.textSize;
    const { x, y, width, height, maximised } = options.place;
    this.window = new BrowserWindow({
      x,
      y,
      width,
      height,
      minWidth: smallest.width,
      minHeight: smallest.height,
      show: false,
      title: "Holdfast",
      backgroundColor: ground(options.dark),
      autoHideMenuBar: true,
      webPreferences: {
        preload: options.preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        navigateOnDragDrop: false,
        zoomFactor: options.textSize / 100,
        devTools: options.development,
        // Elsewhere the spelling checker would load its dictionaries from the network.
        spellcheck: process.platform === "darwin",
      },
    });
    this.#watch(maximised);
    this.#load();
  }

  get isAlive(): boolean {
    return !this.window.isDestroyed();
  }

  /** Gives the page that is being loaded a port, and ends the one of the page before it. */
  connect(serve: Serve): void {
    this.#retire();
    const { port1, port2 } = new MessageChannelMain();
    const server = serve(electronPort(port1), this, () => this.#ended(server));
    this.#server = server;
    this.#serving.set(server, null);
    this.window.webContents.postMessage(portChannel, null, [port2]);
    for (const order of this.#waiting.splice(0)) server.order(order);
  }

  /** What main asks of the page. */
  order(order: WindowOrder): void {
    if (this.#server) this.#server.order(order);
    else this.#waiting.push(order);
  }

  bringUp(): void {
    if (!this.isAlive) return;
    if (this.window.isMinimized()) this.window.restore();
    this.window.show();
    this.window.focus();
  }

  /**
   * Takes the window away for good: it is hidden at once, then its page is unloaded as if the person had closed it.
   * Resolves when everything that the page posted on the way has been received.
   */
  leave(): Promise<void> {
    if (this.isAlive) {
      this.window.hide();
      this.window.close();
    }
    if (this.#serving.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#allEnded = resolve;
    });
  }

  setDark(dark: boolean): void {
    if (this.isAlive) this.window.setBackgroundColor(ground(dark));
  }

  setTextSize(percent: number): void {
    this.#textSize = percent;
    if (this.isAlive) this.window.webContents.setZoomFactor(percent / 100);
  }

  place(): WindowPlace {
    return { ...this.window.getNormalBounds(), maximised: this.window.isMaximized() };
  }

  #load(): void {
    // What goes wrong is told below, where the same is heard of each later load.
    this.window.loadURL(this.#options.devServer ?? startPage).catch(() => undefined);
  }

  #watch(maximised: boolean): void {
    const { window } = this;
    const { log, clock } = this.#options;
    const show = () => {
      this.#showTimer?.cancel();
      this.#showTimer = null;
      if (window.isDestroyed() || window.isVisible()) return;
      if (maximised) window.maximize();
      window.show();
    };
    this.#showTimer = clock.after(showAfterMs, () => {
      log.warn("A window is shown before its page has painted");
      show();
    });
    window.once("ready-to-show", show);

    const moved = () => {
      // A window that is hidden because the app ends may be moved by the system; nobody wanted that.
      if (window.isVisible()) this.#options.moved(this.place());
    };
    window.on("resize", moved);
    window.on("move", moved);
    window.on("maximize", moved);
    window.on("unmaximize", moved);
    window.on("close", (event) => {
      if (!this.#options.mayClose()) event.preventDefault();
    });
    window.on("closed", () => {
      this.#showTimer?.cancel();
      this.#hanging?.abort();
      this.#retire();
      this.#options.closed();
    });
    window.on("session-end", () => this.#options.sessionEnds());
    window.on("unresponsive", () => void this.#askAboutHanging());
    window.on("responsive", () => this.#hanging?.abort());

    const contents = window.webContents;
    contents.on("render-process-gone", (_event, details) => this.#crashed(details));
    // Chromium keeps a size of its own for each address, which a page takes on when it is loaded.
    contents.on("did-navigate", () => this.setTextSize(this.#textSize));
    contents.on("preload-error", (_event, path, error) => log.error("The preload failed", { path, error }));
    contents.on("did-fail-load", (_event, code, description, _url, isMainFrame) => {
      const aborted = code === -3;
      if (isMainFrame && !aborted) log.error("A window's page could not be loaded", { code, description });
    });
  }

  /**
   * The page that was served has gone. What it posted last may still be on its way, and its port closes behind that; in
   * case it does not, there is an end to waiting.
   */
  #retire(): void {
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    const timer = this.#options.clock.after(lastWordsMs, () => {
      server.close();
      this.#ended(server);
    });
    this.#serving.set(server, timer);
  }

  #ended(server: PortServer): void {
    if (this.#server === server) this.#server = null;
    this.#serving.get(server)?.cancel();
    this.#serving.delete(server);
    if (this.#serving.size === 0) this.#allEnded();
  }

  #crashed(details: RenderProcessGoneDetails): void {
    this.#retire();
    this.#hanging?.abort();
    this.#options.log.error("A window's page has crashed", {
      reason: details.reason,
      exitCode: details.exitCode,
    });
    if (!this.isAlive) return;
    if (this.#crashes.crashed(this.#options.clock.nowMs()) === "ask") void this.#askAboutCrashes(details);
    // Not from within the event: Chromium is still taking the old page apart.
    else setImmediate(() => this.#reload());
  }

  #reload(): void {
    if (this.isAlive) this.window.webContents.reload();
  }

  async #askAboutCrashes(details: RenderProcessGoneDetails): Promise<void> {
    this.bringUp();
    const { response } = await dialog.showMessageBox(this.window, {
      type: "error",
      message: "Holdfast's window keeps crashing.",
      detail: `Your agents are not affected. The last crash: ${details.reason}, code ${details.exitCode}. Help > Show Logs has more.`,
      buttons: ["Reload", "Quit Holdfast"],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    if (response === 1) {
      this.#options.quit();
      return;
    }
    this.#crashes.reset();
    this.#reload();
  }

  async #askAboutHanging(): Promise<void> {
    if (this.#hanging || !this.isAlive) return;
    const hanging = new AbortController();
    this.#hanging = hanging;
    this.#options.log.warn("A window's page does not respond");
    const { response } = await dialog.showMessageBox(this.window, {
      type: "warning",
      message: "Holdfast's window does not respond.",
      detail: "Your agents are not affected. You can wait, or load the window again.",
      buttons: ["Wait", "Reload"],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
      signal: hanging.signal,
    });
    this.#hanging = null;
    // Ending its process is the only way to take a page away from itself; it is loaded again as after a crash.
    if (response === 1 && !hanging.signal.aborted && this.isAlive) {
      this.window.webContents.forcefullyCrashRenderer();
    }
  }
}

function ground(dark: boolean): string {
  return dark ? grounds.dark : grounds.light;
}
