// What codex gives a new thread where nothing is chosen: asked each time that one is shown, since its configuration may have
// been changed meanwhile. What was known last stays shown until the answer is there.

import { useEffect } from "react";
import { create } from "zustand";
import type { ThreadSettings } from "../../preload/contract/thread";
import { useWorkspace } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { useHead } from "../state/threadStore";

const usualStore = create<Readonly<Record<string, ThreadSettings>>>(() => ({}));

const unknown: ThreadSettings = { model: null, effort: null, sandbox: null, approvalPolicy: null };

/** Only a thread that codex has not made yet needs it: of any other, codex has said what it has. */
export function useUsualSettings(): ThreadSettings {
  const workspaceId = useHead((head) => head.workspaceId);
  const isNew = useHead((head) => head.threadId === null);
  // Never the reason for a codex to be started.
  const connected = useWorkspace(workspaceId)?.session.state === "connected";
  useEffect(() => {
    if (!isNew || !connected) return;
    call("threads.usualSettings", { workspaceId }).then(
      ({ settings }) => usualStore.setState({ [workspaceId]: settings }),
      (error: unknown) => console.warn("What a new thread gets is not known", faultOf(error).message),
    );
  }, [isNew, connected, workspaceId]);
  const known = usualStore((store) => store[workspaceId]);
  return (isNew && known) || unknown;
}
