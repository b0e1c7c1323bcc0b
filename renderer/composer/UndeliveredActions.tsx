// What can be done with a message that codex does not have, wherever it is shown.

import { Pencil, Send } from "lucide-react";
import { useState } from "react";
import type { SubmissionView } from "../../preload/contract/thread";
import { CleanupActions } from "../inspector/CleanupActions";
import { isCleanupPending } from "../state/cleanupPending";
import { call } from "../state/connection";
import { useHead, useThreadKey } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { takeBackToComposer } from "./takeBack";

export function UndeliveredActions({ submission: { clientId, fault } }: { submission: SubmissionView }) {
  const threadKey = useThreadKey();
  const workspaceId = useHead((head) => head.workspaceId);
  const [busy, setBusy] = useState<"resend" | "edit" | null>(null);
  const resend = async () => {
    setBusy("resend");
    await attempt(call("messages.resend", { threadKey, clientId }));
    setBusy(null);
  };
  const edit = async () => {
    setBusy("edit");
    const given = await attempt(call("messages.takeBack", { threadKey, clientId }));
    if (given) takeBackToComposer(threadKey);
    setBusy(null);
  };
  return (
    <>
      {isCleanupPending(fault) ? (
        <CleanupActions size="s" workspaceId={workspaceId} goOn={resend} />
      ) : (
        <Button
          size="s"
          busy={busy === "resend"}
          disabled={busy !== null}
          icon={<Send aria-hidden size={12} />}
          onClick={() => void resend()}
        >
          Send again
        </Button>
      )}
      <Button
        size="s"
        tone="quiet"
        busy={busy === "edit"}
        disabled={busy !== null}
        icon={<Pencil aria-hidden size={12} />}
        onClick={() => void edit()}
      >
        Edit
      </Button>
    </>
  );
}
