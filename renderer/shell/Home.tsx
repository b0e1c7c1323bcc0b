import type { ReactNode } from "react";
import { useApp, useWorkspace } from "../state/appStore";
import { useLayout } from "../state/uiStore";
import { CodexMissing } from "../welcome/CodexMissing";
import { Welcome } from "../welcome/Welcome";
import { WorkspaceHome } from "../welcome/WorkspaceHome";
import { PaneHead } from "./PaneHead";

/** Without a thread: the first thing that stands between the person and one. */
export function Home() {
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
      {content}
    </>
  );
  if (codex.state === "missing") return page(<CodexMissing codex={codex} />, "codex");
  if (!hasWorkspaces || !workspace || (signedOut && !workspace.demo && !workspace.gone)) {
    return page(<Welcome />, "Welcome");
  }
  return page(<WorkspaceHome workspace={workspace} />, workspace.name);
}
