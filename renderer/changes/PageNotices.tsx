// What stands above the changes when something went wrong with the folder as a whole.

import type { FaultView } from "../../preload/contract/fault";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { JobFault } from "./commit/JobOutput";
import { dismissJob, useOwnJob } from "./commit/jobs";
import { lookAgain } from "./state/changesStore";

/** `fault`: why the last look at the folder did not work, while what was known is still shown. */
export function PageNotices({ workspaceId, fault }: { workspaceId: string; fault: FaultView | null }) {
  const push = useOwnJob(workspaceId, "push");
  if (fault === null && !push?.fault) return null;
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
      {push?.fault && (
        <JobFault fault={push.fault} output={push.output} onDismiss={() => dismissJob(workspaceId, "push")} />
      )}
    </div>
  );
}
