// What the shell and the rest of main promise each other. main/app.ts is where they meet.

import type { Settings } from "../../preload/contract/settings";
import type { Attention } from "../attention/attention";
import type { Outlook } from "../attention/outlook";
import type { Desktop } from "../bridge/attentionParts";
import type { Backend } from "../bridge/backend";
import type { WindowFacts } from "../bridge/diagnostics/rawDiagnostics";
import type { Clock } from "../clock";
import type { KeyStore } from "../environments/tokens/keyStore";
import type { Log } from "../log";
import type { CodeCacheUse } from "./codeCache";
import type { ShutDownRequest } from "./ending";
import type { Home } from "./home";
import type { OpenWork } from "./lifecycle";
import type { ShellFacts } from "./shellCalls";
import type { WindowStore } from "./windowRecords";

export interface ShellOptions {
  version: string;
  /** How many of main's files had not to be compiled. */
  codeCache: Readonly<CodeCacheUse>;
  /** The folder of the built renderer, and the built preload. */
  renderer: string;
  preload: string;
  /** Address of the development server that serves the renderer instead; ignored in an installed app. */
  devServer: string | undefined;
  /**
   * What the first window needs before it can be opened, and no more: it waits for this. Called once, before Electron is
   * ready. When it throws, the app says so and ends.
   */
  open(context: Pick<ShellContext, "home" | "log" | "clock">): Opened;
}

export interface Opened {
  windows: WindowStore;
  theme: Settings["theme"];
  /** In percent. */
  textSize: number;
  /**
   * Starts everything else that is not the shell. Called once, when the windows are being drawn by processes of their own;
   * their pages are served when it has resolved. When it rejects, the app says so and ends.
   */
  start(context: ShellContext): Promise<Services>;
}

/** What the shell gives to the rest. */
export interface ShellContext {
  home: Home;
  log: Log;
  clock: Clock;
  /** To be asked once Electron is ready; before that it says that there is none. */
  keyStore: KeyStore;
  setTheme(theme: Settings["theme"]): void;
  /** In all windows, in percent. */
  setTextSize(percent: number): void;
  /** How much waits for the person: shown on the app's icon, where the platform has a place for it. 0: nothing. */
  setBadge(count: number): void;
  /** The workspaces that windows show. */
  shownWorkspaces(): ReadonlySet<string>;
  /** All windows, as they stand. */
  windows(): WindowFacts[];
  /** Opens a web page in the person's browser. Throws Fault. */
  openLink(url: string): Promise<void>;
  desktop: Desktop;
}

/** What the shell gets of the rest. */
export interface Services extends ShellFacts {
  /** Called once, when a window has been drawn: starts what takes the machine's time and what nobody sees yet. */
  begin(): void;
  backend: Backend;
  quitting(): Settings["quitting"];
  attention: Pick<Attention, "clicked" | "chosen" | "closed" | "looked" | "go">;
  /** What needs the person and what is at work. */
  outlook(): Outlook;
  /** Without windows Holdfast goes on in the tray. */
  keepsInTray(): boolean;
  /** Something is at work, and the person wants the machine to stay awake meanwhile. */
  keepsAwake(): boolean;
  /** What quitting would touch; null when nothing is open. Cheap: it is asked whenever the person quits. */
  openWork(): OpenWork | null;
  /** Sees which terminals are idle: `openWork` leaves them out from then on. Null: none is open. Never rejects. */
  lookAtTerminals(): Promise<void> | null;
  /** Resolves when it is known what goes on since an earlier run: `openWork` tells that too from then on. Never rejects. */
  workFound: Promise<void>;
  /** Called once. The app ends when it resolves, or at its deadline. */
  shutDown(request: ShutDownRequest): Promise<void>;
  /** Asked after `shutDown`. False: the process would wait for ever at an orderly end, and is to be cut off. */
  canEndInOrder(): boolean;
  /** The machine has woken up. */
  resumed(): void;
}
