// The middle pane: the shown thread, or the page that fits what is known when there is none. Both are loaded when they are
// shown first; until then, this looks like a thread that is being opened.

import { useEffect } from "react";
import type { Layout } from "../../preload/contract/layout";
import { CleanupActions } from "../inspector/CleanupActions";
import { useThreadRow } from "../state/appStore";
import { isCleanupPending } from "../state/cleanupPending";
import { goHome } from "../state/navigation";
import { useShownStart } from "../state/starts";
import { retryThread, threadStore } from "../state/threadStore";
import { useLayout } from "../state/uiStore";
import { Button } from "../ui/Button";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { Later, LaterPart, loadInIdleTime } from "../ui/later";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";
import { PaneHead } from "./PaneHead";

const home = new LaterPart(async () => (await import("./Home")).Home);
const start = new LaterPart(async () => (await import("../worktrees/starting/StartView")).StartView);
const shownThread = new LaterPart(async () => (await import("./ShownThread")).ShownThread);

/** Those that take the place of a thread. */
const pages: Record<Exclude<Layout["page"], "threads">, { what: string; part: LaterPart<object> }> = {
  changes: {
    what: "The page of changes",
    part: new LaterPart(async () => (await import("../changes/ChangesPage")).ChangesPage),
  },
  cells: {
    what: "The page of cells",
    part: new LaterPart(async () => (await import("../cells/CellsPage")).CellsPage),
  },
  environments: {
    what: "The page of environments",
    part: new LaterPart(async () => (await import("../environments/EnvironmentsPage")).EnvironmentsPage),
  },
  search: {
    what: "The page of all threads",
    part: new LaterPart(async () => (await import("../search/SearchPage")).SearchPage),
  },
  codex: {
    what: "The page of codex",
    part: new LaterPart(async () => (await import("../codex/CodexPage")).CodexPage),
  },
  terminals: {
    what: "The page of terminals",
    part: new LaterPart(async () => (await import("../terminals/TerminalsPage")).TerminalsPage),
  },
};

export function preloadPages(): Promise<void> {
  return loadInIdleTime([shownThread, home, start, ...Object.values(pages).map(({ part }) => part)]);
}

export function Middle() {
  const phase = threadStore((store) => store.shown.phase);
  const key = threadStore((store) => (store.shown.phase === "none" ? null : store.shown.key));
  const page = useLayout((layout) => layout.page);
  const isStarting = useShownStart() !== undefined;
  if (page !== "threads") {
    const { what, part } = pages[page];
    return (
      <ErrorBoundary key={page} what={what}>
        <Later part={part} props={{}} />
      </ErrorBoundary>
    );
  }
  return (
    <ErrorBoundary what="The middle of the window" resetKey={key}>
      {phase === "none" && <Later part={isStarting ? start : home} props={{}} />}
      {phase === "loading" && <Loading />}
      {phase === "failed" && <Failed />}
      {phase === "shown" && <Later key={key} part={shownThread} props={{}} meanwhile={<Loading />} />}
    </ErrorBoundary>
  );
}

function Loading() {
  const key = threadStore((store) => (store.shown.phase === "none" ? null : store.shown.key));
  const fault = threadStore((store) => (store.shown.phase === "loading" ? store.shown.fault : null));
  const row = useThreadRow(key);
  // While its text is on the way, so is what draws it.
  useEffect(() => {
    void shownThread.load();
  }, []);
  return (
    <>
      <PaneHead>
        <h1 className="truncate text-l font-semibold tracking-[-0.01em]">{row?.title ?? ""}</h1>
      </PaneHead>
      <div className="grid min-h-0 flex-1 content-center justify-items-center gap-3 p-6">
        <p role="status" className="flex animate-late items-center gap-2 text-ink-2">
          <Spinner />
          Opening the thread…
        </p>
        {fault && <p className="max-w-100 text-center text-s text-pretty text-ink-3">{fault.message}</p>}
      </div>
    </>
  );
}

function Failed() {
  const fault = threadStore((store) => (store.shown.phase === "failed" ? store.shown.fault : null));
  const key = threadStore((store) => (store.shown.phase === "failed" ? store.shown.key : null));
  const row = useThreadRow(key);
  if (!fault) return null;
  return (
    <>
      <PaneHead inspector={false}>
        <h1 className="truncate text-l font-semibold tracking-[-0.01em]">{row?.title ?? "Thread"}</h1>
      </PaneHead>
      <div className="grid min-h-0 flex-1 content-center p-6">
        <Notice
          live
          tone="error"
          className="mx-auto w-full max-w-120"
          title={fault.message}
          hint={fault.hint}
          detail={fault.detail}
          actions={
            <>
              {isCleanupPending(fault) && row ? (
                <CleanupActions workspaceId={row.workspaceId} goOn={retryThread} />
              ) : (
                <Button onClick={retryThread}>Try again</Button>
              )}
              <Button tone="quiet" onClick={goHome}>
                Close
              </Button>
            </>
          }
        />
      </div>
    </>
  );
}
