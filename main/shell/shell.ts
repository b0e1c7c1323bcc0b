// The desktop app around the backend: starts it, gives it windows, ends it. main/app.ts calls `startShell` and says what
// the backend is; everything of Electron is in this folder.
//
// A race, and what settles it: the app is started twice for one home. The second hands its folder to the first and ends
// before it has touched anything of the home's.

import { statSync } from "node:fs";
import { app } from "electron";
import { asFault } from "../fault";
import { helpText, parseCommandLine, userArguments } from "./commandLine";
import { DesktopApp } from "./desktopApp";
import type { HandOver } from "./handOver";
import { locateHome, prepareHome } from "./home";
import type { ShellOptions } from "./services";

/** Call it first, and do not await it at the top level: Electron is not ready before the top level has run. */
export function startShell(options: ShellOptions): void {
  const runsFromFolder = process.defaultApp === true;
  const command = parseCommandLine(userArguments(process.argv, runsFromFolder), process.cwd());
  switch (command.kind) {
    case "version":
      leave(`holdfast ${options.version}\n`, 0);
      return;
    case "help":
      leave(helpText, 0);
      return;
    case "error":
      leave(`holdfast: ${command.message}\n\n${helpText}`, 2);
      return;
    case "open":
      open(options, command, runsFromFolder);
      return;
    default: {
      const unknown: never = command;
      throw new Error(`A command line that is not known: ${JSON.stringify(unknown)}`);
    }
  }
}

function leave(words: string, exitCode: number): void {
  (exitCode === 0 ? process.stdout : process.stderr).write(words);
  app.exit(exitCode);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // It is there and may not be looked at from here: the one that opens it says so.
    return true;
  }
}

function open(options: ShellOptions, { folder, hidden }: HandOver, runsFromFolder: boolean): void {
  const home = locateHome(process.env, app.getPath("appData"), process.cwd());
  try {
    prepareHome(home);
  } catch (error) {
    const fault = asFault(error);
    leave(`holdfast: ${fault.message} ${fault.hint ?? ""}\n${fault.detail ?? ""}\n`, 1);
    return;
  }
  // Before anything of Chromium starts, so that it writes nowhere else.
  app.setPath("userData", home.electron);
  app.setPath("crashDumps", `${home.electron}/crashes`);
  app.setName("Holdfast");
  // As the installer names it; without it Windows shows no notifications.
  if (process.platform === "win32") app.setAppUserModelId("dev.holdfast.app");
  if (!app.requestSingleInstanceLock({ folder, hidden } satisfies HandOver)) {
    // The one that runs says it in its window; whoever typed it looks here.
    if (folder !== null && !isFolder(folder)) leave(`holdfast: There is no folder ${folder}.\n`, 1);
    else leave("Holdfast is running already and takes over from here.\n", 0);
    return;
  }
  new DesktopApp(options, home, runsFromFolder).run({ folder, hidden });
}
