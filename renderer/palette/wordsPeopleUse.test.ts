// What people type finds what they mean: the first entry of the whole palette, among threads and scripts that have the same
// words in their titles.

import { beforeAll, expect, it, vi } from "vitest";
import { appState, threadHead, threadRow, threadSnapshot, workspace } from "../state/testThread";
import type { EntryGroup } from "./entries";

let groupsFor: (typed: string) => EntryGroup[];

beforeAll(async () => {
  // The commands reach stores that belong to a window.
  const page = {
    addEventListener() {},
    removeEventListener() {},
    matchMedia: () => ({ matches: false, addEventListener() {} }),
  };
  vi.stubGlobal("window", page);
  vi.stubGlobal("document", { addEventListener() {}, hidden: false, documentElement: { dataset: {} } });
  const { appCopyOf } = await import("../state/appCopy");
  const { appStore } = await import("../state/appStore");
  const { threadCopyOf } = await import("../state/threadCopy");
  const { threadStore } = await import("../state/threadStore");
  const { groupsOf } = await import("./entries");
  const { sourcesOf } = await import("./sources");
  const titles = [
    "Fix login and sign the release of the shell script",
    "Why does the dark theme exit with an error when it is closed?",
    "Search the settings for the model, then commit the diff",
    "Rename the terminal helper and delete its tests",
    "Explain how the editor opens files",
  ];
  const threads = titles.map((title, at) => threadRow(`t${at}`, { title, updatedAtMs: 1_000 - at }));
  const atlas = workspace("workspace", { name: "atlas", git: { branch: "main", isWorktree: false } });
  const copy = appCopyOf({ state: appState({ workspaces: [atlas] }), threads });
  appStore.setState({ shown: { phase: "shown", copy } });
  const shown = threadCopyOf({ ...threadSnapshot(), head: threadHead({ key: "t0", threadId: "t0" }) });
  threadStore.setState({ shown: { phase: "shown", key: "t0", copy: shown, stale: false } });
  groupsFor = (typed) => groupsOf(sourcesOf("all", []), typed, []);
});

const first = (typed: string) => groupsFor(typed)[0]?.entries[0]?.title;

it.each([
  ["quit", "Quit Holdfast"],
  ["exit", "Quit Holdfast"],
  ["shut down", "Quit Holdfast"],
  ["close", "Close this window"],
  ["close window", "Close this window"],
  ["sign", "Sign in to codex, or out"],
  ["sign in", "Sign in to codex, or out"],
  ["login", "Sign in to codex, or out"],
  ["log in", "Sign in to codex, or out"],
  ["log out", "Sign in to codex, or out"],
  ["logout", "Sign in to codex, or out"],
  ["account", "Account"],
  ["api key", "Sign in to codex, or out"],
  ["dark", "Theme: dark"],
  ["dark mode", "Theme: dark"],
  ["light theme", "Theme: light"],
  ["settings", "Settings"],
  ["preferences", "Settings"],
  ["prefs", "Settings"],
  ["options", "Settings"],
  ["terminal", "New terminal"],
  ["shell", "Show, go to or hide the terminal"],
  ["console", "Show, go to or hide the terminal"],
  ["new chat", "New thread"],
  ["nt", "New thread"],
  ["open folder", "Open workspace"],
  ["project", "Open workspace"],
  ["rename", "Rename thread"],
  ["delete", "Delete thread…"],
  ["duplicate", "Fork thread"],
  ["model", "Choose the model"],
  ["diff", "Changes: what differs in the folder"],
  ["commit", "Write a commit message"],
  ["hotkeys", "Keyboard shortcuts"],
  ["help", "Keyboard shortcuts"],
  ["version", "About Holdfast"],
  ["reload", "Restart codex for this workspace"],
  ["restart", "Restart codex for this workspace"],
  ["zoom in", "Larger text"],
  ["ssh", "Connect to another machine…"],
  ["mcp", "MCP servers"],
  ["rate limit", "Usage and limits"],
  ["script", "New script"],
  ["history", "All of codex's threads"],
  ["create worktree", "New worktree…"],
  ["bug", "Diagnostics"],
  ["tutorial", "Open the demo"],
  ["sound", "With sound"],
  ["autostart", "Open Holdfast when I log in"],
])("“%s” finds %s", (typed, title) => {
  expect(first(typed)).toBe(title);
});

it("closing is quitting, too", () => {
  const close = groupsFor("close")[0]?.entries.map(({ title }) => title) ?? [];
  expect(close.slice(0, 3)).toContain("Quit Holdfast");
});

it("what is a thread's own words finds the thread", () => {
  expect(first("explain how")).toBe("Explain how the editor opens files");
  expect(first("helper")).toBe("Rename the terminal helper and delete its tests");
});

it("letters that only come in order find nothing", () => {
  for (const typed of ["qzt", "xq", "tgsn"]) expect(groupsFor(typed), typed).toEqual([]);
});
