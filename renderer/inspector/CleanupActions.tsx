import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { retryCleanup, showCleanup } from "../state/cleanups";
import { Button, type ButtonSize, type ButtonTone } from "../ui/Button";

export interface CleanupActionsProps {
  workspaceId: string;
  /** What was refused, or what starts it again: done once nothing of the workspace is owed any more. */
  goOn: () => unknown;
  tone?: ButtonTone;
  size?: ButtonSize;
}

/** What can be done about a start that was refused because of something that is owed, wherever that is said. */
export function CleanupActions({ workspaceId, goOn, tone, size }: CleanupActionsProps) {
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    await retryCleanup(workspaceId, goOn);
    setBusy(false);
  };
  return (
    <>
      <Button
        tone={tone}
        size={size}
        busy={busy}
        icon={<RotateCcw aria-hidden size={13} />}
        onClick={() => void retry()}
      >
        Retry cleanup
      </Button>
      <Button tone="quiet" size={size} onClick={showCleanup}>
        Show cleanup
      </Button>
    </>
  );
}
