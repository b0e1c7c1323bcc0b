// The tab of terminals: the person's own, on this machine and in the workspace that is shown, or the commands that ran in the
// thread that is shown.

import { MessageSquareDashed } from "lucide-react";
import { threadStore } from "../state/threadStore";
import { changeLayout, uiStore, useLayout } from "../state/uiStore";
import { useTerminalsWorkspace } from "../terminals/inFront";
import { WorkspaceTerminals } from "../terminals/WorkspaceTerminals";
import { EmptyState } from "../ui/EmptyState";
import { Segmented } from "../ui/Segmented";
import { Commands } from "./Commands";

const views = [
  { value: "terminals", label: "Terminals" },
  { value: "commands", label: "Commands" },
] as const;

export function Terminal() {
  const view = useLayout((layout) => layout.terminals.view);
  const hasThread = threadStore((store) => store.shown.phase === "shown");
  const workspaceId = useTerminalsWorkspace();
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 border-b border-line px-3 py-1.5">
        <Segmented
          label="What is shown"
          value={view}
          options={views}
          onChange={(next) =>
            changeLayout({ terminals: { ...uiStore.getState().layout.terminals, view: next } })
          }
        />
      </div>
      {view === "terminals" ? (
        <WorkspaceTerminals key={workspaceId} workspaceId={workspaceId} />
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto">{hasThread ? <Commands /> : <NoThread />}</div>
      )}
    </div>
  );
}

function NoThread() {
  return (
    <EmptyState compact icon={<MessageSquareDashed aria-hidden size={20} />} title="No thread is shown">
      The commands that ran in a thread show here once it is opened.
    </EmptyState>
  );
}
