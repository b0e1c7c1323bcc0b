// What the desktop shows of Holdfast outside its windows: notifications, the icon in the tray, the count on the app's icon,
// the call for attention.
//
// Races, and what settles each:
// - Many threads change at once: the tray's menu is made anew once for all of them, shortly after.
// - A menu is open while what it lists goes away: its entries still lead where they said, or say why not.

import { isDeepStrictEqual } from "node:util";
import { app, Menu, nativeImage, Tray } from "electron";
import type { NotificationCard, Place } from "../attention/attention";
import type { Outlook } from "../attention/outlook";
import type { Clock, Timer } from "../clock";
import { asFault } from "../fault";
import type { Log } from "../log";
import { Notifications } from "./notifications";
import type { Services } from "./services";
import { countBitmap, trayBitmap } from "./trayIcon";
import { trayMenuTemplate, trayWords } from "./trayMenu";
import type { Windows } from "./windows";

export interface PresenceOptions {
  clock: Clock;
  log: Log;
  services: Services;
  windows: Windows;
  quit(): void;
}

const redrawAfterMs = 250;
const overlaySize = 32;

export class Presence {
  readonly #options: PresenceOptions;
  readonly #notifications: Notifications;
  #tray: Tray | null = null;
  #redraw: Timer | null = null;
  #drawn: { outlook: Outlook; count: number } | null = null;

  constructor(options: PresenceOptions) {
    this.#options = options;
    const { attention } = options.services;
    this.#notifications = new Notifications(options.log, {
      clicked: (id) => attention.clicked(id),
      chosen: (id, decisionId) => attention.chosen(id, decisionId),
      closed: (id) => attention.closed(id),
    });
  }

  /** Shows itself in the tray, where there is one. */
  begin(): void {
    this.#makeTray();
    this.#options.services.backend.topics.openApp(() => this.#redrawSoon());
    this.#draw();
  }

  /** Whether Holdfast can be reached without a window. */
  get hasTray(): boolean {
    return this.#tray !== null;
  }

  show(card: NotificationCard): void {
    this.#notifications.show(card);
    if (!card.isUrgent) return;
    if (process.platform === "darwin") app.dock?.bounce("informational");
    else this.#options.windows.callForAttention();
  }

  withdraw(id: string): void {
    this.#notifications.withdraw(id);
  }

  setBadge(count: number): void {
    app.setBadgeCount(count);
    if (process.platform !== "win32") return;
    const words = count === 1 ? "1 needs you" : `${count} need you`;
    this.#options.windows.setOverlay(
      count === 0 ? null : imageOf(countBitmap(overlaySize, count), overlaySize, 2),
      count === 0 ? "" : words,
    );
  }

  open(place: Place): void {
    const { windows } = this.#options;
    switch (place.kind) {
      case "app":
        windows.bringUp();
        return;
      case "thread":
        windows.show({ ...place, threadKey: place.threadId });
        return;
      case "run":
        windows.showRun(place.runId, place.questionId);
        return;
      default:
        place satisfies never;
    }
  }

  dispose(): void {
    this.#redraw?.cancel();
    this.#tray?.destroy();
    this.#tray = null;
  }

  #makeTray(): void {
    try {
      this.#tray = new Tray(trayImage(0));
      // Where a click does not open the menu, it brings Holdfast up.
      if (process.platform !== "darwin") this.#tray.on("click", () => this.#options.windows.bringUp());
    } catch (error) {
      this.#options.log.warn("There is no tray", { error: asFault(error).message });
    }
  }

  #redrawSoon(): void {
    if (this.#tray === null) return;
    this.#redraw ??= this.#options.clock.after(redrawAfterMs, () => {
      this.#redraw = null;
      this.#draw();
    });
  }

  #draw(): void {
    if (this.#tray === null) return;
    const { services, windows, quit } = this.#options;
    const outlook = services.outlook();
    const count = outlook.needsYou.length;
    if (this.#drawn !== null && isDeepStrictEqual(this.#drawn.outlook, outlook)) return;
    if (this.#drawn?.count !== count) {
      this.#tray.setImage(trayImage(count));
      if (process.platform === "darwin") this.#tray.setTitle(count === 0 ? "" : String(count));
    }
    this.#drawn = { outlook, count };
    this.#tray.setToolTip(trayWords(outlook));
    const template = trayMenuTemplate({
      outlook,
      open: (place) => services.attention.go(place),
      newThread: () => {
        windows.bringUp();
        windows.command("new-thread");
      },
      showHoldfast: () => windows.bringUp(),
      quit,
    });
    this.#tray.setContextMenu(Menu.buildFromTemplate(template));
  }
}

function trayImage(count: number): Electron.NativeImage {
  const isTemplate = process.platform === "darwin";
  const [small, large] = isTemplate ? [18, 36] : process.platform === "win32" ? [16, 32] : [24, 48];
  const image = imageOf(trayBitmap({ size: small, count, isTemplate }), small, 1);
  image.addRepresentation({
    scaleFactor: 2,
    width: large,
    height: large,
    buffer: imageOf(trayBitmap({ size: large, count, isTemplate }), large, 2).toPNG({ scaleFactor: 2 }),
  });
  if (isTemplate) image.setTemplateImage(true);
  return image;
}

function imageOf(bitmap: Buffer, size: number, scaleFactor: number): Electron.NativeImage {
  return nativeImage.createFromBitmap(bitmap, { width: size, height: size, scaleFactor });
}
