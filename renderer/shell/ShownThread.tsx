// The shown thread: what it is called, what stands in the way of its next message, its text, and the field for the next.

import { useEffect } from "react";
import { Composer } from "../composer/Composer";
import { Conversation } from "../conversation/Conversation";
import { FindBar } from "../find/FindBar";
import { useApp, useThreadRow, useWorkspace } from "../state/appStore";
import { call } from "../state/connection";
import { goHome } from "../state/navigation";
import { threadStore, useHead } from "../state/threadStore";
import { showDialog } from "../state/uiStore";
import { Button } from "../ui/Button";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { Notice } from "../ui/Notice";
import { CodexMissing } from "../welcome/CodexMissing";
import { ThreadStart, useThreadIsEmpty } from "../welcome/ThreadStart";
import { SessionFault, SessionFaultActions } from "../welcome/WorkspaceHome";
import { Banners } from "./Banners";
import { ThreadHeader } from "./ThreadHeader";

export function ShownThread() {
  const workspaceId = useHead((head) => head.workspaceId);
  const empty = useNothingSaid();
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
      <ThreadBanners />
      {empty && broken && workspace ? (
        <SessionFault workspace={workspace} fault={broken} />
      ) : (
        <section data-pane="conversation" className="relative flex min-h-0 flex-1 flex-col">
          <ErrorBoundary what="The conversation">
            <Conversation />
          </ErrorBoundary>
          <FindBar />
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

/** There is no text, and no message that waits: that one has to stay in view, whatever stands in its way. */
function useNothingSaid(): boolean {
  return threadStore(
    ({ shown }) =>
      shown.phase === "shown" && shown.copy.order.length === 0 && shown.copy.head.submissions.length === 0,
  );
}

/** What stands between the person and this thread's next message, above its text. */
function ThreadBanners() {
  const workspaceId = useHead((head) => head.workspaceId);
  const demo = useHead((head) => head.demo);
  const empty = useNothingSaid();
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
