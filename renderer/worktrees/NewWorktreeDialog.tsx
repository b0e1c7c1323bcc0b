// Asks for the name of a worktree, makes it and goes there.
//
// Race: the dialog is closed while git works. The worktree then appears in the list without being gone to; what went wrong is
// said as of anything else that was asked for.

import { useEffect, useRef, useState } from "react";
import type { FaultView } from "../../preload/contract/fault";
import { useWorkspace } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { newThread } from "../state/navigation";
import { showStart } from "../state/starts";
import { showFault } from "../state/toasts";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Notice } from "../ui/Notice";
import { TextField } from "../ui/TextField";

export interface NewWorktreeDialogProps {
  workspaceId: string;
  onClose: () => void;
}

export function NewWorktreeDialog({ workspaceId, onClose }: NewWorktreeDialogProps) {
  const workspace = useWorkspace(workspaceId);
  const [name, setName] = useState("");
  const [base, setBase] = useState("");
  const [fault, setFault] = useState<FaultView | null>(null);
  const [busy, setBusy] = useState(false);
  const open = useIsOpen();
  const first = useRef<HTMLInputElement>(null);
  const make = async () => {
    if (name.trim() === "" || busy) return;
    setBusy(true);
    setFault(null);
    try {
      const made = await call("worktrees.create", { workspaceId, name, base: base.trim() || null });
      if (!open.current) return;
      onClose();
      if (made.threadKey !== null) showStart(made.workspaceId, made.threadKey);
      else await newThread(made.workspaceId);
    } catch (error) {
      if (open.current) setFault(faultOf(error));
      else showFault(faultOf(error));
    } finally {
      if (open.current) setBusy(false);
    }
  };
  const errorOf = (code: string) => (fault?.code === code ? [fault.message, fault.hint].join(" ") : null);
  const nameError = errorOf("branch_exists") ?? errorOf("worktree_name");
  const baseError = errorOf("base_unknown");
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setFault(null);
  };
  const current = workspace?.git?.branch;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`New worktree of ${workspace?.name ?? "this workspace"}`}
      description="A folder of its own on a new branch. Agents work there without touching what is checked out here."
      width="s"
      initialFocus={first}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" busy={busy} disabled={name.trim() === ""} onClick={() => void make()}>
            Make worktree
          </Button>
        </>
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <TextField
          ref={first}
          label="Name"
          description="Its branch, too."
          placeholder="fix/limiter-burst"
          mono
          maxLength={200}
          value={name}
          onChange={change(setName)}
          error={nameError}
        />
        <TextField
          label="Begin at"
          description="A branch, a tag or a commit. Without one: the commit that is checked out."
          placeholder={current ?? "HEAD"}
          mono
          maxLength={500}
          value={base}
          onChange={change(setBase)}
          error={baseError}
        />
        {/* A form with two fields is sent with Enter only if it has a button. */}
        <button type="submit" hidden />
        {fault && !nameError && !baseError && (
          <Notice live tone="error" title={fault.message} hint={fault.hint} detail={fault.detail} />
        )}
      </form>
    </Dialog>
  );
}

/** False once the dialog has gone. */
function useIsOpen(): React.RefObject<boolean> {
  const open = useRef(true);
  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
    };
  }, []);
  return open;
}
