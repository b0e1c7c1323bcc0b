import { CircleAlert, Clock } from "lucide-react";
import type { SubmissionView } from "../../preload/contract/thread";
import { UndeliveredActions } from "../composer/UndeliveredActions";
import { useHead } from "../state/threadStore";
import { Details } from "../ui/Details";
import { Said } from "../ui/Said";
import { Spinner } from "../ui/Spinner";
import { FoldScope } from "./items/Article";
import { AttachmentList } from "./items/AttachmentList";
import { UserText } from "./items/UserText";
import { RunByline } from "./RunByline";

/** Something that was sent and that codex has not shown in the thread yet. */
export function SubmissionRow({ clientId }: { clientId: string }) {
  const submission = useHead((head) => head.submissions.find((each) => each.clientId === clientId));
  const threadKey = useHead((head) => head.key);
  if (!submission) return null;
  return (
    <FoldScope name={`${threadKey}/you:${clientId}`}>
      <article
        aria-label={submission.byRun ? "Script" : "You"}
        className="flex flex-col items-end gap-1.5 pt-2.5 pl-[14%]"
      >
        {submission.byRun && <RunByline run={submission.byRun} />}
        {submission.text !== "" && (
          <UserText
            text={submission.text}
            dim={submission.state !== "undelivered"}
            byOther={submission.byRun !== undefined}
          />
        )}
        <AttachmentList attachments={submission.attachments} />
        {submission.state === "undelivered" ? (
          <Undelivered submission={submission} />
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

function Undelivered({ submission }: { submission: SubmissionView }) {
  const { fault } = submission;
  return (
    <div role="alert" className="grid max-w-full justify-items-end gap-1.5">
      <p className="flex items-start gap-1.5 text-s text-bad">
        <CircleAlert aria-hidden size={14} className="mt-0.5 shrink-0" />
        <span className="break-words selectable">
          <span className="font-medium">Not delivered.</span> <Said>{fault?.message}</Said>
          {fault?.hint !== undefined && (
            <span className="text-ink-2">
              {" "}
              <Said>{fault.hint}</Said>
            </span>
          )}
        </span>
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <UndeliveredActions submission={submission} />
      </div>
      {fault?.detail !== undefined && <Details text={fault.detail} />}
    </div>
  );
}
