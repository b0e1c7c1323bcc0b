// What was discarded in a folder and can still be brought back.

import { useEffect, useState } from "react";
import type { Discard } from "../../preload/contract/changes";
import type { FaultView } from "../../preload/contract/fault";
import { count } from "../conversation/time/durations";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { useAge } from "../state/useAge";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { EmptyState } from "../ui/EmptyState";
import { Notice } from "../ui/Notice";
import { undoDiscard } from "./actions";

const mostNamed = 3;

export function DiscardedDialog({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const [discards, setDiscards] = useState<readonly Discard[] | null>(null);
  const [fault, setFault] = useState<FaultView | null>(null);
  useEffect(() => {
    call("changes.discards", { workspaceId }).then(
      (answer) => setDiscards(answer.discards),
      (error: unknown) => setFault(faultOf(error)),
    );
  }, [workspaceId]);
  const bringBack = async (discardId: string) => {
    if (await undoDiscard(workspaceId, discardId)) {
      setDiscards((before) => before?.filter((each) => each.discardId !== discardId) ?? null);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Discarded changes"
      description="Holdfast keeps what you discard for a while. Brought back, the files are as they were."
    >
      {fault && <Notice live tone="error" title={fault.message} hint={fault.hint} />}
      {discards?.length === 0 && <EmptyState compact title="Nothing was discarded here" />}
      <ul className="grid gap-1">
        {discards?.map((discard) => (
          <Row key={discard.discardId} discard={discard} onBack={() => bringBack(discard.discardId)} />
        ))}
      </ul>
    </Dialog>
  );
}

function Row({ discard, onBack }: { discard: Discard; onBack: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const age = useAge(discard.atMs);
  const named = discard.paths.slice(0, mostNamed);
  const left = discard.files - named.length;
  const words = discard.part ? `part of ${named[0] ?? "a file"}` : named.join(", ");
  return (
    <li className="flex items-center gap-3 rounded-s px-2 py-1.5 hover:bg-hover">
      <span className="grid min-w-0 flex-1">
        <span className="truncate font-mono text-s" title={discard.paths.join("\n")}>
          {words}
          {left > 0 && ` and ${count(left, "file")} more`}
        </span>
        <span className="text-s text-ink-3">{age}</span>
      </span>
      <Button
        size="s"
        busy={busy}
        aria-label={`Bring back ${words}`}
        onClick={() => {
          setBusy(true);
          void onBack().finally(() => setBusy(false));
        }}
      >
        Bring back
      </Button>
    </li>
  );
}
