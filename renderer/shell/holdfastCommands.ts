// The commands about Holdfast itself, in the list of all commands.

import { call } from "../state/connection";
import { attempt } from "../state/toasts";
import { showDialog } from "../state/uiStore";
import type { Command } from "./command";

export const holdfastCommands: readonly Command[] = [
  {
    id: "settings",
    title: "Settings",
    group: "Holdfast",
    shortcuts: ["mod+,"],
    keywords: "preferences prefs options configuration configure customize account model",
    run: () => showDialog({ kind: "settings", section: "general" }),
  },
  {
    id: "account",
    title: "Sign in to codex, or out",
    group: "Holdfast",
    keywords:
      "sign-in login log in log-in signout sign-out logout log-out account chatgpt api key user auth plan",
    run: () => showDialog({ kind: "settings", section: "account", settingId: "account" }),
  },
  {
    id: "shortcuts",
    title: "Keyboard shortcuts",
    group: "Holdfast",
    shortcuts: ["mod+/", "?"],
    keywords: "keys keybindings key bindings hotkeys help cheat sheet",
    run: () => showDialog({ kind: "shortcuts" }),
  },
  {
    id: "main-log",
    title: "Show Holdfast's log",
    group: "Holdfast",
    keywords: "logs errors debug",
    run: () => showDialog({ kind: "log", log: { log: "main" }, title: "Log of Holdfast" }),
  },
  {
    id: "about",
    title: "About Holdfast",
    group: "Holdfast",
    keywords: "version info",
    run: () => void attempt(call("app.about", {})),
  },
  {
    id: "close-window",
    title: "Close this window",
    group: "Window",
    keywords: "hide",
    run: () => void attempt(call("window.close", {})),
  },
  {
    id: "quit",
    title: "Quit Holdfast",
    group: "Holdfast",
    keywords: "exit close end leave shut down app",
    run: () => void attempt(call("app.quit", {})),
  },
];
