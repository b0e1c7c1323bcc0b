import { useEffect } from "react";
import { Inspector } from "../inspector/Inspector";
import { needsOf } from "../sidebar/needs";
import { Sidebar } from "../sidebar/Sidebar";
import { appStore, useApp, useRows } from "../state/appStore";
import { threadStore } from "../state/threadStore";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { Toasts } from "../ui/Toasts";
import { Announcer } from "./Announcer";
import { windowTitle } from "./announcements";
import { Dialogs } from "./Dialogs";
import { FolderDrop } from "./FolderDrop";
import { Middle } from "./Middle";
import { PlacedPanes } from "./PlacedPanes";
import { StatusBar } from "./StatusBar";
import { useShortcuts } from "./useShortcuts";

export function Window() {
  const threadShown = threadStore(
    (store) => store.shown.phase === "shown" || store.shown.phase === "loading",
  );
  useShortcuts();
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
          threadShown ? (
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

function useTitle(): void {
  const title = threadStore((store) => {
    if (store.shown.phase === "shown") return store.shown.copy.head.title;
    if (store.shown.phase === "none") return null;
    const { shown } = appStore.getState();
    return shown.phase === "shown" ? (shown.copy.rows.get(store.shown.key)?.title ?? null) : null;
  });
  const waiting = useApp((app) => app.waiting);
  const needs = useRows((rows) => needsOf(waiting, rows).length);
  useEffect(() => {
    document.title = windowTitle(title, needs);
  }, [title, needs]);
}
