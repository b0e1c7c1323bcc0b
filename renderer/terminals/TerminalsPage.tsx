// The terminals of the workspace that is shown, with all the room of the middle.

import { useRef } from "react";
import { PaneHead } from "../shell/PaneHead";
import { useApp } from "../state/appStore";
import { useKeyboardStays } from "../ui/useKeyboardStays";
import { useTerminalsWorkspace } from "./inFront";
import { putTerminalsBack } from "./placing";
import { WorkspaceTerminals } from "./WorkspaceTerminals";

export function TerminalsPage() {
  const page = useRef<HTMLDivElement>(null);
  const workspaceId = useTerminalsWorkspace();
  const name = useApp((app) => app.workspaces.find(({ id }) => id === workspaceId)?.name ?? null);
  useKeyboardStays(page);
  return (
    <div ref={page} className="flex min-h-0 flex-1 flex-col">
      <PaneHead inspector={false}>
        <h1 className="truncate text-l font-semibold tracking-[-0.01em]">Terminals</h1>
        {name !== null && <span className="truncate text-ink-3">{name}</span>}
      </PaneHead>
      <div data-pane="terminals" className="flex min-h-0 min-w-0 flex-1 flex-col">
        <WorkspaceTerminals key={workspaceId} workspaceId={workspaceId} onPutBack={putTerminalsBack} />
      </div>
    </div>
  );
}
