// The desktop app around the backend: starts it, gives it windows, ends it. main/index.ts calls `startShell` and says what
// the backend is; everything of Electron is in this folder.
//
// A race, and what settles it: the app is started twice for one home. The second hands its folder to the first and ends
// before it has touched anything of the home's.

import { app } from "electron";
import type { Settings } from "../../preload/contract/app";
import type { Backend } from "../bridge/backend";
import type { Clock } from "../clock";
import { asFault } from "../fault";
import type { Log } from "../log";
import { helpText, parseCommandLine, userArguments } from "./commandLine";
import { DesktopApp } from "./desktopApp";
import type { ShutDownRequest } from "./ending";
import type { HandOver } from "./handOver";
import { type Home, locateHome, prepareHome } from "./home";
import type { OpenWork } from "./lifecycle";
import type { ShellFacts } from "./shellCalls";
import type { WindowStore } from "./windowRecords";

export interface ShellOptions {
  version: string;
  /** The folder of the built renderer, and the built preload. */
  renderer: string;
  preload: string;
  /** Address of the development server that serves the renderer instead; ignored in an installed app. */
  devServer: string | undefined;
  /**
   * Starts everything that is not the shell. Called once, before Electron is ready, so that both start at the same time.
   * Windows open when it has resolved, so whatever takes long goes on afterwards. When it rejects, the app says so and
   * ends.
   */
  start(context: ShellContext): Promise<Services>;
}

/** What the shell gives to the rest. */
export interface ShellContext {
  home: Home;
  log: Log;
  clock: Clock;
  setTheme(theme: Settings["theme"]): void;
  /** Opens a web page in the person's browser. Throws Fault. */
  openLink(url: string): Promise<void>;
  /** Brings up a window that shows this. */
  show(target: { workspaceId: string; threadKey: string | null }): void;
}

/** What the shell gets of the rest. */
export interface Services extends ShellFacts {
  backend: Backend;
  windows: WindowStore;
  theme: Settings["theme"];
  /** What quitting would touch; null when nothing is open. Cheap: it is asked whenever the person quits. */
  openWork(): OpenWork | null;
  /** Called once. The app ends when it resolves, or at its deadline. */
  shutDown(request: ShutDownRequest): Promise<void>;
  /** The machine has woken up. */
  resumed(): void;
}

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
      open(options, command.folder, runsFromFolder);
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

function open(options: ShellOptions, folder: string | null, runsFromFolder: boolean): void {
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
  if (!app.requestSingleInstanceLock({ folder } satisfies HandOver)) {
    leave("Holdfast is running already and takes over from here.\n", 0);
    return;
  }
  new DesktopApp(options, home, runsFromFolder).run(folder);
}
