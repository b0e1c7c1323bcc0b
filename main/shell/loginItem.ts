// Starting at login, on the platform that Holdfast runs on.

import { app } from "electron";
import { hiddenSwitch } from "./commandLine";
import { type LinuxLoginOptions, refreshLinuxLoginItem, setLinuxLoginItem } from "./openAtLogin";

/** From a folder with sources, a Mac or Windows would start Electron and not Holdfast. */
export function canOpenAtLogin(): boolean {
  return process.platform === "linux" || app.isPackaged;
}

/** Throws Fault `login_item_failed`. */
export function setOpenAtLogin(isOn: boolean): void {
  if (process.platform === "linux") setLinuxLoginItem(linuxOptions(), isOn);
  else app.setLoginItemSettings({ openAtLogin: isOn, args: [hiddenSwitch] });
}

export function refreshLoginItem(): void {
  if (process.platform === "linux") refreshLinuxLoginItem(linuxOptions());
}

function linuxOptions(): LinuxLoginOptions {
  const { APPIMAGE, HOLDFAST_HOME } = process.env;
  const program = APPIMAGE ?? process.execPath;
  const folder = process.defaultApp ? [app.getAppPath()] : [];
  return {
    environment: process.env,
    ownHome: HOLDFAST_HOME ?? null,
    item: {
      command: [program, ...folder, hiddenSwitch],
      variables: HOLDFAST_HOME ? { HOLDFAST_HOME } : {},
    },
  };
}
