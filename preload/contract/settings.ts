// The person's settings: what each may be, what it is when nobody has set it, and what it is called.

import { z } from "zod";
import { notificationSettingsSchema } from "./attention";
import { cellLimitsSchema } from "./cells";
import { editorCommandSchema } from "./editor";
import { threadSettingsSchema } from "./thread";

const mostMinutes = 24 * 60;

/** In percent; one press of a key goes one step. */
export const textSizes = { least: 90, most: 150, step: 10 };

export const settingsSchema = z.object({
  theme: z.enum(["system", "light", "dark"]),
  /** Size of everything that is drawn, in percent. */
  textSize: z.number().int().min(textSizes.least).max(textSizes.most),
  density: z.enum(["comfortable", "compact"]),
  /** Whether things may move: as the system says, or never. */
  motion: z.enum(["system", "reduced"]),
  /** The command that starts the person's editor; null: none is chosen. */
  editor: editorCommandSchema,
  /** Path of the codex binary chosen by hand; null: find it. */
  codexPath: z.string().nullable(),
  /** Enter sends (true), or only with the platform's command key (false). */
  enterSends: z.boolean(),
  /** What happens to work that is going on when Holdfast is quit. What cannot go on is asked about all the same. */
  quitting: z.enum(["ask", "keep", "stop"]),
  /**
   * Minutes until a thread that nobody shows is unloaded by codex. Parts of a minute count. Null: as codex is configured,
   * which without `thread_unload_delay_secs` in its config.toml means 30 minutes.
   */
  threadUnloadMinutes: z.number().min(0).max(mostMinutes).nullable(),
  /** Minutes until a session that nothing needs is closed; it comes back by itself. 0: never. */
  sessionIdleMinutes: z.number().min(0).max(mostMinutes),
  /**
   * Minutes until an app-server whose Holdfast has died, and in which no turn runs, is ended. Parts of a minute count.
   */
  unattendedMinutes: z.number().min(0).max(mostMinutes),
  /** What a new thread starts with. */
  newThread: threadSettingsSchema,
  /** A model served on this machine that codex is started with instead of the account's. */
  localModel: z.object({ provider: z.enum(["ollama", "lmstudio"]), model: z.string() }).nullable(),
  /** What one run of a script may use. */
  cellLimits: cellLimitsSchema,
  /** What the person is told while they look elsewhere. */
  notifications: notificationSettingsSchema,
  /** Without windows Holdfast goes on in the tray, instead of quitting. A Mac does so anyway. */
  keepInTray: z.boolean(),
  /** The machine does not go to sleep by itself while a turn or a script runs. */
  keepAwake: z.boolean(),
  /** Holdfast starts when the person logs in. */
  openAtLogin: z.boolean(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = {
  theme: "system",
  textSize: 100,
  density: "comfortable",
  motion: "system",
  editor: null,
  codexPath: null,
  enterSends: true,
  quitting: "ask",
  threadUnloadMinutes: null,
  sessionIdleMinutes: 30,
  unattendedMinutes: 10,
  newThread: { model: null, effort: null, sandbox: null, approvalPolicy: null },
  localModel: null,
  cellLimits: { memoryMiB: 64, runTimeSeconds: 30, outputMiB: 8, pendingCalls: 64, cells: 8 },
  notifications: {
    finished: true,
    failed: true,
    needsYou: true,
    scripts: true,
    details: true,
    sound: true,
    onlyWhenAway: false,
  },
  keepInTray: false,
  keepAwake: false,
  openAtLogin: false,
};

/** By the path of the value: what a person knows it as. */
export const settingTitles: Readonly<Record<string, string>> = {
  theme: "Theme",
  textSize: "Text size",
  density: "Density",
  motion: "Motion",
  editor: "Editor",
  codexPath: "codex program",
  enterSends: "Enter sends",
  quitting: "When Holdfast is quit while agents work",
  threadUnloadMinutes: "Unload an idle thread after",
  sessionIdleMinutes: "Close an unused session after",
  unattendedMinutes: "End codex when Holdfast has died and nothing runs, after",
  "newThread.model": "Model",
  "newThread.effort": "Reasoning effort",
  "newThread.sandbox": "Sandbox",
  "newThread.approvalPolicy": "Asks for approval",
  localModel: "Model on this machine",
  "cellLimits.memoryMiB": "Memory of a cell",
  "cellLimits.runTimeSeconds": "Run time of a cell",
  "cellLimits.outputMiB": "Output of a cell",
  "cellLimits.pendingCalls": "Pending calls of a cell",
  "cellLimits.cells": "Cells at a time",
  "notifications.finished": "A turn has finished",
  "notifications.failed": "A turn has failed",
  "notifications.needsYou": "Something needs you",
  "notifications.scripts": "A script tells you something",
  "notifications.details": "Show what it is about in notifications",
  "notifications.sound": "With sound",
  "notifications.onlyWhenAway": "Only when Holdfast is not in front",
  keepInTray: "Keep Holdfast in the tray when the last window is closed",
  keepAwake: "Keep this computer awake while agents work",
  openAtLogin: "Open Holdfast when I log in",
};
