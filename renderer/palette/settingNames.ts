// The settings by their names, and where in the dialog each is.

import type { DialogShown } from "../state/uiStore";

type Section = Extract<DialogShown, { kind: "settings" }>["section"];

export const settingNames: readonly { title: string; section: Section; keywords?: string }[] = [
  { title: "Theme", section: "general", keywords: "appearance dark light colours" },
  { title: "Enter sends", section: "general", keywords: "message return line keyboard" },
  { title: "What a new thread starts with", section: "threads", keywords: "model sandbox approval default" },
  { title: "Model", section: "threads", keywords: "new thread default" },
  { title: "Reasoning effort", section: "threads", keywords: "new thread default thinking" },
  { title: "Sandbox", section: "threads", keywords: "new thread permissions write" },
  { title: "Asks for approval", section: "threads", keywords: "new thread permissions policy" },
  { title: "Unload an idle thread after", section: "threads", keywords: "minutes memory" },
  { title: "Close an unused session after", section: "threads", keywords: "minutes process memory" },
  {
    title: "End codex when Holdfast has died and nothing runs, after",
    section: "threads",
    keywords: "minutes watchdog process",
  },
  { title: "A turn has finished", section: "notifications", keywords: "notify tell" },
  { title: "A turn has failed", section: "notifications", keywords: "notify tell" },
  { title: "Something needs you", section: "notifications", keywords: "notify approval question" },
  { title: "A script tells you something", section: "notifications", keywords: "notify" },
  {
    title: "Show what it is about in notifications",
    section: "notifications",
    keywords: "privacy details lock screen",
  },
  { title: "With sound", section: "notifications", keywords: "quiet silent mute" },
  { title: "Only when Holdfast is not in front", section: "notifications", keywords: "focus away" },
  {
    title: "Keep Holdfast in the tray when the last window is closed",
    section: "notifications",
    keywords: "background close quit",
  },
  { title: "Open Holdfast when I log in", section: "notifications", keywords: "start autostart boot" },
  { title: "Limits of a script's run", section: "cells", keywords: "time memory output" },
  { title: "Account", section: "account", keywords: "sign in out chatgpt api key plan" },
  { title: "Model on this machine", section: "account", keywords: "local ollama" },
  { title: "codex in use", section: "codex", keywords: "version binary path program" },
];
