// Asks for the folder in an environment in which a thread's commands run.
//
// Races, and what settles each:
// - The dialog is closed while the choice is on its way: it holds if main takes it, and what goes wrong is said as of
//   anything else that was asked for.
// - The path is changed while the folder of the old one is being read: what is in the field stays as it is.
// - Somebody begins to type as the path of the first folder comes into the empty field: that is selected in the same moment,
//   so that what is typed takes its place.

import { CornerLeftUp, House } from "lucide-react";
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { FaultView } from "../../preload/contract/fault";
import { useApp } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { showFault } from "../state/toasts";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { IconButton } from "../ui/IconButton";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";
import { TextField } from "../ui/TextField";
import { FolderList } from "./FolderList";
import { useFolders } from "./useFolders";

export interface FolderDialogProps {
  threadKey: string;
  environmentId: string;
  /** Where to look first; null: where the environment starts. */
  folder: string | null;
  onClose: () => void;
}

export function FolderDialog({ threadKey, environmentId, folder, onClose }: FolderDialogProps) {
  const name = useApp((app) => app.environments.find((each) => each.environmentId === environmentId)?.name);
  const { listing, asking, fault, go } = useFolders(environmentId);
  const [typed, setTyped] = useState(folder ?? "");
  const [failed, setFailed] = useState<FaultView | null>(null);
  const [busy, setBusy] = useState(false);
  /** What came into the empty field by itself last. */
  const [filledIn, setFilledIn] = useState<string | null>(null);
  const open = useRef(true);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);

  useLayoutEffect(() => {
    const input = field.current;
    if (filledIn !== null && input === document.activeElement && input?.value === filledIn) input.select();
  }, [filledIn]);

  const visit = async (path: string | null) => {
    setFailed(null);
    const before = path ?? "";
    const shown = await go(path);
    if (shown) {
      setTyped((now) => (now.trim() === before ? shown.path : now));
      if (path === null) setFilledIn(shown.path);
    }
    return shown;
  };
  const openFolder = (path: string) => {
    setTyped(path);
    void visit(path);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it is looked first is looked at once
  useEffect(() => {
    open.current = true;
    void visit(folder);
    return () => {
      open.current = false;
    };
  }, []);

  const path = typed.trim();
  const isShown = listing !== null && fault === null && path === listing.path;
  const take = async (cwd: string) => {
    if (cwd === "" || busy) return;
    setBusy(true);
    setFailed(null);
    try {
      await call("threads.setEnvironment", { threadKey, environment: { environmentId, cwd } });
      if (open.current) onClose();
    } catch (error) {
      if (open.current) setFailed(faultOf(error));
      else showFault(faultOf(error));
    } finally {
      if (open.current) setBusy(false);
    }
  };
  /** One that has not been seen is looked at first. */
  const use = async () => {
    const seen = isShown ? listing : await visit(path);
    // The path of a file shows the folder that it is in, which nobody has wished for yet.
    if (seen?.named === null && open.current) await take(seen.path);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (path === "") return;
    if (isShown) void take(path);
    else void visit(path);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Folder on ${name ?? "a removed environment"}`}
      description="The commands of this thread run there from the next turn on."
      width="s"
      initialFocus={field}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" busy={busy} disabled={path === ""} onClick={() => void use()}>
            Run in this folder
          </Button>
        </>
      }
    >
      <form className="grid grid-cols-[minmax(0,1fr)] gap-3" onSubmit={submit}>
        <TextField
          ref={field}
          label="Folder"
          description="A path of its own system. Enter shows it, and takes it when it is shown; ↓ goes to its folders."
          mono
          maxLength={4096}
          value={typed}
          onChange={(value) => {
            setTyped(value);
            setFailed(null);
          }}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown") return;
            event.preventDefault();
            const target = list.current?.querySelector<HTMLElement>("button[tabindex='0']") ?? list.current;
            target?.focus();
          }}
          after={
            <span className="-mr-1.5 inline-flex">
              {asking && <Spinner className="mx-1.5 self-center" />}
              <IconButton
                label="Folder above"
                size="s"
                icon={<CornerLeftUp size={13} />}
                disabled={listing === null || listing.parent === null}
                onClick={() => listing !== null && listing.parent !== null && openFolder(listing.parent)}
              />
              <IconButton
                label="Where it starts"
                size="s"
                icon={<House size={13} />}
                onClick={() => {
                  setTyped("");
                  void visit(null);
                }}
              />
            </span>
          }
        />
        {listing !== null ? (
          <FolderList listing={listing} asking={asking} box={list} onOpen={openFolder} />
        ) : (
          <div className="grid h-56 place-items-center rounded-s border border-line bg-canvas text-s text-ink-3">
            {asking ? "Reading the folder…" : "It could not be read."}
          </div>
        )}
        {(failed ?? fault) !== null && (
          <Unread
            fault={failed ?? fault}
            onRetry={failed ? null : () => void visit(path === "" ? null : path)}
            onAnyway={failed || path === "" ? null : () => void take(path)}
          />
        )}
        {/* A form is sent with Enter only if it has a button. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

interface UnreadProps {
  fault: FaultView | null;
  onRetry: (() => void) | null;
  onAnyway: (() => void) | null;
}

function Unread({ fault, onRetry, onAnyway }: UnreadProps) {
  if (!fault) return null;
  return (
    <Notice
      live
      tone="error"
      title={fault.message}
      hint={fault.hint}
      detail={fault.detail}
      actions={
        onRetry && (
          <>
            <Button size="s" onClick={onRetry}>
              Try again
            </Button>
            {onAnyway && (
              <Button size="s" tone="quiet" onClick={onAnyway}>
                Choose it all the same
              </Button>
            )}
          </>
        )
      }
    />
  );
}
