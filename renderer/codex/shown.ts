// Whose codex the page is about: that of the workspace that the window shows, and of its thread if that is loaded.

import type { WorkspaceView } from "../../preload/contract/app";
import { useShownWorkspace } from "../shell/StatusBar";
import { useApp } from "../state/appStore";
import { threadStore } from "../state/threadStore";

export interface Shown {
  workspace: WorkspaceView;
  /** The shown thread, if codex has it loaded. */
  threadId: string | null;
  /** Another one: another codex answers, or the same one after a restart. */
  codex: string;
}

export function useShown(): Shown | null {
  const workspace = useShownWorkspace();
  const workspaceId = workspace?.id;
  const threadId = threadStore(({ shown }) => {
    if (shown.phase !== "shown") return null;
    const { head } = shown.copy;
    return head.workspaceId === workspaceId && head.residency === "loaded" ? head.threadId : null;
  });
  if (!workspace) return null;
  const { session } = workspace;
  return { workspace, threadId, codex: session.state === "connected" ? String(session.pid) : "none" };
}

export function useNews(workspaceId: string) {
  return useApp((app) => app.codexNews[workspaceId]);
}
