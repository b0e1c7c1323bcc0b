import { CircleAlert, Clock, Pencil, Send } from "lucide-react";
import { useState } from "react";
import type { SubmissionView } from "../../preload/contract/thread";
import { takeBackToComposer } from "../composer/takeBack";
import { CleanupActions } from "../inspector/CleanupActions";
import { isCleanupPending } from "../state/cleanupPending";
import { call } from "../state/connection";
import { useHead } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { Details } from "../ui/Details";
import { Spinner } from "../ui/Spinner";
import { FoldScope } from "./items/Article";
import { AttachmentList } from "./items/AttachmentList";
import { UserText } from "./items/UserText";

/** Something that was sent and that codex has not shown in the thread yet. */
export function SubmissionRow({ clientId }: { clientId: string }) {
  const submission = useHead((head) => head.submissions.find((each) => each.clientId === clientId));
  const threadKey = useHead((head) => head.key);
  if (!submission) return null;
  return (
    <FoldScope name={`${threadKey}/you:${clientId}`}>
      <article aria-label="You" className="flex flex-col items-end gap-1.5 pt-2.5 pl-[14%]">
        {submission.text !== "" && (
          <UserText text={submission.text} dim={submission.state !== "undelivered"} />
        )}
        <AttachmentList attachments={submission.attachments} />
        {submission.state === "undelivered" ? (
          <Undelivered submission={submission} threadKey={threadKey} />
        ) : (
          <p role="status" className="flex items-center gap-1.5 text-xs text-ink-3">
            {submission.state === "sending" ? <Spinner /> : <Clock aria-hidden size={12} />}
            {stateWords(submission)}
          </p>
        )}
      </article>
    </FoldScope>
  );
}

function stateWords({ mode, state }: SubmissionView): string {
  if (state === "sending") return mode === "steer" ? "Steering…" : "Sending…";
  return mode === "steer"
    ? "Sent; the agent reads it at its next step"
    : "Sent; waiting for codex to take it up";
}

function Undelivered({ submission, threadKey }: { submission: SubmissionView; threadKey: string }) {
  const [busy, setBusy] = useState<"resend" | "edit" | null>(null);
  const { clientId, fault } = submission;
  const workspaceId = useHead((head) => head.workspaceId);
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
    <div role="alert" className="grid max-w-full justify-items-end gap-1.5">
      <p className="flex items-start gap-1.5 text-s text-bad">
        <CircleAlert aria-hidden size={14} className="mt-0.5 shrink-0" />
        <span className="break-words selectable">
          <span className="font-medium">Not delivered.</span> {fault?.message}
          {fault?.hint !== undefined && <span className="text-ink-2"> {fault.hint}</span>}
        </span>
      </p>
      <div className="flex flex-wrap justify-end gap-2">
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
      </div>
      {fault?.detail !== undefined && <Details text={fault.detail} />}
    </div>
  );
}
