// The person's settings: defaults, what is stored, and what of it can be used. A stored value that does not fit (written by
// another version, or damaged) falls back to its default alone; the others are kept.

import { type Settings, settingsSchema } from "../../preload/contract/app";
import type { SettingsLedger } from "../ledger/settingsLedger";

export const defaultSettings: Settings = {
  theme: "system",
  codexPath: null,
  enterSends: true,
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
  openAtLogin: false,
};

const names = Object.keys(defaultSettings) as (keyof Settings)[];

export function readSettings(ledger: Pick<SettingsLedger, "get">): {
  settings: Settings;
  unusable: string[];
} {
  const settings = { ...defaultSettings };
  const unusable: string[] = [];
  for (const name of names) {
    const stored = ledger.get(name);
    if (stored === null || stored === undefined) continue;
    const parsed = settingsSchema.shape[name].safeParse(stored);
    if (parsed.success) Object.assign(settings, { [name]: parsed.data });
    else unusable.push(name);
  }
  return { settings, unusable };
}

export function writeSettings(
  ledger: Pick<SettingsLedger, "set" | "remove">,
  change: Partial<Settings>,
): void {
  for (const name of names) {
    const value = change[name];
    if (value === undefined) continue;
    if (value === null) ledger.remove(name);
    else ledger.set(name, value);
  }
}
