// Where Holdfast keeps its own data: one folder that nobody else may read, and nothing outside it.

import { accessSync, chmodSync, constants, mkdirSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { Fault } from "../fault";

export interface Home {
  path: string;
  ledger: string;
  logs: string;
  mainLog: string;
  attachments: string;
  /** Electron's and Chromium's own files. */
  electron: string;
}

/** `appData` is the platform's folder for the data of apps. */
export function locateHome(
  env: Readonly<Record<string, string | undefined>>,
  appData: string,
  workingFolder: string,
): Home {
  const given = env.HOLDFAST_HOME;
  const path = given
    ? isAbsolute(given)
      ? resolve(given)
      : resolve(workingFolder, given)
    : join(appData, "Holdfast");
  const logs = join(path, "logs");
  return {
    path,
    ledger: join(path, "holdfast.db"),
    logs,
    mainLog: join(logs, "main.log"),
    attachments: join(path, "attachments"),
    electron: join(path, "electron"),
  };
}

/** Makes the folders, closed to other users. Throws Fault `home_unusable`. */
export function prepareHome(home: Home): void {
  try {
    for (const folder of [home.path, home.logs, home.attachments, home.electron]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (process.platform !== "win32" && (statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    }
  } catch (error) {
    throw new Fault("home_unusable", `Holdfast cannot use its folder ${home.path}.`, {
      hint: "Make it a folder that you can write to, or name another one in HOLDFAST_HOME.",
      detail: error instanceof Error ? error.message : String(error),
      cause: error,
    });
  }
}
