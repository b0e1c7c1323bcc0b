// What the menus of a row offer.

import { Copy, FileCode, ListX, Pencil, Play, Square, Trash2 } from "lucide-react";
import type { RunRow, ScriptRow } from "../../../preload/contract/cells";
import { useApp } from "../../state/appStore";
import { forgetRun, stopRun } from "../../state/runActions";
import { isUnderWay } from "../../state/words";
import { MenuItem, MenuSeparator } from "../../ui/Menu";
import { deleteScript, duplicateScript, editCopy, openScript, runScript } from "../actions";
import { cellsStore } from "../cellsStore";
import { useWorkspaceForRuns } from "../whereRuns";

const icon = { size: 14 } as const;

export function ScriptMenu({ script, where }: { script: ScriptRow; where: "list" | "head" }) {
  const { scriptId } = script;
  const canRun = useWorkspaceForRuns() !== null;
  return (
    <>
      {where === "list" && (
        <>
          <MenuItem
            icon={<Play {...icon} />}
            disabled={!canRun}
            description={canRun ? undefined : "When a workspace is open"}
            onSelect={() => {
              openScript(scriptId);
              void runScript(scriptId);
            }}
          >
            Run
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      {script.origin === "own" ? (
        <>
          <MenuItem
            icon={<Pencil {...icon} />}
            shortcut={where === "list" ? "f2" : undefined}
            onSelect={() => cellsStore.setState({ renaming: { scriptId, where } })}
          >
            Rename
          </MenuItem>
          <MenuItem icon={<Copy {...icon} />} onSelect={() => void duplicateScript(scriptId)}>
            Duplicate
          </MenuItem>
          <MenuSeparator />
          <MenuItem
            icon={<Trash2 {...icon} />}
            shortcut={where === "list" ? "delete" : undefined}
            onSelect={() => void deleteScript(scriptId)}
          >
            Delete
          </MenuItem>
        </>
      ) : (
        <MenuItem icon={<Copy {...icon} />} onSelect={() => void copyAndShow(scriptId)}>
          Edit a copy
        </MenuItem>
      )}
    </>
  );
}

async function copyAndShow(scriptId: string): Promise<void> {
  openScript(scriptId);
  await editCopy(scriptId);
}

export function RunMenu({ run }: { run: RunRow }) {
  const { runId, scriptId } = run;
  const hasScript = useApp((app) => app.scripts.some((script) => script.scriptId === scriptId));
  return (
    <>
      {isUnderWay(run.state) && (
        <MenuItem
          icon={<Square {...icon} />}
          disabled={run.state === "ending"}
          onSelect={() => void stopRun(runId, false)}
        >
          Stop
        </MenuItem>
      )}
      <MenuItem
        icon={<FileCode {...icon} />}
        disabled={!hasScript}
        description={hasScript ? undefined : "It is not in the list any more"}
        onSelect={() => scriptId !== null && openScript(scriptId)}
      >
        Open script
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<ListX {...icon} />}
        shortcut="delete"
        disabled={isUnderWay(run.state)}
        description={isUnderWay(run.state) ? "When it has ended" : "Its threads stay"}
        onSelect={() => void forgetRun(run)}
      >
        Forget…
      </MenuItem>
    </>
  );
}
