import { CircleAlert } from "lucide-react";
import type { SubmissionView } from "../../preload/contract/thread";
import { UndeliveredActions } from "../composer/UndeliveredActions";
import { RunByline } from "../conversation/RunByline";
import { PlaceFault } from "../inspector/PlaceFault";
import { Section } from "../inspector/Section";
import { Spinner } from "../ui/Spinner";
import { inDoubtWords, lineOf } from "./words";

/** They are in no queue: nobody may know of them but Holdfast. */
export function UndeliveredFollowUps({ submissions }: { submissions: readonly SubmissionView[] }) {
  const undelivered = submissions.filter(({ state }) => state === "undelivered");
  const inDoubt = submissions.filter(({ state }) => state !== "undelivered");
  return (
    <>
      {undelivered.length > 0 && (
        <Group title="Not delivered" label="Follow-ups that were not delivered" submissions={undelivered} />
      )}
      {inDoubt.length > 0 && (
        // What is just taken up is one of these until codex shows it, in the next instant.
        <div className="animate-late">
          <Group title="Not confirmed" label="Follow-ups that are not confirmed" submissions={inDoubt} />
        </div>
      )}
    </>
  );
}

interface GroupProps {
  title: string;
  label: string;
  submissions: readonly SubmissionView[];
}

function Group({ title, label, submissions }: GroupProps) {
  return (
    <Section title={`${title} · ${submissions.length}`}>
      <ul aria-label={label} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        {submissions.map((submission) => (
          <Undelivered key={submission.clientId} submission={submission} />
        ))}
      </ul>
    </Section>
  );
}

function Undelivered({ submission }: { submission: SubmissionView }) {
  const { text, state, fault, byRun } = submission;
  return (
    <li
      aria-label={`${lineOf(submission)}, ${state === "undelivered" ? "not delivered" : "not confirmed"}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-1.5 rounded-m border border-line bg-raised px-2.5 py-1.5"
    >
      <div className="flex min-w-0 gap-1.5">
        <span className="grid h-5 shrink-0 place-items-center">
          {state === "undelivered" ? <CircleAlert aria-hidden size={13} className="text-bad" /> : <Spinner />}
        </span>
        <p className="line-clamp-4 min-w-0 break-words whitespace-pre-wrap selectable">
          {text.trim() === "" ? lineOf(submission) : text}
        </p>
      </div>
      {byRun && <RunByline run={byRun} />}
      {fault && <PlaceFault fault={fault} />}
      {fault === null && state !== "undelivered" && (
        <p className="text-s text-pretty text-ink-2">{inDoubtWords}</p>
      )}
      {state === "undelivered" && (
        <div className="flex flex-wrap gap-2">
          <UndeliveredActions submission={submission} />
        </div>
      )}
    </li>
  );
}
