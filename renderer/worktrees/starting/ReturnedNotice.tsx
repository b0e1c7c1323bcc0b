import { useApp } from "../../state/appStore";
import { call } from "../../state/connection";
import { useHead } from "../../state/threadStore";
import { attempt } from "../../state/toasts";
import { Notice } from "../../ui/Notice";

/** Above the field of a new thread: why a thread of this workspace could not begin in a worktree. Its message is in the field. */
export function ReturnedNotice() {
  const workspaceId = useHead((head) => head.workspaceId);
  const isNew = useHead((head) => head.threadId === null && head.submissions.length === 0);
  const returned = useApp((app) =>
    app.worktreeStarts.find((each) => each.workspaceId === workspaceId && each.state.phase === "returned"),
  );
  const fault = returned?.state.phase === "returned" ? returned.state.fault : null;
  if (!isNew || !returned || fault === null) return null;
  const { startId, branch } = returned;
  return (
    <Notice
      live
      tone="error"
      className="mb-2"
      title={`The thread could not begin in the worktree ${branch}. ${fault.message}`}
      hint={["Your message is in the field again.", fault.hint].filter(Boolean).join(" ")}
      detail={fault.detail}
      onDismiss={() => void attempt(call("worktreeStarts.dismiss", { startId }))}
    />
  );
}
