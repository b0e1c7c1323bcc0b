// What people type finds what they mean: the first entry of the whole palette, among threads and scripts that have the same
// words in their titles.

import { beforeAll, expect, it, vi } from "vitest";
import type { RepositoryChanges } from "../../preload/contract/changes";
import type { ChangesView } from "../changes/state/follower";
import {
  agentItem,
  appState,
  threadHead,
  threadRow,
  threadSnapshot,
  turn,
  workspace,
} from "../state/testThread";
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
  const run = { kind: "turn" as const, turnId: "turn", sinceMs: 0 };
  const shown = threadCopyOf({
    ...threadSnapshot(),
    head: threadHead({ key: "t0", threadId: "t0", run: run as never }),
  });
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
  ["stop", "Stop the turn, or the run that is shown"],
  ["interrupt", "Stop the turn, or the run that is shown"],
  ["cancel", "Stop the turn, or the run that is shown"],
  ["close workspace", "Remove this workspace from the list…"],
  ["close folder", "Remove this workspace from the list…"],
  ["close project", "Remove this workspace from the list…"],
  ["plan", "Plan instead of coding, or code again"],
  ["plan mode", "Plan instead of coding, or code again"],
  ["stpo", "Stop the turn, or the run that is shown"],
  ["setings", "Settings"],
  ["settigns", "Settings"],
  ["treminal", "Show, go to or hide the terminal"],
  ["push", "Push the branch"],
  ["pull request", "Open a pull request…"],
  ["comit", "Write a commit message"],
  ["new wroktree", "New thread in a worktree of its own"],
  ["reneme thread", "Rename thread"],
  // As users of other tools call it.
  ["merge", "Open a pull request…"],
  ["yolo", "Choose the sandbox"],
  ["full access", "Choose the sandbox"],
  ["danger", "Choose the sandbox"],
  ["bypass permissions", "Choose the sandbox"],
  ["sandbox", "Choose the sandbox"],
  ["approve", "Choose when codex asks for approval"],
  ["approvals", "Choose when codex asks for approval"],
  ["auto approve", "Choose when codex asks for approval"],
  ["accept edits", "Choose when codex asks for approval"],
  ["skip permissions", "Choose when codex asks for approval"],
  ["resume", "All of codex's threads"],
  ["continue", "All of codex's threads"],
  ["sessions", "All of codex's threads"],
  ["clear", "New thread"],
  ["status", "Changes: what differs in the folder"],
  ["doctor", "Diagnostics"],
  ["sign out", "Sign in to codex, or out"],
  ["delete chat", "Delete thread…"],
])("“%s” finds %s", (typed, title) => {
  expect(first(typed)).toBe(title);
});

it("what a thread at rest can do is found by other tools' words for it, and so is what a worktree can", async () => {
  const { appStore } = await import("../state/appStore");
  const { threadCopyOf } = await import("../state/threadCopy");
  const { threadStore } = await import("../state/threadStore");
  const before = threadStore.getState();
  const { shown: app } = appStore.getState();
  if (app.phase !== "shown") throw new Error("The test's own state is not shown");
  const said = {
    ...agentItem("m"),
    kind: "user" as const,
    clientId: "c",
    text: "Do it",
    attachments: [],
    turnId: "turn",
  };
  const head = threadHead({ key: "t0", threadId: "t0" });
  const copy = threadCopyOf({ ...threadSnapshot([said], [turn("turn")]), head });
  threadStore.setState({ shown: { phase: "shown", key: "t0", copy, stale: false } });
  for (const [typed, title] of [
    ["compact", "Compact the context"],
    ["summarize", "Compact the context"],
    ["context", "Compact the context"],
    ["review", "Review changes…"],
    ["rollback", "Edit and send again from the last message…"],
    ["checkpoint", "Edit and send again from the last message…"],
  ] as const) {
    expect(first(typed), typed).toBe(title);
  }
  const worktree = workspace("workspace", {
    name: "atlas",
    git: { branch: "fix", isWorktree: true },
    parentWorkspaceId: "main",
  });
  appStore.setState({ shown: { ...app, copy: { ...app.copy, app: appState({ workspaces: [worktree] }) } } });
  expect(first("merge")).toBe("Merge this worktree…");
  appStore.setState({ shown: app });
  threadStore.setState(before);
});

it("what may be meant by a status is all of it", () => {
  const found = groupsFor("status").flatMap(({ entries }) => entries.map(({ title }) => title));
  expect(found).toEqual(expect.arrayContaining(["Usage and limits", "Diagnostics"]));
});

it("undoing is what can be undone: the last message, and what was thrown away", async () => {
  const { threadCopyOf } = await import("../state/threadCopy");
  const { threadStore } = await import("../state/threadStore");
  const { changesStore } = await import("../changes/state/changesStore");
  const before = threadStore.getState();
  const said = {
    ...agentItem("m"),
    kind: "user" as const,
    clientId: "c",
    text: "Do it",
    attachments: [],
    turnId: "turn",
  };
  const head = threadHead({ key: "t0", threadId: "t0" });
  const copy = threadCopyOf({ ...threadSnapshot([said], [turn("turn")]), head });
  threadStore.setState({ shown: { phase: "shown", key: "t0", copy, stale: false } });
  expect(first("undo")).toBe("Edit and send again from the last message…");
  const changes = { files: [], root: "/atlas" } as unknown as RepositoryChanges;
  const listing = { state: "repository" as const, changes };
  const view = { listing, fault: null, looking: false, looks: 1 };
  changesStore.setState({ views: new Map([["workspace", view as unknown as ChangesView]]) });
  expect(groupsFor("undo")[0]?.entries.map(({ title }) => title)).toContain("Discarded changes…");
  expect(first("undo discard")).toBe("Discarded changes…");
  threadStore.setState(before);
});

it("what was left running can be stopped, or gone to", async () => {
  const { appStore } = await import("../state/appStore");
  const { threadCopyOf } = await import("../state/threadCopy");
  const { threadStore } = await import("../state/threadStore");
  const before = threadStore.getState();
  const { shown } = appStore.getState();
  const left = { itemId: "i", key: null, command: "npm run dev", processId: "1", stopping: false };
  const head = threadHead({ key: "t0", threadId: "t0", leftRunning: [left] });
  const copy = threadCopyOf({ ...threadSnapshot(), head });
  threadStore.setState({ shown: { phase: "shown", key: "t0", copy, stale: false } });
  for (const typed of ["kill", "background", "stop", "stop command", "still running", "npm run dev"]) {
    expect(first(typed), typed).toBe("Stop the command that still runs: npm run dev");
  }
  threadStore.setState({ shown: { phase: "none" } });
  if (shown.phase !== "shown") throw new Error("The test's own state is not shown");
  const row = threadRow("t9", { title: "Serve it", leftRunning: ["npm run dev"] });
  const rows = new Map(shown.copy.rows).set("t9", row);
  appStore.setState({ shown: { ...shown, copy: { ...shown.copy, rows } } });
  for (const typed of ["kill", "background"]) {
    expect(first(typed), typed).toBe("Go to what still runs in “Serve it”: npm run dev");
  }
  appStore.setState({ shown });
  threadStore.setState(before);
});

it("closing is quitting, too", () => {
  const close = groupsFor("close")[0]?.entries.map(({ title }) => title) ?? [];
  expect(close.slice(0, 4)).toContain("Quit Holdfast");
});

it("what is a thread's own words finds the thread", () => {
  expect(first("explain how")).toBe("Explain how the editor opens files");
  expect(first("helper")).toBe("Rename the terminal helper and delete its tests");
});

it("letters that only come in order find nothing", () => {
  for (const typed of ["qzt", "xq", "tgsn"]) expect(groupsFor(typed), typed).toEqual([]);
});
