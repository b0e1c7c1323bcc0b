// The way to an exec-server on another machine, step by step: what to run there, what to run here, the token, a look at every
// step of the way, and a name. Holdfast runs none of it. What was typed stays for the next time, except for the token.
//
// Race: the dialog is closed while main adds the environment: it appears in the list without being gone to.

import { type ReactNode, useRef, useState } from "react";
import type { FaultView } from "../../../preload/contract/fault";
import { appCopy } from "../../state/appStore";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { showFault } from "../../state/toasts";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/Notice";
import { TextField } from "../../ui/TextField";
import { checkEnvironment, showEnvironment, showTab } from "../actions";
import { fixedTokenName, freeName } from "../form/draft";
import { PasswordField } from "../form/PasswordField";
import { useIsOpen } from "../useIsOpen";
import { CommandBlock } from "./CommandBlock";
import {
  emptyWay,
  makeTokenCommand,
  serveCommand,
  tunnelCommand,
  tunnelUrl,
  type WayDraft,
  wayProblems,
} from "./recipe";
import { isOpenWay, useWayCheck } from "./useWayCheck";
import { WayResult } from "./WayResult";

/** Typed before, in this window. */
let kept: WayDraft | null = null;

export function WayDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState<WayDraft>(() => kept ?? emptyWay(environments()));
  const [token, setToken] = useState("");
  const [touched, setTouched] = useState<ReadonlySet<keyof WayDraft>>(new Set());
  const [fault, setFault] = useState<FaultView | null>(null);
  const [busy, setBusy] = useState(false);
  const { check, look, forget } = useWayCheck();
  const open = useIsOpen();
  const first = useRef<HTMLInputElement>(null);
  const all = wayProblems(draft);
  const url = tunnelUrl(draft);
  const name = draft.name.trim() || freeName(draft.host || "other machine", environments());

  const field = (key: keyof WayDraft) => ({
    value: draft[key],
    onChange(value: string) {
      kept = { ...draft, [key]: key === "name" ? value : value.trim() };
      setDraft(kept);
      setFault(null);
      if (key === "localPort") forget();
      if (value !== "") setTouched(new Set(touched).add(key));
    },
    onBlur: () => draft[key] !== "" && setTouched(new Set(touched).add(key)),
    error: touched.has(key) ? all[key] : undefined,
    maxLength: 253,
    className: "min-w-0 grid-cols-1",
  });
  const add = async () => {
    if (url === null || busy) return;
    setBusy(true);
    setFault(null);
    try {
      const { environmentId } = await call("environments.add", {
        name,
        registry: { kind: "fixed", url, identity: null },
        tokens: token === "" ? [] : [{ name: fixedTokenName, token }],
      });
      kept = null;
      if (!open.current) return;
      onClose();
      showEnvironment(environmentId);
      showTab("overview");
      await checkEnvironment(environmentId);
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
      title="Connect to another machine"
      description="Commands run there through ssh, which you start. Holdfast runs none of this by itself."
      width="l"
      initialFocus={first}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone={isOpenWay(check) ? "primary" : "default"}
            busy={busy}
            disabled={url === null}
            onClick={() => void add()}
          >
            Add environment
          </Button>
        </>
      }
    >
      <ol className="grid grid-cols-1 gap-6">
        <Step number={1} title="Which machine">
          <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)] items-start gap-3 max-mid:grid-cols-1">
            <TextField
              ref={first}
              label="Machine"
              placeholder="build-box.example"
              description="As ssh knows it."
              mono
              {...field("host")}
            />
            <TextField label="User there" placeholder="as here" mono {...field("user")} />
            <TextField
              label="Port of ssh"
              placeholder="usual"
              inputMode="numeric"
              mono
              {...field("sshPort")}
            />
          </div>
          <div className="grid grid-cols-2 items-start gap-3 max-mid:grid-cols-1">
            <TextField
              label="Port there"
              description="Where the exec-server is to listen, on that machine alone."
              inputMode="numeric"
              mono
              {...field("port")}
            />
            <TextField
              label="Port here"
              description="Where the tunnel begins on this machine."
              inputMode="numeric"
              mono
              {...field("localPort")}
            />
          </div>
        </Step>
        <Step number={2} title="There: start an exec-server">
          <p className="text-pretty text-ink-2">
            codex has to be installed on that machine. This makes a token that only you can read, and shows
            it:
          </p>
          <CommandBlock label="Make a token" command={makeTokenCommand} waits="" />
          <p className="text-pretty text-ink-2">
            This serves that machine alone. Leave it running, in tmux or as a service:
          </p>
          <CommandBlock
            label="Start the exec-server"
            command={serveCommand(draft)}
            waits="It needs a port to listen at."
          />
        </Step>
        <Step number={3} title="Here: open a tunnel to it">
          <p className="text-pretty text-ink-2">
            In a terminal on this machine. It says nothing, and stays open for as long as you want the
            connection:
          </p>
          <CommandBlock
            label="Open the tunnel"
            command={tunnelCommand(draft)}
            waits="It needs the machine, and ports that are numbers."
          />
        </Step>
        <Step number={4} title="Paste the token">
          <PasswordField
            label="Token"
            description="What the first command has shown. It is kept in this machine's key store, if it has one, and never shown again."
            value={token}
            onChange={(value) => {
              setToken(value);
              forget();
            }}
          />
        </Step>
        <Step number={5} title="Check the way">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button
              busy={check.phase === "looking"}
              disabled={url === null}
              onClick={() =>
                url !== null && void look({ url, token: token === "" ? null : token, environmentId: null })
              }
            >
              {check.phase === "not yet" ? "Check" : "Check again"}
            </Button>
            <span className="font-mono text-s text-ink-3">{url}</span>
          </div>
          <WayResult check={check} />
        </Step>
        <Step number={6} title="Name it">
          <TextField label="Name" placeholder={name} {...field("name")} maxLength={200} />
          {fault && (
            <Notice live tone="error" title={fault.message} hint={fault.hint} detail={fault.detail} />
          )}
        </Step>
      </ol>
    </Dialog>
  );
}

function environments() {
  return appCopy()?.app.environments ?? [];
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[24px_minmax(0,1fr)] gap-x-3">
      <span
        aria-hidden
        className="grid size-6 place-items-center rounded-full bg-accent-soft text-s font-semibold text-accent tabular"
      >
        {number}
      </span>
      <div className="grid min-w-0 grid-cols-1 gap-2.5">
        <h3 className="leading-6 font-semibold">{title}</h3>
        {children}
      </div>
    </li>
  );
}
