// The application menu. Commands that only a window can perform are sent to it; the rest are the platform's own.

import type { MenuItemConstructorOptions } from "electron";
import type { MenuCommand } from "../../preload/contract";

export interface MenuOptions {
  platform: NodeJS.Platform;
  /** Adds the developer tools. */
  development: boolean;
  command(command: MenuCommand): void;
  newWindow(): void;
  showLogs(): void;
  about(): void;
  /** null: this Holdfast has no feed. */
  lookForUpdates: (() => void) | null;
}

type Item = MenuItemConstructorOptions;

const separator: Item = { type: "separator" };

/** What `Menu.buildFromTemplate` takes. */
export function menuTemplate(options: MenuOptions): Item[] {
  const onMac = options.platform === "darwin";
  const command = (label: string, name: MenuCommand, accelerator?: string): Item => ({
    id: name,
    label,
    accelerator,
    click: () => options.command(name),
  });
  const settings = command(onMac ? "Settings…" : "Settings", "settings", "CmdOrCtrl+,");
  const about: Item = { label: "About Holdfast", click: () => options.about() };
  const updates: Item[] = options.lookForUpdates
    ? [{ id: "updates", label: "Check for Updates…", click: options.lookForUpdates }]
    : [];

  const app: Item = {
    label: "Holdfast",
    submenu: [
      about,
      ...updates,
      separator,
      settings,
      separator,
      { role: "services" },
      separator,
      { role: "hide" },
      { role: "hideOthers" },
      { role: "unhide" },
      separator,
      { role: "quit" },
    ],
  };
  const file: Item = {
    label: "File",
    submenu: [
      command("New Thread", "new-thread", "CmdOrCtrl+N"),
      { id: "new-window", label: "New Window", accelerator: "CmdOrCtrl+Shift+N", click: options.newWindow },
      separator,
      command("Open Workspace…", "open-workspace", "CmdOrCtrl+O"),
      separator,
      ...(onMac ? [] : [settings, separator]),
      { role: "close" },
      ...(onMac ? [] : ([{ role: "quit" }] satisfies Item[])),
    ],
  };
  const edit: Item = {
    label: "Edit",
    submenu: [
      { role: "undo" },
      { role: "redo" },
      separator,
      { role: "cut" },
      { role: "copy" },
      { role: "paste" },
      { role: "pasteAndMatchStyle" },
      { role: "delete" },
      { role: "selectAll" },
      separator,
      command("Find…", "find", "CmdOrCtrl+F"),
      command("Find in All Threads…", "search", "CmdOrCtrl+Shift+F"),
      command("Go to File…", "go-to-file", "CmdOrCtrl+P"),
    ],
  };
  const thread: Item = {
    label: "Thread",
    submenu: [
      command("Write a Message", "focus-composer", "CmdOrCtrl+L"),
      command("Stop", "stop", "CmdOrCtrl+."),
      separator,
      command("Next Thread", "next-thread", onMac ? "Cmd+Alt+Down" : "Ctrl+PageDown"),
      command("Previous Thread", "previous-thread", onMac ? "Cmd+Alt+Up" : "Ctrl+PageUp"),
    ],
  };
  const view: Item = {
    label: "View",
    submenu: [
      command("Show or Hide Sidebar", "toggle-sidebar", "CmdOrCtrl+B"),
      command("Show or Hide Inspector", "toggle-inspector", "CmdOrCtrl+Alt+B"),
      command("Changes", "changes", "CmdOrCtrl+Alt+G"),
      command("Cells", "cells", "CmdOrCtrl+Shift+C"),
      command("Environments", "environments", "CmdOrCtrl+Shift+E"),
      command("codex", "codex", "CmdOrCtrl+Shift+X"),
      command("Terminal", "toggle-terminal", "Ctrl+`"),
      separator,
      command("Usual Text Size", "text-usual", "CmdOrCtrl+0"),
      command("Larger Text", "text-larger", "CmdOrCtrl+Plus"),
      command("Smaller Text", "text-smaller", "CmdOrCtrl+-"),
      separator,
      { role: "togglefullscreen" },
      { role: "reload" },
      ...(options.development ? ([{ role: "toggleDevTools" }] satisfies Item[]) : []),
    ],
  };
  const window: Item = onMac
    ? {
        role: "window",
        submenu: [{ role: "minimize" }, { role: "zoom" }, separator, { role: "front" }],
      }
    : { label: "Window", submenu: [{ role: "minimize" }] };
  const help: Item = {
    role: "help",
    submenu: [
      command("Diagnostics", "diagnostics", "CmdOrCtrl+Shift+D"),
      { id: "show-logs", label: "Show Logs", click: options.showLogs },
      ...(onMac ? [] : [separator, ...updates, about]),
    ],
  };
  return [...(onMac ? [app] : []), file, edit, thread, view, window, help];
}
