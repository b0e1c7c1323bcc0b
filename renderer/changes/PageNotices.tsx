// What stands above the changes when something went wrong with the folder as a whole, or when a push takes its time.

import { useEffect, useState } from "react";
import type { FaultView } from "../../preload/contract/fault";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { JobFault, JobOutput } from "./commit/JobOutput";
import { cancelJob, dismissJob, faultToShow, useOwnJob } from "./commit/jobs";
import { lookAgain, useChangesView } from "./state/changesStore";

/** Most pushes are through before anybody could read what they print. */
const pushShownAfterMs = 1_500;

/** `fault`: why the last look at the folder did not work, while what was known is still shown. */
export function PageNotices({ workspaceId, fault }: { workspaceId: string; fault: FaultView | null }) {
  const push = useOwnJob(workspaceId, "push");
  const { listing } = useChangesView(workspaceId);
  const jobs = listing?.state === "repository" ? listing.changes.jobs : [];
  // One that another window has begun, or this one before it was loaded again, can be stopped too.
  const running =
    push !== null && push.fault === null
      ? push.jobId
      : (jobs.find(({ kind, jobId }) => kind === "push" && jobId !== push?.jobId)?.jobId ?? null);
  const takesLong = useTakesLong(running);
  const pushFault = faultToShow(push, jobs);
  if (fault === null && !pushFault && !takesLong) return null;
  return (
    <div className="grid shrink-0 gap-2 border-b border-line p-2.5">
      {fault && (
        <Notice
          live
          tone="warning"
          title={fault.message}
          hint={fault.hint ?? "What is shown is the last that was known."}
          detail={fault.detail}
          actions={<Button onClick={() => lookAgain(workspaceId)}>Look again</Button>}
        />
      )}
      {running !== null && takesLong && (
        <Pushing jobId={running} output={push?.jobId === running ? push.output : ""} />
      )}
      {push && pushFault && (
        <JobFault fault={pushFault} output={push.output} onDismiss={() => dismissJob(workspaceId, "push")} />
      )}
    </div>
  );
}

function Pushing({ jobId, output }: { jobId: string; output: string }) {
  return (
    <div className="grid gap-1.5">
      <Notice
        live
        tone="info"
        title="The push takes its time"
        hint="git, the remote or a hook is still at work."
        actions={<Button onClick={() => void cancelJob(jobId)}>Stop the push</Button>}
      />
      <JobOutput output={output} />
    </div>
  );
}

/** It is still the same one after a while. */
function useTakesLong(jobId: string | null): boolean {
  const [long, setLong] = useState<string | null>(null);
  useEffect(() => {
    if (jobId === null) return;
    const timer = setTimeout(() => setLong(jobId), pushShownAfterMs);
    return () => clearTimeout(timer);
  }, [jobId]);
  return jobId !== null && long === jobId;
}
