// The commands for changes, in the list of all commands.

import { sendComments } from "../changes/comments/comments";
import { pushFromAnywhere } from "../changes/commit/pushFrom";
import { changesView, lookAgain } from "../changes/state/changesStore";
import { appCopy } from "../state/appStore";
import { goToChanges } from "../state/navigation";
import { sendSoon } from "../state/signals";
import { shownCopy } from "../state/threadStore";
import { changeLayout, showDialog, uiStore } from "../state/uiStore";
import type { Command } from "./command";

const onPage = () => uiStore.getState().layout.page === "changes";
const hasComments = () => (shownCopy()?.head.comments.length ?? 0) > 0;

function workspaceId(): string | null {
  const id = shownCopy()?.head.workspaceId ?? uiStore.getState().layout.workspaceId;
  return appCopy()?.app.workspaces.find((each) => each.id === id && !each.gone)?.id ?? null;
}

/** The repository that the page shows; null: it is not known, or there is none. */
function repository() {
  const id = workspaceId();
  const listing = id === null ? null : changesView(id).listing;
  return listing?.state === "repository" ? listing.changes : null;
}

/** Also where nobody has looked at its changes yet. */
function branch(): string | null {
  const id = workspaceId();
  const workspace = appCopy()?.app.workspaces.find((each) => each.id === id);
  return repository()?.branch ?? workspace?.git?.branch ?? null;
}

function inWorkspace(work: (id: string) => void): () => void {
  return () => {
    const id = workspaceId();
    if (id !== null) work(id);
  };
}

export const changesCommands: readonly Command[] = [
  {
    id: "changes",
    title: "Changes: what differs in the folder",
    group: "Changes",
    shortcuts: ["mod+alt+g"],
    keywords: "git diff review stage commit working tree status uncommitted modified",
    usable: () => workspaceId() !== null,
    run() {
      goToChanges(null, { source: "folder" });
      sendSoon("focus-changes");
    },
  },
  {
    id: "thread-changes",
    title: "Changes: what this thread has done",
    group: "Changes",
    keywords: "diff review files edits",
    usable: () => shownCopy() !== null,
    run() {
      goToChanges(null, { source: "thread" });
      sendSoon("focus-changes");
    },
  },
  {
    id: "branch-changes",
    title: "Changes: against a branch",
    group: "Changes",
    keywords: "git diff review compare base main",
    usable: () => workspaceId() !== null,
    run() {
      goToChanges(null, { source: "base" });
      sendSoon("focus-changes");
    },
  },
  {
    id: "write-commit",
    title: "Write a commit message",
    group: "Changes",
    shortcuts: ["mod+alt+m"],
    keywords: "git commit save check in",
    usable: () => workspaceId() !== null,
    run() {
      goToChanges(null, { source: "folder" });
      changeLayout({ changesPanes: { ...uiStore.getState().layout.changesPanes, listOpen: true } });
      sendSoon("focus-commit");
    },
  },
  {
    id: "send-comments",
    title: "Send the comments on changes",
    group: "Changes",
    keywords: "review message",
    usable: hasComments,
    run: () => void sendComments(shownCopy()?.head.run ? "queue" : "turn"),
  },
  {
    id: "split-changes",
    title: "Both versions side by side, or one below the other",
    group: "Changes",
    keywords: "diff split unified view",
    usable: onPage,
    run() {
      const { changesPanes } = uiStore.getState().layout;
      changeLayout({ changesPanes: { ...changesPanes, split: !changesPanes.split } });
    },
  },
  {
    id: "look-at-changes",
    title: "Look at the folder again",
    group: "Changes",
    keywords: "git refresh reload status",
    usable: onPage,
    run: inWorkspace(lookAgain),
  },
  {
    id: "push",
    title: "Push the branch",
    group: "Changes",
    keywords: "git remote upload publish",
    usable: () => branch() !== null,
    run: inWorkspace((id) => void pushFromAnywhere(id)),
  },
  {
    id: "pull-request",
    title: "Open a pull request…",
    group: "Changes",
    keywords: "github gh merge pr mr create",
    usable: () => branch() !== null,
    run: inWorkspace((id) => {
      goToChanges(id, { source: "folder" });
      showDialog({ kind: "pullRequest", workspaceId: id });
    }),
  },
  {
    id: "discarded",
    title: "Discarded changes…",
    group: "Changes",
    keywords: "undo discard restore bring back revert",
    usable: () => repository() !== null,
    run: inWorkspace((id) => showDialog({ kind: "discarded", workspaceId: id })),
  },
];
