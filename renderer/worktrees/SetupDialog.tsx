// What is done in each new worktree of a repository before work starts there.

import { useEffect, useId, useState } from "react";
import type { FaultView } from "../../preload/contract/fault";
import { useWorkspace } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { toast } from "../state/toasts";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";

export interface SetupDialogProps {
  workspaceId: string;
  onClose: () => void;
}

interface Setup {
  script: string;
  /** One a line. */
  copies: string;
}

const field =
  "w-full rounded-s border border-field-line bg-raised px-2.5 py-2 font-mono text-s text-ink outline-none focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus";

export function SetupDialog({ workspaceId, onClose }: SetupDialogProps) {
  const workspace = useWorkspace(workspaceId);
  const parent = useWorkspace(workspace?.parentWorkspaceId ?? null);
  const [setup, setSetup] = useState<Setup | null>(null);
  const [saved, setSaved] = useState<Setup | null>(null);
  const [fault, setFault] = useState<FaultView | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let isOpen = true;
    call("worktrees.setup", { workspaceId }).then(
      ({ script, copies }) => {
        if (!isOpen) return;
        const read = { script, copies: copies.join("\n") };
        setSaved(read);
        setSetup(read);
      },
      (error: unknown) => isOpen && setFault(faultOf(error)),
    );
    return () => {
      isOpen = false;
    };
  }, [workspaceId]);
  const change = (next: Setup) => {
    setSetup(next);
    setFault(null);
  };
  const save = async () => {
    if (!setup || busy) return;
    setBusy(true);
    setFault(null);
    try {
      const copies = setup.copies.split("\n").filter((line) => line.trim() !== "");
      await call("worktrees.setSetup", { workspaceId, script: setup.script, copies });
      toast("Worktree set-up saved", { tone: "ok" });
      onClose();
    } catch (error) {
      setFault(faultOf(error));
      setBusy(false);
    }
  };
  const isWritten = setup?.script !== saved?.script || setup?.copies !== saved?.copies;
  return (
    <Dialog
      open
      onClose={onClose}
      written={isWritten && !busy}
      title={`Worktree set-up of ${parent?.name ?? workspace?.name ?? "this workspace"}`}
      description="Done in each new worktree, whether a thread or “New worktree…” makes it, before work starts there. It is yours: it is kept by Holdfast and not read from the repository."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" busy={busy} disabled={setup === null} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {setup === null && !fault && (
          <p role="status" className="flex items-center gap-2 text-ink-2">
            <Spinner />
            Reading
          </p>
        )}
        {setup !== null && (
          <>
            <Area
              label="Script"
              description="Runs in your login shell, in the new worktree. HOLDFAST_MAIN_CHECKOUT is the folder of the main checkout."
              placeholder={"npm ci"}
              rows={7}
              value={setup.script}
              onChange={(script) => change({ ...setup, script })}
            />
            <Area
              label="Copy ignored files"
              description="One path a line, such as .env. They are copied before the script runs; nothing is overwritten."
              placeholder={".env"}
              rows={3}
              value={setup.copies}
              onChange={(copies) => change({ ...setup, copies })}
            />
          </>
        )}
        {fault && <Notice live tone="error" title={fault.message} hint={fault.hint} detail={fault.detail} />}
      </div>
    </Dialog>
  );
}

interface AreaProps {
  label: string;
  description: string;
  placeholder: string;
  rows: number;
  value: string;
  onChange: (value: string) => void;
}

function Area({ label, description, placeholder, rows, value, onChange }: AreaProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-s font-medium text-ink">
        {label}
      </label>
      <textarea
        id={id}
        aria-describedby={`${id}-d`}
        spellCheck={false}
        autoComplete="off"
        rows={rows}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={field}
      />
      <p id={`${id}-d`} className="text-s text-ink-3">
        {description}
      </p>
    </div>
  );
}
