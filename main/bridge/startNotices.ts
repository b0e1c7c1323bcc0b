// What the person is told at the start about what was found on disk.

import { settingTitles } from "../../preload/contract/settings";
import type { AppTopic } from "./appTopic";

export interface FoundAtStart {
  /** Where a damaged ledger was set aside. */
  damagedFile: string | undefined;
  /** The names of settings that could not be read. */
  unusableSettings: string[];
  unreadableEnvironments: string[];
}

function named(setting: string): string {
  return `“${settingTitles[setting] ?? setting}”`;
}

export function tellAtStart(app: AppTopic, found: FoundAtStart): void {
  const { damagedFile, unusableSettings, unreadableEnvironments } = found;
  const warn = (about: string, text: string, hint: string) =>
    app.notice(about, { tone: "warning", text, hint, detail: null });
  if (damagedFile !== undefined) {
    warn(
      "ledger",
      "Holdfast's database was damaged and has been set aside. The list of workspaces, drafts and settings start afresh, and what was running was stopped; codex's threads are untouched.",
      `The damaged file is kept as ${damagedFile}.`,
    );
  }
  if (unusableSettings.length > 0) {
    warn(
      "settings",
      `Some settings could not be read and are at their defaults: ${unusableSettings.map(named).join(", ")}.`,
      "Open Settings to set them again. Everything else is as you have set it.",
    );
  }
  if (unreadableEnvironments.length > 0) {
    warn(
      "environments",
      `Some environments could not be read and are not listed: ${unreadableEnvironments.join(", ")}.`,
      "A newer Holdfast may have written them; nothing of them was changed.",
    );
  }
}
