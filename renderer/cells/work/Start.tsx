// What the page shows before anything was chosen: what scripts are for, and those that come with Holdfast.

import { Play, Plus, Workflow } from "lucide-react";
import type { ScriptRow } from "../../../preload/contract/cells";
import { useApp } from "../../state/appStore";
import { openDemo, openWorkspace } from "../../state/navigation";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { newScript, openScript, runScript } from "../actions";
import { useWorkspaceForRuns } from "../whereRuns";

export function StartHead() {
  return <h1 className="truncate text-l font-semibold tracking-[-0.01em]">Cells</h1>;
}

export function StartArea() {
  const scripts = useApp((app) => app.scripts);
  const shipped = scripts.filter((script) => script.origin === "shipped");
  const canRun = useWorkspaceForRuns() !== null;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto grid w-full max-w-160 gap-5 px-6 py-[max(24px,10vh)]">
        <div className="grid justify-items-start gap-2">
          <Workflow aria-hidden size={28} strokeWidth={1.5} className="text-ink-3" />
          <h2 className="text-xl font-semibold text-balance">Let a script steer the agents</h2>
          <p className="text-l text-pretty text-ink-2">
            A script starts threads, sends them messages, waits for several at once, compares their answers
            and asks you when it needs to. Each run of one is a cell: watch it, stop it, and find its threads
            in the list like any others.
          </p>
          <Button
            className="mt-1"
            tone={canRun ? "primary" : "default"}
            icon={<Plus aria-hidden size={14} />}
            onClick={() => void newScript()}
          >
            Write a script
          </Button>
        </div>
        {!canRun && <NoWorkspace />}
        {shipped.length > 0 && (
          <section aria-label="Came with Holdfast" className="grid gap-2">
            <h3 className="text-xs font-semibold text-ink-3">Came with Holdfast</h3>
            <ul className="grid gap-2">
              {shipped.map((script) => (
                <li key={script.scriptId}>
                  <Invitation script={script} canRun={canRun} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}

function Invitation({ script, canRun }: { script: ScriptRow; canRun: boolean }) {
  return (
    <article
      aria-label={script.name}
      className="flex items-center gap-3 rounded-m border border-line bg-raised px-4 py-3"
    >
      <div className="grid min-w-0 flex-1 gap-0.5">
        <h4 className="font-medium">{script.name}</h4>
        {script.summary !== null && <p className="text-pretty text-ink-2">{script.summary}</p>}
      </div>
      <Button onClick={() => openScript(script.scriptId)}>Open</Button>
      {canRun && (
        <Button
          tone="quiet"
          icon={<Play aria-hidden size={13} />}
          onClick={() => {
            openScript(script.scriptId);
            void runScript(script.scriptId);
          }}
        >
          Run
        </Button>
      )}
    </article>
  );
}

/** A script always runs in one. */
export function NoWorkspace() {
  const isGone = useApp((app) => app.workspaces.length > 0);
  return (
    <Notice
      tone="info"
      title="A script runs in a workspace"
      hint={
        isGone
          ? "No folder of one that is on the list is there any more."
          : "None is open. A workspace is a folder that agents work in."
      }
      actions={
        <>
          <Button onClick={() => void openWorkspace()}>Open workspace</Button>
          <Button onClick={() => void openDemo()}>Open the demo</Button>
        </>
      }
    />
  );
}
