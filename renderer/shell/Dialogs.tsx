// Whatever lies over the window. Each dialog is loaded when it is opened first, or before, when there is time; it stays
// from then on, so that it can go away the way it came.

import { useState } from "react";
import { confirmStore } from "../state/confirm";
import { type DialogShown, showDialog, uiStore } from "../state/uiStore";
import { AlertDialog } from "../ui/AlertDialog";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { Later, LaterPart, loadInIdleTime } from "../ui/later";

const palette = new LaterPart(async () => (await import("../palette/Palette")).Palette);
const settings = new LaterPart(async () => (await import("../settings/SettingsDialog")).SettingsDialog);
const shortcuts = new LaterPart(async () => (await import("./ShortcutSheet")).ShortcutSheet);
const file = new LaterPart(async () => (await import("../files/FileDialog")).FileDialog);
const review = new LaterPart(async () => (await import("../review/ReviewDialog")).ReviewDialog);
const pullRequest = new LaterPart(
  async () => (await import("../changes/commit/PullRequestDialog")).PullRequestDialog,
);
const discarded = new LaterPart(async () => (await import("../changes/DiscardedDialog")).DiscardedDialog);
const newWorktree = new LaterPart(
  async () => (await import("../worktrees/NewWorktreeDialog")).NewWorktreeDialog,
);
const removeWorktree = new LaterPart(
  async () => (await import("../worktrees/RemoveWorktreeDialog")).RemoveWorktreeDialog,
);
const mergeWorktree = new LaterPart(async () => (await import("../worktrees/MergeDialog")).MergeDialog);
const worktreeSetup = new LaterPart(async () => (await import("../worktrees/SetupDialog")).SetupDialog);
const environment = new LaterPart(
  async () => (await import("../environments/EnvironmentDialog")).EnvironmentDialog,
);
const threadFolder = new LaterPart(async () => (await import("../threadPlace/FolderDialog")).FolderDialog);
const log = new LaterPart(async () => (await import("./LogDialog")).LogDialog);

/** The palette first and at once: what is typed after its shortcut must not go where the keyboard was before. */
export function preloadPalette(): void {
  void palette.load();
}

export function preloadDialogs(): Promise<void> {
  return loadInIdleTime([
    settings,
    shortcuts,
    log,
    file,
    review,
    pullRequest,
    discarded,
    newWorktree,
    removeWorktree,
    mergeWorktree,
    worktreeSetup,
    environment,
    threadFolder,
  ]);
}

const close = () => showDialog(null);

export function Dialogs() {
  const dialog = uiStore((store) => store.dialog);
  const opened = useOpened(dialog?.kind ?? null);
  return (
    <ErrorBoundary what="The dialog" resetKey={dialog?.kind ?? null}>
      {opened.has("palette") && (
        <Later
          part={palette}
          props={{
            open: dialog?.kind === "palette",
            typed: dialog?.kind === "palette" ? (dialog.typed ?? "") : "",
            onClose: close,
          }}
        />
      )}
      {opened.has("settings") && (
        <Later
          part={settings}
          props={{
            open: dialog?.kind === "settings",
            section: dialog?.kind === "settings" ? dialog.section : "general",
            settingId: dialog?.kind === "settings" ? dialog.settingId : undefined,
            onClose: close,
          }}
        />
      )}
      {opened.has("shortcuts") && (
        <Later part={shortcuts} props={{ open: dialog?.kind === "shortcuts", onClose: close }} />
      )}
      {dialog?.kind === "log" && (
        <Later part={log} props={{ log: dialog.log, title: dialog.title, onClose: close }} />
      )}
      {dialog?.kind === "file" && (
        <Later
          part={file}
          props={{
            workspaceId: dialog.workspaceId,
            path: dialog.path,
            line: dialog.line,
            onClose: close,
          }}
        />
      )}
      {dialog?.kind === "review" && (
        <Later
          part={review}
          props={{ threadKey: dialog.threadKey, workspaceId: dialog.workspaceId, onClose: close }}
        />
      )}
      {dialog?.kind === "pullRequest" && (
        <Later part={pullRequest} props={{ workspaceId: dialog.workspaceId, onClose: close }} />
      )}
      {dialog?.kind === "discarded" && (
        <Later part={discarded} props={{ workspaceId: dialog.workspaceId, onClose: close }} />
      )}
      {dialog?.kind === "newWorktree" && (
        <Later part={newWorktree} props={{ workspaceId: dialog.workspaceId, onClose: close }} />
      )}
      {dialog?.kind === "removeWorktree" && (
        <Later part={removeWorktree} props={{ workspaceId: dialog.workspaceId, onClose: close }} />
      )}
      {dialog?.kind === "mergeWorktree" && (
        <Later part={mergeWorktree} props={{ workspaceId: dialog.workspaceId, onClose: close }} />
      )}
      {dialog?.kind === "worktreeSetup" && (
        <Later part={worktreeSetup} props={{ workspaceId: dialog.workspaceId, onClose: close }} />
      )}
      {dialog?.kind === "environment" && (
        <Later part={environment} props={{ about: dialog.about, onClose: close }} />
      )}
      {dialog?.kind === "threadFolder" && (
        <Later
          part={threadFolder}
          props={{
            threadKey: dialog.threadKey,
            environmentId: dialog.environmentId,
            folder: dialog.folder,
            onClose: close,
          }}
        />
      )}
      <Confirm />
    </ErrorBoundary>
  );
}

/** Which kinds of dialog have been open so far. */
function useOpened(kind: DialogShown["kind"] | null): ReadonlySet<DialogShown["kind"]> {
  const [opened, setOpened] = useState<ReadonlySet<DialogShown["kind"]>>(new Set());
  if (kind === null || opened.has(kind)) return opened;
  const next = new Set(opened).add(kind);
  setOpened(next);
  return next;
}

function Confirm() {
  const open = confirmStore((store) => store.open);
  return (
    <AlertDialog
      open={open !== null}
      title={open?.title ?? ""}
      confirmLabel={open?.confirmLabel ?? ""}
      tone={open?.tone}
      onConfirm={() => open?.answer(true)}
      onCancel={() => open?.answer(false)}
    >
      <span className="break-words whitespace-pre-wrap">{open?.text}</span>
    </AlertDialog>
  );
}
