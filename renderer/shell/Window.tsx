import { useEffect } from "react";
import type { Layout } from "../../preload/contract/layout";
import { showRequest } from "../approvals/shownRequest";
import { showQuestion } from "../cells/run/answering";
import { Inspector, preloadPanels } from "../inspector/Inspector";
import { Sidebar } from "../sidebar/Sidebar";
import { appStore, useApp } from "../state/appStore";
import { call, connection } from "../state/connection";
import { goToRun, goToThread, goToWorkspace } from "../state/navigation";
import { onSignal } from "../state/signals";
import { shownStart } from "../state/starts";
import { threadStore } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { uiStore, useLayout } from "../state/uiStore";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { Toasts } from "../ui/Toasts";
import { Announcer } from "./Announcer";
import { waitingCount, windowTitle } from "./announcements";
import { runCommand } from "./commands";
import { Dialogs, preloadDialogs, preloadPalette } from "./Dialogs";
import { FolderDrop } from "./FolderDrop";
import { Middle, preloadPages } from "./Middle";
import { PlacedPanes } from "./PlacedPanes";
import { showInspectorTab } from "./panes";
import { StatusBar } from "./StatusBar";
import { useShortcuts } from "./useShortcuts";

export function Window() {
  const threadShown = threadStore(
    (store) => store.shown.phase === "shown" || store.shown.phase === "loading",
  );
  const page = useLayout((layout) => layout.page);
  const inspectorAsked = uiStore((store) => store.inspectorAsked);
  usePushes();
  useTheRest();
  useShortcuts();
  useEffect(() => onSignal("show-cleanup", () => showInspectorTab("cleanup")), []);
  useEffect(() => onSignal("show-follow-ups", () => showInspectorTab("follow-ups")), []);
  useTitle();
  return (
    <div className="flex h-full flex-col">
      <PlacedPanes
        sidebar={
          <ErrorBoundary what="The sidebar">
            <Sidebar />
          </ErrorBoundary>
        }
        middle={<Middle />}
        inspector={
          page === "threads" && (threadShown || inspectorAsked) ? (
            <ErrorBoundary what="The inspector">
              <Inspector />
            </ErrorBoundary>
          ) : null
        }
      />
      <ErrorBoundary what="The status bar">
        <StatusBar />
      </ErrorBoundary>
      <FolderDrop />
      <Dialogs />
      <Toasts />
      <Announcer />
    </div>
  );
}

/** What main asked for before this is handed over now, and goes before the remembered layout. */
function usePushes(): void {
  useEffect(() => {
    connection.onPush({
      command: runCommand,
      showRun({ runId, questionId }) {
        if (questionId !== null) showQuestion(questionId);
        goToRun(runId);
      },
      show({ workspaceId, threadKey, requestKey }) {
        if (requestKey !== null) showRequest(requestKey);
        // A folder named again, at a new start too, is no reason to leave the thread that was shown of it.
        const shown =
          uiStore.getState().layout.workspaceId === workspaceId || shownStart()?.workspaceId === workspaceId;
        if (threadKey === null && !shown) goToWorkspace(workspaceId);
        else if (threadKey !== null) goToThread(workspaceId, threadKey);
      },
    });
  }, []);
}

const drawnWithin = { timeout: 1_000 };

/**
 * Once the window is on the screen: says so, so that main begins what nobody waits for, and loads what is not shown yet, so
 * that it is there at once when it is.
 */
function useTheRest(): void {
  useEffect(() => {
    preloadPalette();
    const handle = requestIdleCallback(async () => {
      void attempt(call("window.drawn", {}));
      await preloadPages();
      await preloadPanels();
      await preloadDialogs();
    }, drawnWithin);
    return () => cancelIdleCallback(handle);
  }, []);
}

const pageTitles: Record<Exclude<Layout["page"], "threads">, string> = {
  changes: "Changes",
  cells: "Cells",
  environments: "Environments",
  search: "All threads",
  codex: "codex",
  terminals: "Terminals",
};

function useTitle(): void {
  const page = useLayout((layout) => layout.page);
  const thread = threadStore((store) => {
    if (store.shown.phase === "shown") return store.shown.copy.head.title;
    if (store.shown.phase === "none") return null;
    const { shown } = appStore.getState();
    return shown.phase === "shown" ? (shown.copy.rows.get(store.shown.key)?.title ?? null) : null;
  });
  const title = page === "threads" ? thread : pageTitles[page];
  const waiting = useApp((app) => waitingCount(app));
  useEffect(() => {
    document.title = windowTitle(title, waiting);
  }, [title, waiting]);
}
