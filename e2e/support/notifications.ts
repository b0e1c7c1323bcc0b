// The notifications and the tray's menu of a Holdfast under test, as its desktop would have them.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, type Holdfast, type LaunchOptions, type Sandbox } from "./app";
import { askedAgain } from "./askedAgain";

const spy = path.join(import.meta.dirname, "notificationCentre.cjs");

interface Centre {
  shown: { notification: { emit(event: string): void }; title: string }[];
  menu: { items: { label: string; click(): void }[] } | null;
}

export interface SeenNotification {
  title: string;
  body: string;
  /** It has not been taken away. */
  isThere: boolean;
}

export class Desktop {
  readonly holdfast: Holdfast;
  readonly #file: string;

  private constructor(holdfast: Holdfast, file: string) {
    this.holdfast = holdfast;
    this.#file = file;
  }

  static async launch(sandbox: Sandbox, name: string, options: LaunchOptions): Promise<Desktop> {
    const file = path.join(sandbox.temporary, `${name}.json`);
    const environment = { ...options.environment, HOLDFAST_TEST_NOTIFICATIONS: file };
    return new Desktop(await sandbox.launch({ ...options, environment, preloads: [spy] }), file);
  }

  /** All that were ever shown, the oldest first. */
  async notifications(): Promise<SeenNotification[]> {
    return (await this.#read()).shown;
  }

  /** The entries of the tray's menu. */
  async tray(): Promise<string[]> {
    return (await this.#read()).tray;
  }

  async click(title: string): Promise<void> {
    await this.holdfast.app.evaluate((_electron, wanted) => {
      const { notificationCentre } = globalThis as unknown as { notificationCentre: Centre };
      const entry = notificationCentre.shown.findLast((each) => each.title === wanted);
      if (!entry) throw new Error(`There is no notification with the title ${wanted}.`);
      entry.notification.emit("click");
    }, title);
  }

  /** Once it is there: the menu is drawn anew a moment after something has changed. */
  async pickInTray(label: string): Promise<void> {
    await expect.poll(() => this.tray(), "the tray's menu").toContain(label);
    await this.holdfast.app.evaluate((_electron, wanted) => {
      const { notificationCentre } = globalThis as unknown as { notificationCentre: Centre };
      const item = notificationCentre.menu?.items.find((each) => each.label === wanted);
      if (!item) throw new Error(`The tray has no entry ${wanted}.`);
      item.click();
    }, label);
  }

  /** The first window of Holdfast's has the keyboard, or none has. */
  async look(where: "here" | "away"): Promise<void> {
    await this.holdfast.ready();
    await askedAgain(async () => {
      const window = await this.holdfast.app.browserWindow(this.holdfast.page);
      await window.evaluate((own, there) => (there === "here" ? own.focus() : own.blur()), where);
    });
    await expect.poll(async () => (await this.#read()).isFocused).toBe(where === "here");
  }

  async #read(): Promise<{ shown: SeenNotification[]; tray: string[]; isFocused: boolean }> {
    if (!existsSync(this.#file)) return { shown: [], tray: [], isFocused: false };
    return JSON.parse(await readFile(this.#file, "utf8"));
  }
}
