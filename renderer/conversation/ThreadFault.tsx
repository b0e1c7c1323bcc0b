// What stands in the way of a thread that can still be read: its folder has gone, another program has it open, it could
// not be loaded. Below its text, where the next message would go.

import { GitFork, RotateCcw } from "lucide-react";
import { useState } from "react";
import { call } from "../state/connection";
import { forkThread, locateWorkspace } from "../state/threadActions";
import { useHead } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { FaultBlock } from "./FaultBlock";
import { faultActions } from "./faultActions";

export function ThreadFault() {
  const fault = useHead((head) => head.fault);
  const threadKey = useHead((head) => head.key);
  const workspaceId = useHead((head) => head.workspaceId);
  const loading = useHead((head) => head.residency === "loading");
  const [busy, setBusy] = useState(false);
  if (!fault) return null;
  const reload = async () => {
    setBusy(true);
    await attempt(call("threads.reload", { threadKey }));
    setBusy(false);
  };
  const actions = faultActions(fault);
  return (
    <div className="px-6 pt-2">
      <div className="mx-auto max-w-190">
        <FaultBlock
          fault={fault}
          tone={fault.retryable ? "warning" : "error"}
          actions={
            <>
              {actions.includes("locate") && (
                <Button tone="primary" onClick={() => void locateWorkspace(workspaceId)}>
                  Locate…
                </Button>
              )}
              {actions.includes("retry") && (
                <Button
                  busy={busy || loading}
                  icon={<RotateCcw aria-hidden size={13} />}
                  onClick={() => void reload()}
                >
                  Retry
                </Button>
              )}
              {actions.includes("fork") && (
                <Button
                  tone={actions.includes("locate") ? "quiet" : "default"}
                  icon={<GitFork aria-hidden size={13} />}
                  onClick={() => void forkThread(threadKey, workspaceId)}
                >
                  Fork
                </Button>
              )}
            </>
          }
        />
      </div>
    </div>
  );
}
