// The root: what is drawn before main has said anything, when it cannot be reached, and the window itself.

import { useEffect, useLayoutEffect, useState } from "react";
import { appStore, retryApp } from "../state/appStore";
import { followPromotion, goToLayout } from "../state/navigation";
import { followStarts } from "../state/starts";
import { flushLayout, uiStore } from "../state/uiStore";
import { Button } from "../ui/Button";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { HintProvider } from "../ui/Hint";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";
import { Window } from "./Window";

export function App() {
  return (
    <HintProvider>
      <ErrorBoundary what="The window">
        <Root />
      </ErrorBoundary>
    </HintProvider>
  );
}

function Root() {
  const phase = appStore((store) => store.shown.phase);
  const layoutKnown = uiStore((store) => store.layoutKnown);
  useEffect(() => {
    const away = () => document.hidden && flushLayout();
    document.addEventListener("visibilitychange", away);
    window.addEventListener("pagehide", flushLayout);
    const stopFollowing = [followPromotion(), followStarts()];
    return () => {
      for (const stop of stopFollowing) stop();
      document.removeEventListener("visibilitychange", away);
      window.removeEventListener("pagehide", flushLayout);
    };
  }, []);
  const ready = phase === "shown" && layoutKnown;
  const [started, setStarted] = useState(false);
  // Before anything is painted: otherwise what is drawn while main says nothing would be, once more.
  useLayoutEffect(() => {
    if (!ready) return;
    goToLayout();
    setStarted(true);
  }, [ready]);
  if (!ready || !started) return <Opening />;
  return <Window />;
}

function Opening() {
  const phase = appStore((store) => store.shown.phase);
  return (
    <div className="grid h-full place-items-center p-6">
      {phase === "failed" ? (
        <Failed />
      ) : (
        <p role="status" className="flex animate-late items-center gap-2 text-ink-2">
          <Spinner />
          Opening Holdfast…
        </p>
      )}
    </div>
  );
}

function Failed() {
  const fault = appStore((store) => (store.shown.phase === "failed" ? store.shown.fault : null));
  const retrying = appStore((store) => store.shown.phase === "failed" && store.shown.retrying);
  if (!fault) return null;
  return (
    <Notice
      live
      tone="error"
      className="w-full max-w-120"
      title={fault.message}
      hint={fault.hint}
      detail={fault.detail}
      actions={
        <>
          <Button busy={retrying} onClick={retryApp}>
            Try again
          </Button>
          <Button tone="quiet" onClick={() => window.location.reload()}>
            Reload the window
          </Button>
        </>
      }
    />
  );
}
