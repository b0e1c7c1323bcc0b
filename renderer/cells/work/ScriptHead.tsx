// The head of a script: its name, whether it is saved, where it runs, Run and Stop.

import { Check, MoreHorizontal, Play, TriangleAlert } from "lucide-react";
import { RenameField } from "../../sidebar/RenameField";
import { useApp } from "../../state/appStore";
import { sendSoon } from "../../state/signals";
import { Button } from "../../ui/Button";
import { Chip } from "../../ui/Chip";
import { IconButton } from "../../ui/IconButton";
import { MenuButton } from "../../ui/Menu";
import { Select } from "../../ui/Select";
import { renameScript, runScript } from "../actions";
import { cellsStore } from "../cellsStore";
import { ScriptMenu } from "../list/menus";
import type { ReadyScript } from "../saving/editedScript";
import { useEditedScript } from "../saving/useEditedScript";
import { chooseWorkspace, useWorkspaceForRuns } from "../whereRuns";

export function ScriptHead({ scriptId }: { scriptId: string }) {
  const { view } = useEditedScript(scriptId);
  const row = useApp((app) => app.scripts.find((script) => script.scriptId === scriptId));
  const starting = cellsStore((store) => store.starting === scriptId);
  const workspaceId = useWorkspaceForRuns();
  const known = view.phase === "ready" ? view.name : row?.name;
  return (
    <>
      <Name scriptId={scriptId} known={known} isOwn={row?.origin === "own"} />
      {view.phase === "ready" && view.origin === "shipped" && (
        <Chip className="shrink-0 @max-[480px]:hidden">came with Holdfast</Chip>
      )}
      {view.phase === "ready" && view.origin === "own" && row && <SavedState view={view} />}
      <span className="flex-1" />
      <WhereItRuns />
      <Button
        tone="primary"
        icon={<Play aria-hidden size={13} />}
        aria-keyshortcuts="Control+Enter"
        busy={starting}
        disabled={workspaceId === null || view.phase !== "ready"}
        title={workspaceId === null ? "Open a workspace first: a script runs in one" : undefined}
        onClick={(event) => {
          // The second half of a double click is no second run.
          if (event.detail < 2) void runScript(scriptId);
        }}
      >
        Run
      </Button>
      {row && (
        <MenuButton
          align="end"
          button={<IconButton label="More about this script" icon={<MoreHorizontal size={16} />} />}
        >
          <ScriptMenu script={row} where="head" />
        </MenuButton>
      )}
    </>
  );
}

interface NameProps {
  scriptId: string;
  /** Undefined while nobody here has heard of it: a script that has only just been made. */
  known: string | undefined;
  isOwn: boolean;
}

function Name({ scriptId, known, isOwn }: NameProps) {
  const name = known ?? "Script";
  const renaming = cellsStore(({ renaming }) => renaming?.where === "head" && renaming.scriptId === scriptId);
  // A name that stands for none would be kept as its own.
  if (renaming && known !== undefined) {
    return (
      <h1 className="flex w-72 min-w-0 shrink">
        <RenameField
          label="Name of the script"
          name={name}
          onRename={(wanted) => void renameScript(scriptId, wanted)}
          onDone={(hasLeft) => {
            cellsStore.setState({ renaming: null });
            if (!hasLeft) sendSoon("focus-script");
          }}
          className="text-l font-semibold"
        />
      </h1>
    );
  }
  // A long name gives way, and not where the script runs.
  if (!isOwn)
    return <h1 className="shrink-[1000] truncate text-l font-semibold tracking-[-0.01em]">{name}</h1>;
  return (
    <h1 className="flex min-w-0 shrink-[1000]">
      <button
        type="button"
        title={`${name} · click to rename`}
        onClick={() => cellsStore.setState({ renaming: { scriptId, where: "head" } })}
        className="-mx-1 min-w-0 truncate rounded-xs px-1 text-l font-semibold tracking-[-0.01em] transition-colors hover:bg-hover"
      >
        {name}
      </button>
    </h1>
  );
}

function SavedState({ view }: { view: ReadyScript }) {
  const { saving, theirs } = view;
  const words =
    theirs !== null
      ? "Not saved"
      : saving.state === "saved"
        ? "Saved"
        : saving.state === "saving"
          ? "Saving…"
          : "Not saved";
  const isBad = theirs !== null || saving.state === "failing";
  return (
    <span
      role="status"
      aria-label="Saving"
      // Every pause in typing changes it; what goes wrong is spoken by its notice.
      aria-live="off"
      title={saving.state === "failing" ? saving.fault.message : undefined}
      className={`flex shrink-0 items-center gap-1 text-s whitespace-nowrap @max-[520px]:sr-only ${isBad ? "text-warn" : "text-ink-3"}`}
    >
      {isBad ? (
        <TriangleAlert aria-hidden size={13} />
      ) : (
        saving.state === "saved" && <Check aria-hidden size={13} />
      )}
      {words}
    </span>
  );
}

function WhereItRuns() {
  const workspaces = useApp((app) => app.workspaces);
  const workspaceId = useWorkspaceForRuns();
  const usable = workspaces.filter((each) => !each.gone);
  if (workspaceId === null) return null;
  return (
    <Select
      label="Runs in"
      tone="quiet"
      value={workspaceId}
      options={usable.map(({ id, name, git }) => ({
        value: id,
        label: name,
        description: git?.branch ?? undefined,
      }))}
      onChange={chooseWorkspace}
      className="max-w-44 min-w-20! shrink"
    />
  );
}
