// The head of the page of changes: which folder and branch, how it stands to its remote, and what goes beyond this machine.

import {
  ArrowUpFromLine,
  GitBranch,
  GitPullRequest,
  History,
  MessageSquareText,
  MoreHorizontal,
  RefreshCw,
} from "lucide-react";
import type { WorkspaceView } from "../../preload/contract/app";
import type { RepositoryChanges } from "../../preload/contract/changes";
import { backToThread } from "../state/navigation";
import { threadStore } from "../state/threadStore";
import { showDialog } from "../state/uiStore";
import { Button } from "../ui/Button";
import { Chip } from "../ui/Chip";
import { Hint } from "../ui/Hint";
import { IconButton } from "../ui/IconButton";
import { MenuButton, MenuItem } from "../ui/Menu";
import { Spinner } from "../ui/Spinner";
import { useOwnJob } from "./commit/jobs";
import { push } from "./commit/push";
import { pushWords, upstreamWords, whyNoPush } from "./commit/pushWords";
import { changesStore, lookAgain, useChangesView } from "./state/changesStore";

/** In a small head the buttons are icons. */
const word = "@max-[720px]:sr-only";
const button = "@max-[720px]:gap-0 @max-[720px]:px-[6px]";

export function ChangesHead({ workspace }: { workspace: WorkspaceView }) {
  const { listing, looking } = useChangesView(workspace.id);
  const working = changesStore((store) => store.working);
  const title = threadStore(({ shown }) => (shown.phase === "shown" ? shown.copy.head.title : null));
  const changes = listing?.state === "repository" ? listing.changes : null;
  return (
    <>
      <h1 className="shrink-0 truncate text-l font-semibold tracking-[-0.01em]">Changes</h1>
      {/* In a small head the branch says more than a letter of this. */}
      <span className="min-w-0 truncate text-s text-ink-2 @max-[520px]:hidden" title={workspace.path}>
        {workspace.name}
      </span>
      {changes && <Branch changes={changes} />}
      <span role="status" className="flex min-w-0 items-center gap-1.5 truncate text-s text-ink-3">
        {working !== null && (
          <>
            <Spinner />
            <span className="truncate">{working}</span>
          </>
        )}
      </span>
      <span className="flex-1" />
      {title !== null && (
        <IconButton
          label={title === "" ? "Back to the thread" : `Back to “${title}”`}
          icon={<MessageSquareText size={15} />}
          onClick={backToThread}
        />
      )}
      <IconButton
        label="Look at the folder again"
        icon={<RefreshCw size={14} className={looking ? "animate-spin" : undefined} />}
        onClick={() => lookAgain(workspace.id)}
      />
      {changes && (
        <>
          <Push workspaceId={workspace.id} changes={changes} />
          <Button
            icon={<GitPullRequest aria-hidden size={14} />}
            className={button}
            disabled={changes.branch === null}
            onClick={() => showDialog({ kind: "pullRequest", workspaceId: workspace.id })}
          >
            <span className={word}>Pull request…</span>
          </Button>
          <MenuButton
            align="end"
            button={<IconButton label="More about these changes" icon={<MoreHorizontal size={16} />} />}
          >
            <MenuItem
              icon={<History size={14} />}
              onSelect={() => showDialog({ kind: "discarded", workspaceId: workspace.id })}
            >
              Discarded changes…
            </MenuItem>
          </MenuButton>
        </>
      )}
    </>
  );
}

function Branch({ changes }: { changes: RepositoryChanges }) {
  const { branch, head, operation } = changes;
  return (
    <>
      <Chip
        mono
        icon={<GitBranch aria-hidden size={12} className="shrink-0" />}
        title={upstreamWords(changes)}
        className="min-w-16! shrink"
      >
        {branch ?? (head === null ? "no commit yet" : `detached at ${head.sha.slice(0, 8)}`)}
      </Chip>
      {operation !== null && (
        <Chip tone="warn" className="shrink-0">
          {operation} under way
        </Chip>
      )}
      <span className="shrink-0 text-s text-ink-3 tabular @max-[620px]:hidden">{pushWords(changes)}</span>
    </>
  );
}

function Push({ workspaceId, changes }: { workspaceId: string; changes: RepositoryChanges }) {
  const job = useOwnJob(workspaceId, "push");
  const elsewhere = changes.jobs.some(({ kind, jobId }) => kind === "push" && jobId !== job?.jobId);
  const running = (job !== null && job.fault === null) || elsewhere;
  const reason = whyNoPush(changes);
  return (
    <Hint text={reason ?? upstreamWords(changes)}>
      <Button
        icon={<ArrowUpFromLine aria-hidden size={14} />}
        className={button}
        busy={running}
        disabled={reason !== null}
        aria-description={reason ?? undefined}
        once
        onClick={() => void push(workspaceId)}
      >
        <span className={word}>Push</span>
      </Button>
    </Hint>
  );
}
