// The settings of what Holdfast does while nobody looks at it, in the list of all settings. Pure.

import { settingTitles } from "../../preload/contract/settings";
import type { Setting } from "./setting";

function onOff(
  id: string,
  group: string,
  text: string,
  keywords: string,
  needs?: NonNullable<Setting["needs"]>,
): Setting {
  const title = settingTitles[id] ?? id;
  return {
    id,
    section: "notifications",
    group,
    title,
    text,
    keywords: `notify notification ${keywords}`,
    kind: { kind: "switch" },
    ...(needs && { needs }),
  };
}

const when = "Notify me when";
const how = "Notifications";
const background = "In the background";

export const attentionSettings: readonly Setting[] = [
  onOff("notifications.finished", when, "In a thread that you do not look at.", "done completed ready"),
  onOff("notifications.failed", when, "With the reason, or that it was cut off.", "error interrupted"),
  onOff(
    "notifications.needsYou",
    when,
    "An approval or a question, also of an agent.",
    "approve answer waiting",
  ),
  onOff("notifications.scripts", when, "What a cell says by notify().", "cell"),
  onOff(
    "notifications.details",
    how,
    "The last words of an answer, why a turn failed, the command that waits. Off: only the thread's title.",
    "privacy preview content",
  ),
  onOff("notifications.sound", how, "The desktop's own, with each.", "quiet silent mute"),
  onOff(
    "notifications.onlyWhenAway",
    how,
    "Off: also about other threads than the one you look at.",
    "focus front",
  ),
  onOff(
    "keepInTray",
    background,
    "Off: closing the last window quits. On: the tray, or starting Holdfast again, brings a window back.",
    "close quit background icon",
    "tray",
  ),
  onOff(
    "keepAwake",
    background,
    "It does not go to sleep by itself while a turn or a script runs; the display may go dark. Closing a laptop still puts it to sleep.",
    "sleep suspend power caffeine prevent awake",
  ),
  onOff(
    "openAtLogin",
    background,
    "Without a window, if it is kept in the tray.",
    "autostart startup boot",
    "openAtLogin",
  ),
];
