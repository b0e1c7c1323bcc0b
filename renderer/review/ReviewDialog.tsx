// What codex is to review, and the start of it.
//
// Race: the dialog is closed while the review is being started. What then goes wrong is said as of anything else that was
// asked for; what was written is there again when the dialog is opened next.

import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { useEffect, useRef, useState } from "react";
import type { FaultView } from "../../preload/contract/fault";
import { goToLatest } from "../conversation/list/latest";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { useHead } from "../state/threadStore";
import { showFault } from "../state/toasts";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Notice } from "../ui/Notice";
import { TargetDetail } from "./TargetDetail";
import {
  lastChoice,
  rememberChoice,
  type TargetChoice,
  type Targets,
  targetKinds,
  targetOf,
  whyNot,
  withUsual,
} from "./targetChoice";

export interface ReviewDialogProps {
  threadKey: string;
  workspaceId: string;
  onClose: () => void;
}

type Listed = { targets: Targets | null; fault: FaultView | null };

export function ReviewDialog({ threadKey, workspaceId, onClose }: ReviewDialogProps) {
  const [choice, setChoice] = useState(lastChoice);
  const { targets, fault } = useTargets(workspaceId, setChoice);
  const [failed, setFailed] = useState<FaultView | null>(null);
  const [busy, setBusy] = useState(false);
  const open = useRef(true);
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
    };
  }, []);
  const change = (part: Partial<TargetChoice>) => {
    const next = { ...choice, ...part };
    setChoice(next);
    rememberChoice(next);
    setFailed(null);
  };
  const target = targetOf(choice, targets);
  const start = async () => {
    if (target === null || busy) return;
    setBusy(true);
    setFailed(null);
    try {
      await call("threads.review", { threadKey, target });
      goToLatest(threadKey);
      if (target.type === "custom") rememberChoice({ ...lastChoice(), instructions: "" });
      if (open.current) onClose();
    } catch (error) {
      if (open.current) setFailed(faultOf(error));
      else showFault(faultOf(error));
    } finally {
      if (open.current) setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Review"
      initialFocus={first}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            busy={busy}
            disabled={target === null}
            shortcut="mod+enter"
            onClick={() => void start()}
          >
            Start review
          </Button>
        </>
      }
    >
      <form
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.key !== "Enter") return;
          const wants = event.ctrlKey || event.metaKey || !(event.target instanceof HTMLTextAreaElement);
          if (!wants) return;
          event.preventDefault();
          void start();
        }}
      >
        <Kinds choice={choice} targets={targets} first={first} onChange={(kind) => change({ kind })} />
        <TargetDetail choice={choice} targets={targets} fault={fault} onChange={change} />
        <Running />
        {failed && (
          <Notice live tone="error" title={failed.message} hint={failed.hint} detail={failed.detail} />
        )}
      </form>
    </Dialog>
  );
}

function useTargets(
  workspaceId: string,
  setChoice: (choice: (now: TargetChoice) => TargetChoice) => void,
): Listed {
  const [listed, setListed] = useState<Listed>({ targets: null, fault: null });
  useEffect(() => {
    let current = true;
    call("workspaces.reviewTargets", { workspaceId }).then(
      (targets) => {
        if (!current) return;
        setListed({ targets, fault: null });
        setChoice((now) => withUsual(now, targets));
      },
      (error: unknown) => current && setListed({ targets: null, fault: faultOf(error) }),
    );
    return () => {
      current = false;
    };
  }, [workspaceId, setChoice]);
  return listed;
}

interface KindsProps {
  choice: TargetChoice;
  targets: Targets | null;
  first: React.RefObject<HTMLButtonElement | null>;
  onChange: (kind: TargetChoice["kind"]) => void;
}

function Kinds({ choice, targets, first, onChange }: KindsProps) {
  return (
    <RadioGroup
      aria-label="What to review"
      value={choice.kind}
      onValueChange={(kind) => onChange(kind as TargetChoice["kind"])}
      className="grid grid-cols-2 gap-2 max-sm:grid-cols-1"
    >
      {targetKinds.map(({ kind, label, description }) => {
        const why = whyNot(kind, targets);
        return (
          <Radio.Root
            key={kind}
            value={kind}
            disabled={why !== null}
            ref={kind === choice.kind ? first : undefined}
            nativeButton
            render={<button type="button" />}
            className="grid content-start gap-0.5 rounded-m border border-line px-3 py-2 text-left transition-colors hover:not-data-disabled:bg-hover data-checked:border-accent data-checked:bg-accent-soft data-disabled:opacity-55"
          >
            <span className="font-medium text-ink">{label}</span>
            <span className="text-s text-pretty text-ink-2">{why ?? description}</span>
          </Radio.Root>
        );
      })}
    </RadioGroup>
  );
}

/** codex would end the turn that runs, so it is not asked while one does. */
function Running() {
  const running = useHead((head) => head.run !== null);
  if (!running) return null;
  return (
    <p role="status" className="text-s text-ink-2">
      A turn is running in this thread. The review can start when it has ended.
    </p>
  );
}
