import { ListEnd, Paperclip } from "lucide-react";
import { useMemo, useState } from "react";
import type { SubmissionView } from "../../preload/contract/thread";
import { count } from "../conversation/time/durations";
import { isCleanupPending } from "../state/cleanupPending";
import { call } from "../state/connection";
import { useHead, useThreadKey } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { CleanupActions } from "./CleanupActions";
import { Section } from "./Section";

export function FollowUps() {
  const submissions = useHead((head) => head.submissions);
  const running = useHead((head) => head.run !== null);
  const queued = useMemo(() => submissions.filter(({ mode }) => mode === "queue"), [submissions]);
  if (queued.length === 0) {
    return (
      <EmptyState compact icon={<ListEnd aria-hidden size={20} />} title="No follow-ups">
        What you queue while a turn runs waits here, and is sent in order when the turn ends.
      </EmptyState>
    );
  }
  return (
    <div className="px-4 py-3.5">
      <Section title={`Waiting to be sent · ${queued.length}`}>
        <ol className="grid gap-1.5">
          {queued.map((submission, index) => (
            <FollowUp
              key={submission.clientId}
              submission={submission}
              number={index + 1}
              next={index === 0 && running}
            />
          ))}
        </ol>
      </Section>
    </div>
  );
}

function words(state: SubmissionView["state"], next: boolean): string {
  switch (state) {
    case "sending":
      return "being handed to codex";
    case "sent":
      return next ? "next, when this turn ends" : "queued";
    case "undelivered":
      return "not delivered";
    default: {
      const unknown: never = state;
      return unknown;
    }
  }
}

interface FollowUpProps {
  submission: SubmissionView;
  number: number;
  next: boolean;
}

function FollowUp({ submission, number, next }: FollowUpProps) {
  const { text, attachments, state, fault } = submission;
  return (
    <li className="grid gap-1 rounded-m border border-line bg-raised px-2.5 py-2">
      <div className="flex gap-2">
        <span aria-hidden className="w-4 shrink-0 text-right text-s leading-5 text-ink-3 tabular">
          {number}
        </span>
        <p className="line-clamp-4 min-w-0 break-words whitespace-pre-wrap selectable" title={text}>
          {text === "" ? <span className="text-ink-2">No text</span> : text}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pl-6 text-xs text-ink-3">
        <span className={state === "undelivered" ? "font-medium text-bad" : undefined}>
          {words(state, next)}
        </span>
        {attachments.length > 0 && (
          <span className="inline-flex items-center gap-1">
            <Paperclip aria-hidden size={12} />
            {count(attachments.length, "attachment")}
          </span>
        )}
      </div>
      {state === "undelivered" && (
        <div className="grid justify-items-start gap-1.5 pl-6 text-s">
          {fault && <p className="break-words text-ink-2 selectable">{fault.message}</p>}
          <SendAgain clientId={submission.clientId} refused={isCleanupPending(fault)} />
        </div>
      )}
    </li>
  );
}

/** `refused`: something that is owed has to be gone first. */
function SendAgain({ clientId, refused }: { clientId: string; refused: boolean }) {
  const threadKey = useThreadKey();
  const workspaceId = useHead((head) => head.workspaceId);
  const [busy, setBusy] = useState(false);
  const resend = async () => {
    setBusy(true);
    await attempt(call("messages.resend", { threadKey, clientId }));
    setBusy(false);
  };
  if (refused) {
    return (
      <div className="flex flex-wrap gap-2">
        <CleanupActions size="s" workspaceId={workspaceId} goOn={resend} />
      </div>
    );
  }
  return (
    <Button size="s" busy={busy} onClick={() => void resend()}>
      Send again
    </Button>
  );
}
