// Pushes the branch that is checked out.

import { toast } from "../../state/toasts";
import { runJob } from "./jobs";

export async function push(workspaceId: string): Promise<boolean> {
  const done = await runJob("changes.push", "push", { workspaceId, remote: null });
  if (!done) return false;
  toast(`Pushed to ${done.remote}/${done.branch}`, {
    tone: "ok",
    hint: done.upstreamSet ? "The branch follows it from now on." : null,
  });
  return true;
}
