import { Play } from "lucide-react";
import { useRef, useState } from "react";
import type { FollowUpsView } from "../../preload/contract/thread";
import { useThreadKey } from "../state/threadStore";
import { Button } from "../ui/Button";
import { continueFollowUps } from "./followUps";
import { heldWords } from "./words";

export function HeldNotice({ reason }: { reason: NonNullable<FollowUpsView["held"]> }) {
  const { title, hint } = heldWords(reason);
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-2.5 gap-y-2 rounded-m border border-warn/40 bg-warn-soft px-2.5 py-2 text-s"
    >
      <p className="min-w-0 flex-1 basis-40 text-pretty">
        <span className="font-medium">{title}</span> <span className="text-ink-2">{hint}</span>
      </p>
      <ContinueButton />
    </div>
  );
}

export function ContinueButton() {
  const threadKey = useThreadKey();
  const underWay = useRef(false);
  const [busy, setBusy] = useState(false);
  const go = async () => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    await continueFollowUps(threadKey);
    underWay.current = false;
    setBusy(false);
  };
  return (
    <Button size="s" busy={busy} icon={<Play aria-hidden size={12} />} onClick={() => void go()}>
      Continue
    </Button>
  );
}
