// The commands for terminals on this machine, in the list of all commands.

import { askCodexAbout } from "../terminals/askCodex";
import { screenInFront, terminalsWorkspace } from "../terminals/inFront";
import { newTerminal, toggleTerminal, toggleTerminalsPage } from "../terminals/placing";
import type { Command } from "./command";

const hasWorkspace = () => terminalsWorkspace() !== null;
const hasScreen = () => screenInFront() !== null;

export const terminalCommands: readonly Command[] = [
  {
    id: "toggle-terminal",
    title: "Show, go to or hide the terminal",
    group: "Terminals",
    shortcuts: ["ctrl+`"],
    keywords: "shell console command line bash zsh prompt",
    run: toggleTerminal,
  },
  {
    id: "new-terminal",
    title: "New terminal",
    group: "Terminals",
    shortcuts: ["ctrl+shift+`"],
    keywords: "shell console open bash zsh command line",
    usable: hasWorkspace,
    run: () => void newTerminal(),
  },
  {
    id: "widen-terminals",
    title: "Widen the terminals, or put them back",
    group: "Terminals",
    shortcuts: ["mod+alt+j"],
    keywords: "page full maximize middle",
    usable: hasWorkspace,
    run: toggleTerminalsPage,
  },
  {
    id: "find-in-terminal",
    title: "Find in the terminal",
    group: "Terminals",
    keywords: "search output",
    usable: hasScreen,
    run: () => screenInFront()?.find(),
  },
  {
    id: "ask-about-terminal",
    title: "Ask codex about what is selected in the terminal",
    group: "Terminals",
    keywords: "quote message selection",
    usable: () => (screenInFront()?.screen.selection ?? "") !== "",
    run() {
      const workspaceId = terminalsWorkspace();
      const selected = screenInFront()?.screen.selection ?? "";
      if (workspaceId !== null) void askCodexAbout(selected, workspaceId);
    },
  },
];
