// All windows: opening, finding the one that is meant, remembering where they were.

import { randomUUID } from "node:crypto";
import {
  BrowserWindow,
  type IpcMainEvent,
  ipcMain,
  type NativeImage,
  nativeTheme,
  screen,
  type WebContents,
} from "electron";
import type { MenuCommand } from "../../preload/contract";
import { firstLayout } from "../../preload/contract/layout";
import { pageBeginsChannel, portRequestChannel } from "../../preload/contract/port";
import type { LookedAt } from "../bridge/attentionParts";
import type { WindowFacts } from "../bridge/diagnostics/rawDiagnostics";
import type { Clock } from "../clock";
import type { Log } from "../log";
import { isAppAddress } from "./appPages";
import { AppWindow, type Serve } from "./appWindow";
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
  /** The last window is about to be closed by the person. False: it stays for now. */
  mayCloseLast(): boolean;
  /** Another window is in front, or none. */
  looked(): void;
  quit(): void;
  sessionEnds(): void;
}

export class Windows {
  readonly #options: WindowsOptions;
  readonly #open = new Map<string, AppWindow>();
  /** The window that was in front last. */
  #front: string | null = null;
  /** Answers pages; null: there is nobody yet. */
  #serve: Serve | null = null;
  /** Their pages wait for that. */
  readonly #unserved = new Set<AppWindow>();
  #leaving = false;
  #textSize: number;
  /** The windows of last time have not been opened yet. */
  #areHeld = false;
  #overlay: { icon: NativeImage | null; words: string } = { icon: null, words: "" };

  constructor(options: WindowsOptions) {
    this.#options = options;
    this.#textSize = options.textSize;
    ipcMain.on(portRequestChannel, (event) => {
      const window = this.#ownPage(event);
      if (window) this.#connect(window);
      else options.log.warn("A page that is not Holdfast's own asked for a port and was refused");
    });
    nativeTheme.on("updated", () => {
      for (const window of this.#open.values()) window.setDark(nativeTheme.shouldUseDarkColors);
    });
  }

  /** Tells of each page of the app's own whose script has arrived and runs. */
  onPageBegins(listener: () => void): void {
    ipcMain.on(pageBeginsChannel, (event) => {
      if (this.#ownPage(event)) listener();
    });
  }

  #ownPage({ sender, senderFrame: frame }: IpcMainEvent): AppWindow | null {
    const isOwn = frame !== null && frame.parent === null && isAppAddress(frame.url, this.#options.devServer);
    return isOwn ? this.#windowOf(sender) : null;
  }

  /** From now on pages get answers, also those that have asked already. */
  serveWith(serve: Serve): void {
    this.#serve = serve;
    for (const window of this.#unserved) this.#connect(window);
    this.#unserved.clear();
  }

  #connect(window: AppWindow): void {
    if (this.#serve === null) this.#unserved.add(window);
    else if (window.isAlive) window.connect(this.#serve);
  }

  get count(): number {
    return this.#open.size;
  }

  shownWorkspaces(): ReadonlySet<string> {
    const { records } = this.#options;
    const shown = [...this.#open.keys()].map((id) => records.get(id).layout.workspaceId);
    return new Set(shown.filter((id) => id !== null));
  }

  facts(): WindowFacts[] {
    const { records } = this.#options;
    return [...this.#open.values()].map(({ id, window }) => {
      const { page, workspaceId } = records.get(id).layout;
      const state = window.isMinimized() ? "minimised" : window.isVisible() ? "shown" : "hidden";
      return { id, state: window.isFocused() ? `${state}, in front` : state, page, workspaceId };
    });
  }

  /** The windows of last time, or a first one. Gives the last of them. */
  openRemembered(): AppWindow {
    this.#areHeld = false;
    // A Mac may have brought one up before, out of a start that was to be out of sight.
    const opened = this.#options.records
      .load()
      .map((record) => this.#open.get(record.id) ?? this.#openRecord(record));
    return opened.at(-1) ?? this.openNew();
  }

  /** The same, when somebody asks for a window. */
  hold(): void {
    this.#areHeld = true;
  }

  /** What the person looks at; null: no window of ours has the keyboard. */
  inFront(): LookedAt | null {
    const focused = BrowserWindow.getFocusedWindow();
    const window = [...this.#open.values()].find((each) => each.window === focused);
    if (!window?.window.isVisible() || window.window.isMinimized()) return null;
    const { page, threadKey, cells } = this.#options.records.get(window.id).layout;
    return {
      threadKey: page === "threads" ? threadKey : null,
      runId: page === "cells" ? cells.runId : null,
    };
  }

  /** A new window, like the one in front but beside it. */
  openNew(): AppWindow {
    const { records } = this.#options;
    if (this.#areHeld) return this.openRemembered();
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
    // It is drawn by another process while it is written down; a first one, which shows nothing yet, need not be at once.
    const opened = this.#openRecord(record);
    records.update(record.id, front ? record : { place: null });
    return opened;
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

  /** Shows a thread, and the card of what it asks, where it is shown already, or else in the window in front. */
  show(target: { workspaceId: string; threadKey: string; requestKey: string | null }): void {
    const { workspaceId, threadKey, requestKey } = target;
    const { records } = this.#options;
    const showing = [...this.#open.values()].find(({ id }) => {
      const { layout } = records.get(id);
      return layout.page === "threads" && layout.threadKey === threadKey;
    });
    const window = showing ?? this.front() ?? this.openNew();
    window.bringUp();
    window.order({ kind: "show", workspaceId, threadKey, requestKey });
  }

  showRun(runId: string, questionId: string | null): void {
    this.bringUp().order({ kind: "show run", runId, questionId });
  }

  /** Something waits for the person, and no window of ours has the keyboard. */
  callForAttention(): void {
    if (BrowserWindow.getFocusedWindow() === null) this.front()?.window.flashFrame(true);
  }

  /** On each window's button in the task bar, also of those that are opened later. */
  setOverlay(icon: NativeImage | null, words: string): void {
    this.#overlay = { icon, words };
    for (const { window } of this.#open.values()) window.setOverlayIcon(icon, words);
  }

  /**
   * Takes all windows away because the app ends. They stay remembered. Resolves when their pages have handed over what
   * they still had, or after this time.
   */
  async leave(mostMs: number): Promise<void> {
    this.#leaving = true;
    const pages = [...this.#open.values()].map((window) => window.leave());
    await new Promise<void>((resolve) => {
      const timer = this.#options.clock.after(mostMs, resolve);
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
      window.window.flashFrame(false);
      this.#options.looked();
    });
    this.#open.set(id, window);
    if (this.#overlay.icon) window.window.setOverlayIcon(this.#overlay.icon, this.#overlay.words);
    return window;
  }
}

function workAreas() {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== main.id);
  return [main, ...others].map((display) => display.workArea);
}
