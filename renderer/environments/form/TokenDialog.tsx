import { useRef, useState } from "react";
import type { FaultView } from "../../../preload/contract/fault";
import { useApp } from "../../state/appStore";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { showFault, toast } from "../../state/toasts";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/Notice";
import { TextField } from "../../ui/TextField";
import { checkEnvironment, environmentOf } from "../actions";
import { isConnected } from "../environmentLook";
import { useIsOpen } from "../useIsOpen";
import { fixedTokenName } from "./draft";
import { PasswordField } from "./PasswordField";

export interface TokenDialogProps {
  environmentId: string;
  /** Null: a new one. */
  name: string | null;
  onClose: () => void;
}

/** Saves a token under a name. What was saved before is replaced, and never shown. */
export function TokenDialog({ environmentId, name, onClose }: TokenDialogProps) {
  const environment = useApp((app) => app.environments.find((each) => each.environmentId === environmentId));
  const isFixed = environment?.registry.kind === "fixed";
  const [typedName, setTypedName] = useState(name ?? (isFixed ? fixedTokenName : ""));
  const [token, setToken] = useState("");
  const [fault, setFault] = useState<FaultView | null>(null);
  const [busy, setBusy] = useState(false);
  const open = useIsOpen();
  const field = useRef<HTMLInputElement>(null);
  const isNamed = name === null && !isFixed;
  const isComplete = typedName.trim() !== "" && token !== "";
  const save = async () => {
    if (busy || !isComplete) return;
    setBusy(true);
    setFault(null);
    try {
      await call("environments.setToken", { environmentId, name: typedName.trim(), token });
      if (open.current) onClose();
      const now = environmentOf(environmentId);
      const stays = now !== undefined && isConnected(now);
      toast("Token saved", {
        tone: "ok",
        hint: stays ? "The connection that is there stays. It is used from the next one on." : undefined,
        shownMs: 8_000,
      });
      // Whether it is the right one is seen at once.
      if (!stays && now) await checkEnvironment(environmentId);
    } catch (error) {
      if (open.current) setFault(faultOf(error));
      else showFault(faultOf(error));
    } finally {
      if (open.current) setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Token for ${environment?.name ?? "the environment"}`}
      width="s"
      initialFocus={field}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" busy={busy} disabled={!isComplete} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {isNamed && (
          <TextField
            ref={field}
            label="Name"
            description="As the file or the command names it."
            mono
            maxLength={256}
            value={typedName}
            onChange={setTypedName}
          />
        )}
        <PasswordField
          ref={isNamed ? undefined : field}
          label={name === null || name === fixedTokenName ? "Token" : `Token ${name}`}
          description="It is kept in this machine's key store, if it has one, and never shown again."
          value={token}
          onChange={(value) => {
            setToken(value);
            setFault(null);
          }}
        />
        <button type="submit" hidden />
        {fault && <Notice live tone="error" title={fault.message} hint={fault.hint} detail={fault.detail} />}
      </form>
    </Dialog>
  );
}
