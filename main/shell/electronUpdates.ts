// New versions as electron-updater finds and installs them, and what the person is asked about them.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { app, type BrowserWindow, type ClientRequest, dialog } from "electron";
import { asFault } from "../fault";
import type { Log } from "../log";
import type { Updater, UpdateWords } from "./updates";

/** electron-builder writes this file beside the app when it is told of a feed. */
export function hasUpdateFeed(): boolean {
  return app.isPackaged && existsSync(join(process.resourcesPath, "app-update.yml"));
}

export function electronUpdater(log: Log): Updater {
  /** Of what is under way. */
  const requests: ClientRequest[] = [];
  const load = async () => {
    const { default: module } = await import("electron-updater");
    const { autoUpdater } = module;
    autoUpdater.autoDownload = false;
    autoUpdater.autoInstallOnAppQuit = true;
    autoUpdater.allowDowngrade = false;
    remember(autoUpdater, requests);
    autoUpdater.logger = {
      info: () => {},
      warn: (message: unknown) => log.warn("updater", { message: String(message) }),
      error: (message: unknown) => log.warn("updater", { message: String(message) }),
    };
    return autoUpdater;
  };
  let loading: ReturnType<typeof load> | null = null;
  const updater = () => {
    loading ??= load();
    return loading;
  };
  return {
    async newer() {
      requests.length = 0;
      const found = await (await updater()).checkForUpdates();
      return found?.isUpdateAvailable ? found.updateInfo.version : null;
    },
    async download(came) {
      requests.length = 0;
      const autoUpdater = await updater();
      autoUpdater.on("download-progress", came);
      try {
        await autoUpdater.downloadUpdate();
      } finally {
        autoUpdater.off("download-progress", came);
      }
    },
    giveUp() {
      for (const request of requests.splice(0)) {
        request.abort();
        request.emit("error", new Error("It was given up."));
      }
    },
  };
}

/**
 * electron-updater can end no request for a look, waits for its answer without a limit under Electron, and answers every later
 * look with the one that goes on. So the requests that it makes are kept here.
 */
function remember(autoUpdater: object, requests: ClientRequest[]): void {
  const { httpExecutor } = autoUpdater as {
    httpExecutor: { createRequest(...args: unknown[]): ClientRequest };
  };
  const create = httpExecutor.createRequest.bind(httpExecutor);
  httpExecutor.createRequest = (...args) => {
    const request = create(...args);
    requests.push(request);
    return request;
  };
}

export function updateDialogs(front: () => BrowserWindow | null): UpdateWords {
  const ask = async (message: string, detail: string, buttons: string[]): Promise<number> => {
    const options = {
      type: "info" as const,
      message,
      detail,
      buttons,
      defaultId: 0,
      cancelId: buttons.length - 1,
      noLink: true,
    };
    const window = front();
    const { response } = await (window
      ? dialog.showMessageBox(window, options)
      : dialog.showMessageBox(options));
    return response;
  };
  return {
    async offer(version) {
      const detail = `You have ${app.getVersion()}. It is installed when Holdfast is quit; nothing that runs is cut off.`;
      return (await ask(`Holdfast ${version} is there.`, detail, ["Download", "Not Now"])) === 0;
    },
    async ready(version) {
      const detail = "It takes the place of this one when Holdfast is quit: now, or whenever you do.";
      return (await ask(`Holdfast ${version} is ready.`, detail, ["Quit Now", "Later"])) === 0;
    },
    async nothingNew() {
      await ask("You have the newest version.", `This is Holdfast ${app.getVersion()}.`, ["OK"]);
    },
    async failed(error) {
      const detail = `${asFault(error).message}\n\nThis version goes on as it is. Try again later.`;
      await ask("A new version could not be had.", detail, ["OK"]);
    },
  };
}
