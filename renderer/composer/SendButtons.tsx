// Stop, Steer and Queue while a turn runs, Send otherwise. Queue and Send are in the same place: whichever is there when
// the button is pressed, the message is sent as soon as it can be. In a narrow composer they are icons.

import { ArrowUp, CornerDownRight, ListEnd, Square } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { queueWords, sendWords, steerWords } from "../followUps/words";
import { call } from "../state/connection";
import { useHead, useThreadKey } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { Hint } from "../ui/Hint";
import { ariaKeys, keyText } from "../ui/keys";

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

const narrow = "@max-[34rem]:gap-0 @max-[34rem]:px-2";
const onlyNarrow = "hidden @max-[34rem]:block";

/** In a narrow composer the button's name stands for it. */
function Label({ children }: { children: ReactNode }) {
  return <span className="@max-[34rem]:hidden">{children}</span>;
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
  const followUps = useHead((head) => head.followUps);
  const sendKey = enterSends ? "enter" : "mod+enter";
  if (!running) {
    const words = sendWords(followUps);
    return (
      <Hint text={reason ?? words} shortcut={reason === null ? sendKey : undefined} side="top">
        <Button
          tone="primary"
          aria-description={reason ?? (words === "Send" ? undefined : words)}
          busy={sending}
          disabled={reason !== null}
          aria-label="Send"
          className={narrow}
          icon={<ArrowUp aria-hidden size={14} />}
          onClick={onSend}
        >
          <Label>Send</Label>
        </Button>
      </Hint>
    );
  }
  return (
    <>
      <StopButton stopping={stopping} onPress={onStop} />
      <Hint text={reason ?? steerWords} shortcut={reason === null ? "mod+shift+enter" : undefined} side="top">
        <Button
          aria-description={reason ?? steerWords}
          disabled={reason !== null || sending}
          aria-label="Steer"
          className={narrow}
          icon={<CornerDownRight aria-hidden size={14} className={onlyNarrow} />}
          onClick={onSteer}
        >
          <Label>Steer</Label>
        </Button>
      </Hint>
      <Hint
        text={reason ?? queueWords(followUps)}
        shortcut={reason === null ? sendKey : undefined}
        side="top"
      >
        <Button
          tone="primary"
          aria-description={reason ?? queueWords(followUps)}
          busy={sending}
          disabled={reason !== null}
          aria-label="Queue"
          className={narrow}
          icon={<ListEnd aria-hidden size={14} className={onlyNarrow} />}
          onClick={onSend}
        >
          <Label>Queue</Label>
        </Button>
      </Hint>
    </>
  );
}

const stopKey = "mod+.";

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
    <Hint
      text={stopping ? "Stopping…" : `Stop the turn, also with ${keyText("escape")} twice in the empty field`}
      shortcut={stopKey}
      side="top"
    >
      <Button
        busy={busy || stopping}
        aria-label="Stop"
        aria-keyshortcuts={ariaKeys(stopKey)}
        className={narrow}
        icon={<Square aria-hidden size={11} className="fill-current" />}
        onClick={() => void stop()}
      >
        <Label>Stop</Label>
      </Button>
    </Hint>
  );
}
