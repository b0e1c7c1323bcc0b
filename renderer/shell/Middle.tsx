// The middle pane: the shown thread, or the page that fits what is known when there is none.

import { type ReactNode, useEffect } from "react";
import { Composer } from "../composer/Composer";
import { Conversation } from "../conversation/Conversation";
import { useApp, useThreadRow, useWorkspace } from "../state/appStore";
import { call } from "../state/connection";
import { goHome } from "../state/navigation";
import { retryThread, threadStore, useHead } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { showDialog, useLayout } from "../state/uiStore";
import { Button } from "../ui/Button";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";
import { CodexMissing } from "../welcome/CodexMissing";
import { ThreadStart, useThreadIsEmpty } from "../welcome/ThreadStart";
import { Welcome } from "../welcome/Welcome";
import { SessionFault, SessionFaultActions, WorkspaceHome } from "../welcome/WorkspaceHome";
import { PaneHead } from "./PaneHead";
import { ThreadHeader } from "./ThreadHeader";

export function Middle() {
  const phase = threadStore((store) => store.shown.phase);
  const key = threadStore((store) => (store.shown.phase === "none" ? null : store.shown.key));
  return (
    <ErrorBoundary what="The middle of the window" resetKey={key}>
      {phase === "none" && <Home />}
      {phase === "loading" && <Loading />}
      {phase === "failed" && <Failed />}
      {phase === "shown" && <ShownThread key={key} />}
    </ErrorBoundary>
  );
}

/** Without a thread: the first thing that stands between the person and one. */
function Home() {
  const codex = useApp((app) => app.codex);
  const account = useApp((app) => app.account.state);
  const localModel = useApp((app) => app.settings.localModel);
  const workspaceId = useLayout((layout) => layout.workspaceId);
  const workspace = useWorkspace(workspaceId);
  const hasWorkspaces = useApp((app) => app.workspaces.length > 0);
  const signedOut = account === "signed out" && localModel === null;
  const page = (content: ReactNode, title: string) => (
    <>
      <PaneHead inspector={false}>
        <span className="truncate text-ink-2">{title}</span>
      </PaneHead>
      <AppNotices />
      {content}
    </>
  );
  if (codex.state === "missing") return page(<CodexMissing codex={codex} />, "codex");
  if (!hasWorkspaces || !workspace || (signedOut && !workspace.demo && !workspace.gone)) {
    return page(<Welcome />, "Welcome");
  }
  return page(<WorkspaceHome workspace={workspace} />, workspace.name);
}

function Loading() {
  const key = threadStore((store) => (store.shown.phase === "loading" ? store.shown.key : null));
  const fault = threadStore((store) => (store.shown.phase === "loading" ? store.shown.fault : null));
  const row = useThreadRow(key);
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
              <Button onClick={retryThread}>Try again</Button>
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

function ShownThread() {
  const workspaceId = useHead((head) => head.workspaceId);
  const empty = threadStore((store) => store.shown.phase === "shown" && store.shown.copy.order.length === 0);
  const workspace = useWorkspace(workspaceId);
  const codex = useApp((app) => app.codex);
  const broken = workspace?.session.state === "disconnected" ? workspace.session.fault : null;
  const nothingYet = useThreadIsEmpty();
  useReading();
  if (empty && codex.state === "missing") {
    return (
      <>
        <ThreadHeader />
        <CodexMissing codex={codex} />
      </>
    );
  }
  return (
    <>
      <ThreadHeader />
      <AppNotices />
      <ThreadBanners />
      {empty && broken && workspace ? (
        <SessionFault workspace={workspace} fault={broken} />
      ) : (
        <section data-pane="conversation" className="relative flex min-h-0 flex-1 flex-col">
          <ErrorBoundary what="The conversation">
            <Conversation />
          </ErrorBoundary>
          {nothingYet && (
            <div className="pointer-events-none absolute inset-0 grid place-items-center overflow-y-auto *:pointer-events-auto">
              <ThreadStart />
            </div>
          )}
        </section>
      )}
      <ErrorBoundary what="The composer">
        <Composer />
      </ErrorBoundary>
    </>
  );
}

/** What stands between the person and this thread's next message, above its text. */
function ThreadBanners() {
  const workspaceId = useHead((head) => head.workspaceId);
  const demo = useHead((head) => head.demo);
  const empty = threadStore((store) => store.shown.phase === "shown" && store.shown.copy.order.length === 0);
  const stale = threadStore((store) => store.shown.phase === "shown" && store.shown.stale);
  const workspace = useWorkspace(workspaceId);
  const codex = useApp((app) => app.codex);
  const signedOut = useApp((app) => app.account.state === "signed out" && app.settings.localModel === null);
  const broken = workspace?.session.state === "disconnected" ? workspace.session.fault : null;
  return (
    <Banners>
      {stale && (
        <Notice
          tone="warning"
          title="This window lost its connection to Holdfast."
          hint="What you see is the last that was known. The work goes on."
          actions={<Button onClick={() => window.location.reload()}>Reload the window</Button>}
        />
      )}
      {codex.state === "missing" && (
        <Notice
          tone="error"
          title={codex.fault.message}
          hint={codex.fault.hint}
          actions={<Button onClick={goHome}>What can be done</Button>}
        />
      )}
      {broken && workspace && codex.state !== "missing" && !empty && (
        <Notice
          tone="error"
          title={broken.message}
          hint={broken.hint}
          detail={broken.detail}
          actions={<SessionFaultActions workspace={workspace} fault={broken} />}
        />
      )}
      {signedOut && !demo && (
        <Notice
          tone="warning"
          title="codex has no account, so nothing can be sent yet."
          actions={
            <Button onClick={() => showDialog({ kind: "settings", section: "account" })}>Sign in…</Button>
          }
        />
      )}
    </Banners>
  );
}

function AppNotices() {
  const notices = useApp((app) => app.notices);
  return (
    <Banners>
      {notices.map((notice) => (
        <Notice
          key={notice.id}
          live
          tone={notice.tone}
          title={notice.text}
          hint={notice.hint}
          detail={notice.detail}
          onDismiss={() => void attempt(call("notices.dismiss", { id: notice.id }))}
        />
      ))}
    </Banners>
  );
}

function Banners({ children }: { children: ReactNode }) {
  return (
    <div className="grid max-h-[40%] shrink-0 gap-2 overflow-y-auto not-empty:border-b not-empty:border-line not-empty:p-3">
      {children}
    </div>
  );
}

/** A thread that one looks at is read: when it is opened, when it ends under one's eyes, when one comes back to it. */
function useReading(): void {
  const threadId = useHead((head) => head.threadId);
  const unread = useThreadRow(threadId)?.unread ?? false;
  useEffect(() => {
    if (threadId === null || !unread) return;
    const read = () => {
      if (document.hidden || !document.hasFocus()) return;
      call("threads.markRead", { threadKey: threadId }).catch((error: unknown) => {
        console.warn("The thread could not be marked as read", error);
      });
    };
    read();
    window.addEventListener("focus", read);
    return () => window.removeEventListener("focus", read);
  }, [threadId, unread]);
}
