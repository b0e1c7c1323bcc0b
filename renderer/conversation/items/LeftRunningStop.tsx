// Ends a command that an agent has left running after its turn.

import { Square } from "lucide-react";
import type { LeftRunningView } from "../../../preload/contract/thread";
import { call } from "../../state/connection";
import { send } from "../../state/signals";
import { useHead, useThreadKey } from "../../state/threadStore";
import { attempt } from "../../state/toasts";
import { Button } from "../../ui/Button";

/** Null: the item is no such command. */
export function useLeftRunning(itemKey: string): LeftRunningView | null {
  return useHead(({ leftRunning }) => leftRunning.find(({ key }) => key === itemKey) ?? null);
}

export function LeftRunningStop({ left }: { left: LeftRunningView }) {
  const threadKey = useThreadKey();
  const { itemId, command, processId, stopping } = left;
  return (
    <Button
      size="s"
      tone="quiet"
      busy={stopping}
      disabled={processId === null}
      aria-label={`Stop ${command}`}
      title={processId === null ? "codex has not said how this command can be stopped" : undefined}
      icon={<Square aria-hidden size={10} className="fill-current" />}
      onClick={() => {
        void attempt(call("commands.stop", { threadKey, itemId }));
        // The button goes with the command.
        send("focus-composer");
      }}
    >
      Stop
    </Button>
  );
}
