// Stop, Steer and Queue while a turn runs, Send otherwise. Queue and Send are in the same place: whichever is there when
// the button is pressed, the message is sent as soon as it can be.

import { ArrowUp, Square } from "lucide-react";
import { useRef, useState } from "react";
import { call } from "../state/connection";
import { useThreadKey } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { Hint } from "../ui/Hint";

export interface SendButtonsProps {
  running: boolean;
  stopping: boolean;
  sending: boolean;
  /** Why nothing can be sent; null: it can. */
  reason: string | null;
  enterSends: boolean;
  onSend: () => void;
  onSteer: () => void;
  /** Stop was pressed; its button goes away with the turn. */
  onStop: () => void;
}

export function SendButtons({
  running,
  stopping,
  sending,
  reason,
  enterSends,
  onSend,
  onSteer,
  onStop,
}: SendButtonsProps) {
  const sendKey = enterSends ? "enter" : "mod+enter";
  if (!running) {
    return (
      <Hint text={reason ?? "Send"} shortcut={reason === null ? sendKey : undefined} side="top">
        <Button
          tone="primary"
          busy={sending}
          disabled={reason !== null}
          icon={<ArrowUp aria-hidden size={14} />}
          onClick={onSend}
        >
          Send
        </Button>
      </Hint>
    );
  }
  return (
    <>
      <StopButton stopping={stopping} onPress={onStop} />
      <Hint
        text={reason ?? "Into the running turn now: the agent reads it at its next step"}
        shortcut={reason === null ? "mod+shift+enter" : undefined}
        side="top"
      >
        <Button disabled={reason !== null || sending} onClick={onSteer}>
          Steer
        </Button>
      </Hint>
      <Hint
        text={reason ?? "After this turn ends: sent as a turn of its own"}
        shortcut={reason === null ? sendKey : undefined}
        side="top"
      >
        <Button tone="primary" busy={sending} disabled={reason !== null} onClick={onSend}>
          Queue
        </Button>
      </Hint>
    </>
  );
}

function StopButton({ stopping, onPress }: { stopping: boolean; onPress: () => void }) {
  const threadKey = useThreadKey();
  const underWay = useRef(false);
  const [busy, setBusy] = useState(false);
  const stop = async () => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    onPress();
    await attempt(call("turns.stop", { threadKey }));
    underWay.current = false;
    setBusy(false);
  };
  return (
    <Hint text={stopping ? "Stopping…" : "Stop the turn"} shortcut="mod+." side="top">
      <Button
        busy={busy || stopping}
        icon={<Square aria-hidden size={11} className="fill-current" />}
        onClick={() => void stop()}
      >
        Stop
      </Button>
    </Hint>
  );
}
