// All windows: opening, finding the one that is meant, remembering where they were.

import { randomUUID } from "node:crypto";
import { BrowserWindow, ipcMain, nativeTheme, screen, type WebContents } from "electron";
import type { MenuCommand } from "../../preload/contract";
import { firstLayout } from "../../preload/contract/layout";
import { portRequestChannel } from "../../preload/contract/port";
import type { BridgePort } from "../bridge/port";
import type { PortServer } from "../bridge/portServer";
import type { Clock } from "../clock";
import type { Log } from "../log";
import { isAppAddress } from "./appPages";
import { AppWindow } from "./appWindow";
import { placeBeside, placeWindow } from "./placement";
import type { WindowRecord, WindowRecords } from "./windowRecords";

export interface WindowsOptions {
  preload: string;
  devServer: string | null;
  development: boolean;
  clock: Clock;
  log: Log;
  records: WindowRecords;
  /** In percent. */
  textSize: number;
  serve(port: BridgePort, window: AppWindow, closed: () => void): PortServer;
  /** The last window is about to be closed by the person. False: it stays for now. */
  mayCloseLast(): boolean;
  quit(): void;
  sessionEnds(): void;
}

/** How long pages may take to hand over what they have when the app ends. */
const leaveMs = 1000;

export class Windows {
  readonly #options: WindowsOptions;
  readonly #open = new Map<string, AppWindow>();
  /** The window that was in front last. */
  #front: string | null = null;
  #leaving = false;
  #textSize: number;

  constructor(options: WindowsOptions) {
    this.#options = options;
    this.#textSize = options.textSize;
    ipcMain.on(portRequestChannel, (event) => {
      const window = this.#windowOf(event.sender);
      const frame = event.senderFrame;
      const isOwnPage = frame !== null && frame.parent === null && isAppAddress(frame.url, options.devServer);
      if (window && isOwnPage) window.connect();
      else options.log.warn("A page that is not Holdfast's own asked for a port and was refused");
    });
    nativeTheme.on("updated", () => {
      for (const window of this.#open.values()) window.setDark(nativeTheme.shouldUseDarkColors);
    });
  }

  get count(): number {
    return this.#open.size;
  }

  shownWorkspaces(): ReadonlySet<string> {
    const { records } = this.#options;
    const shown = [...this.#open.keys()].map((id) => records.get(id).layout.workspaceId);
    return new Set(shown.filter((id) => id !== null));
  }

  /** The windows of last time, or a first one. */
  openRemembered(): void {
    const records = this.#options.records.load();
    for (const record of records) this.#openRecord(record);
    if (records.length === 0) this.openNew();
  }

  /** A new window, like the one in front but beside it. */
  openNew(): AppWindow {
    const { records } = this.#options;
    const unused = this.count === 0 ? records.unused(new Set(this.#open.keys())) : null;
    if (unused) return this.#openRecord(unused);
    const front = this.front();
    const record: WindowRecord = front
      ? {
          id: randomUUID(),
          place: placeBeside(front.place()),
          layout: { ...records.get(front.id).layout, threadKey: null },
        }
      : { id: randomUUID(), place: null, layout: firstLayout };
    records.update(record.id, record);
    return this.#openRecord(record);
  }

  /** The window in front, or that was in front last. */
  front(): AppWindow | null {
    const focused = BrowserWindow.getFocusedWindow();
    const windows = [...this.#open.values()];
    return (
      windows.find((window) => window.window === focused) ??
      (this.#front === null ? undefined : this.#open.get(this.#front)) ??
      windows.at(-1) ??
      null
    );
  }

  /** The window in front, or a new one when there is none; brought up. */
  bringUp(): AppWindow {
    const front = this.front();
    if (!front) return this.openNew();
    front.bringUp();
    return front;
  }

  setTextSize(percent: number): void {
    this.#textSize = percent;
    for (const window of this.#open.values()) window.setTextSize(percent);
  }

  command(command: MenuCommand): void {
    (this.front() ?? this.openNew()).order({ kind: "command", command });
  }

  /** Shows a workspace (and a thread of it) in the window in front. */
  show(target: { workspaceId: string; threadKey: string | null }): void {
    this.bringUp().order({ kind: "show", ...target });
  }

  showRun(runId: string): void {
    this.bringUp().order({ kind: "show run", runId });
  }

  /**
   * Takes all windows away because the app ends. They stay remembered. Resolves when their pages have handed over what
   * they still had, or after a second.
   */
  async leave(): Promise<void> {
    this.#leaving = true;
    const pages = [...this.#open.values()].map((window) => window.leave());
    await new Promise<void>((resolve) => {
      const timer = this.#options.clock.after(leaveMs, resolve);
      void Promise.all(pages).then(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  #windowOf(contents: WebContents): AppWindow | null {
    return [...this.#open.values()].find((window) => window.window.webContents === contents) ?? null;
  }

  #openRecord(record: WindowRecord): AppWindow {
    const { records, mayCloseLast, ...options } = this.#options;
    const { id } = record;
    const window = new AppWindow({
      ...options,
      id,
      place: placeWindow(record.place, workAreas()),
      textSize: this.#textSize,
      dark: nativeTheme.shouldUseDarkColors,
      moved: (place) => records.update(id, { place }),
      mayClose: () => this.#leaving || this.count > 1 || mayCloseLast(),
      closed: () => {
        this.#open.delete(id);
        if (!this.#leaving) records.close(id);
      },
    });
    window.window.on("focus", () => {
      this.#front = id;
    });
    this.#open.set(id, window);
    return window;
  }
}

function workAreas() {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== main.id);
  return [main, ...others].map((display) => display.workArea);
}
