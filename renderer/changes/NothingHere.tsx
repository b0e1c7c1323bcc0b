// What the page says when there is no difference to show: why, and what can be done about it.

import { CircleCheck, FolderGit2, SearchX } from "lucide-react";
import type { WorkspaceView } from "../../preload/contract/app";
import type { FaultView } from "../../preload/contract/fault";
import { goToChanges } from "../state/navigation";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";
import { changesStore, lookAgain } from "./state/changesStore";
import type { Listing } from "./state/follower";
import type { AgainstState } from "./state/useAgainst";

export function NoRepository({ workspace, fault }: { workspace: WorkspaceView; fault: FaultView }) {
  return (
    <Centre>
      <EmptyState
        icon={<FolderGit2 aria-hidden size={22} />}
        title={fault.message}
        actions={
          <>
            <Button onClick={() => lookAgain(workspace.id)}>Look again</Button>
            <Button tone="quiet" onClick={() => goToChanges(null, { source: "thread" })}>
              Show this thread's changes
            </Button>
          </>
        }
      >
        {fault.hint}
      </EmptyState>
    </Centre>
  );
}

export interface NothingListedProps {
  listing: Listing | null;
  fault: FaultView | null;
  source: "folder" | "thread" | "base";
  filter: string;
  against: AgainstState;
}

export function NothingListed({ listing, fault, source, filter, against }: NothingListedProps) {
  if (fault && listing === null) {
    return (
      <div className="p-4">
        <Notice live tone="error" title={fault.message} hint={fault.hint} detail={fault.detail} />
      </div>
    );
  }
  if ((listing === null && source !== "thread") || (source === "base" && against.loading)) {
    return (
      <Centre>
        <p role="status" className="flex animate-late items-center justify-center gap-2 text-ink-2">
          <Spinner />
          Looking at the folder…
        </p>
      </Centre>
    );
  }
  if (filter !== "") {
    return (
      <Centre>
        <EmptyState
          icon={<SearchX aria-hidden size={22} />}
          title="No file fits the filter"
          actions={<Button onClick={() => changesStore.setState({ filter: "" })}>Clear the filter</Button>}
        />
      </Centre>
    );
  }
  if (source === "thread") {
    return (
      <Centre>
        <EmptyState icon={<CircleCheck aria-hidden size={22} />} title="This thread has changed no file">
          Every file that codex changes in it will be listed here.
        </EmptyState>
      </Centre>
    );
  }
  if (source === "base") {
    return (
      <Centre>
        <EmptyState icon={<CircleCheck aria-hidden size={22} />} title="There is no difference">
          {against.of === null
            ? "Choose a branch to compare with."
            : `Everything here is as it was where this branch left ${against.of}.`}
        </EmptyState>
      </Centre>
    );
  }
  const branch = listing?.state === "repository" ? listing.changes.branch : null;
  return (
    <Centre>
      <EmptyState icon={<CircleCheck aria-hidden size={22} />} title="Nothing has changed">
        {branch === null ? "The folder" : `The folder on ${branch}`} is as it was at the last commit.
      </EmptyState>
    </Centre>
  );
}

function Centre({ children }: { children: React.ReactNode }) {
  return <div className="grid min-h-0 flex-1 content-center">{children}</div>;
}
