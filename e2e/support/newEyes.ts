// Playwright is done with a page that has crashed, also when it has come back: it is looked at through another connection.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { chromium, type ElectronApplication, expect, type Page } from "@playwright/test";

export interface NewEyes {
  page: Page;
  close(): Promise<void>;
}

/** Of the app with this HOLDFAST_HOME and one window; once its page is there again. */
export async function openNewEyes(app: ElectronApplication, home: string): Promise<NewEyes> {
  await untilLoaded(app);
  const file = path.join(home, "electron", "DevToolsActivePort");
  const [port] = (await readFile(file, "utf8")).split("\n");
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const pages = () => browser.contexts().flatMap((context) => context.pages());
  await expect.poll(() => pages().length, { message: "pages of the app", timeout: 15_000 }).toBe(1);
  const [page] = pages();
  if (!page) throw new Error("the app has no page");
  return { page, close: () => browser.close() };
}

/** As main sees it: the page of the one window is there. */
export async function untilLoaded(app: ElectronApplication): Promise<void> {
  await expect
    .poll(
      () =>
        app.evaluate(({ BrowserWindow }) =>
          BrowserWindow.getAllWindows().map(
            ({ webContents }) => !webContents.isCrashed() && !webContents.isLoading(),
          ),
        ),
      { message: "the page is loaded", timeout: 15_000 },
    )
    .toEqual([true]);
}
