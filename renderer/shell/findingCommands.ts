// The commands for finding something and for taking a thread away as a file, in the list of all commands.

import { changeThreadSettings } from "../composer/threadSettings";
import { copyAsMarkdown, exportThread } from "../exporting/exports";
import { goToMatch, openFind } from "../find/findStore";
import { goToSearch } from "../search/searchStore";
import { send, sendSoon } from "../state/signals";
import { shownCopy } from "../state/threadStore";
import { showDialog, uiStore } from "../state/uiStore";
import type { Command } from "./command";
import { showSidebar } from "./panes";

const onThread = () => shownCopy() !== null && uiStore.getState().layout.page === "threads";
const onKnownThread = () => onThread() && (shownCopy()?.head.threadId ?? null) !== null;

function findThread(): void {
  showSidebar();
  sendSoon("focus-search");
}

function toggledPalette(typed: string): void {
  const { dialog } = uiStore.getState();
  const isOpen = dialog?.kind === "palette" && (dialog.typed ?? "") === typed;
  showDialog(isOpen ? null : { kind: "palette", typed });
}

export const findingCommands: readonly Command[] = [
  {
    id: "find",
    title: "Find in conversation",
    group: "Finding",
    shortcuts: ["mod+f"],
    keywords: "search words text message page",
    run() {
      // The menu's own shortcut comes here while the settings are open, too.
      if (uiStore.getState().dialog?.kind === "settings") send("focus-settings-search");
      else if (onThread()) openFind();
      else if (uiStore.getState().layout.page === "search") send("focus-thread-search");
      else findThread();
    },
  },
  {
    id: "find-next",
    title: "Next match",
    group: "Finding",
    shortcuts: ["f3", "mod+g"],
    keywords: "find conversation",
    usable: onThread,
    run: () => goToMatch(1),
  },
  {
    id: "find-previous",
    title: "Previous match",
    group: "Finding",
    shortcuts: ["shift+f3", "mod+shift+g"],
    keywords: "find conversation",
    usable: onThread,
    run: () => goToMatch(-1),
  },
  {
    id: "find-thread",
    title: "Find a thread",
    group: "Finding",
    shortcuts: ["/"],
    keywords: "search filter sidebar title chat",
    run: findThread,
  },
  {
    id: "search",
    title: "Search in all threads",
    group: "Finding",
    shortcuts: ["mod+shift+f"],
    keywords: "find content text said messages everywhere archived",
    run: () => goToSearch(),
  },
  {
    id: "all-threads",
    title: "All of codex's threads",
    group: "Finding",
    keywords:
      "history import folders list archived cli everywhere resume continue sessions chats conversations",
    run: () => goToSearch(""),
  },
  {
    id: "go-to-file",
    title: "Go to file",
    group: "Finding",
    shortcuts: ["mod+p"],
    keywords: "open quick fuzzy source",
    run: () => toggledPalette("@"),
  },
  {
    id: "palette",
    title: "Command palette",
    group: "Finding",
    shortcuts: ["mod+k"],
    run: () => toggledPalette(""),
  },
  {
    id: "palette-commands",
    title: "All commands",
    group: "Finding",
    shortcuts: ["mod+shift+p"],
    keywords: "palette",
    run: () => toggledPalette(">"),
  },
  {
    id: "choose-model",
    title: "Choose the model",
    group: "Threads",
    keywords: "switch change gpt llm reasoning effort thinking",
    usable: onThread,
    run: () => sendSoon("open-model-menu"),
  },
  {
    id: "choose-sandbox",
    title: "Choose the sandbox",
    group: "Threads",
    keywords:
      "switch change full access yolo danger dangerous bypass permissions unrestricted network read only write mode",
    usable: onThread,
    run: () => sendSoon("open-sandbox-menu"),
  },
  {
    id: "choose-approvals",
    title: "Choose when codex asks for approval",
    group: "Threads",
    keywords:
      "switch change approvals approve auto accept edits never yolo permissions skip confirm policy mode allow",
    usable: onThread,
    run: () => sendSoon("open-approvals-menu"),
  },
  {
    id: "plan-mode",
    title: "Plan instead of coding, or code again",
    group: "Threads",
    shortcuts: ["mod+shift+m"],
    keywords: "plan mode propose collaboration",
    usable: onThread,
    run() {
      const head = shownCopy()?.head;
      if (!head) return;
      const mode = head.settings.mode === "plan" ? "code" : "plan";
      void changeThreadSettings(head.key, head.settings, { mode });
    },
  },
  {
    id: "export-markdown",
    title: "Export the thread as Markdown…",
    group: "Threads",
    keywords: "save file download transcript",
    usable: onKnownThread,
    run: () => exportShown("markdown"),
  },
  {
    id: "export-json",
    title: "Export the thread as JSON…",
    group: "Threads",
    keywords: "save file download transcript items",
    usable: onKnownThread,
    run: () => exportShown("json"),
  },
  {
    id: "copy-markdown",
    title: "Copy the thread as Markdown",
    group: "Threads",
    keywords: "clipboard transcript export",
    usable: onKnownThread,
    run() {
      const key = shownCopy()?.head.key;
      if (key !== undefined) void copyAsMarkdown(key);
    },
  },
];

function exportShown(format: "markdown" | "json"): void {
  const key = shownCopy()?.head.key;
  if (key !== undefined) void exportThread(key, format);
}
