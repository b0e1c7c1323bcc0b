// What stands in the way of the next message, right above the field.

import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { CleanupActions } from "../inspector/CleanupActions";
import { isCleanupPending } from "../state/cleanupPending";
import { locateWorkspace, unarchiveThread } from "../state/threadActions";
import { useHead, useThreadKey } from "../state/threadStore";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import type { Blocked } from "./blocked";
import { putDraftAside } from "./ComposerBoundary";
import type { Draft, DraftFault } from "./draft";

export function BlockedLine({ blocked, id }: { blocked: Blocked; id: string }) {
  return (
    <div className="flex min-h-9 items-center gap-2 border-b border-line px-3.5 py-1 text-s text-ink-2">
      <Lock aria-hidden size={13} className="shrink-0 text-ink-3" />
      <p id={id} role="status" className="min-w-0 flex-1 text-pretty">
        {blocked.saidAbove ? "Nothing can be sent until this is settled." : blocked.reason} What you write
        here is kept.
      </p>
      <Remedy remedy={blocked.remedy} />
    </div>
  );
}

function Remedy({ remedy }: { remedy: Blocked["remedy"] }) {
  const threadKey = useThreadKey();
  const threadId = useHead((head) => head.threadId);
  const workspaceId = useHead((head) => head.workspaceId);
  switch (remedy) {
    case null:
      return null;
    case "unarchive":
      return (
        <Button size="s" onClick={() => void unarchiveThread(threadId ?? threadKey)}>
          Unarchive
        </Button>
      );
    case "locate":
      return (
        <Button size="s" onClick={() => void locateWorkspace(workspaceId)}>
          Locate…
        </Button>
      );
    default: {
      const unknown: never = remedy;
      return unknown;
    }
  }
}

const titles: Record<DraftFault["what"], string> = {
  load: "What you wrote here before could not be read.",
  keep: "This text could not be kept on disk.",
  send: "The message was not sent.",
};

export function DraftFaultNotice({ draft, failed }: { draft: Draft; failed: DraftFault }) {
  const { what, fault } = failed;
  const workspaceId = useHead((head) => head.workspaceId);
  const actions: Record<DraftFault["what"], ReactNode> = {
    load: (
      <>
        <Button size="s" onClick={() => draft.retryLoad()}>
          Try again
        </Button>
        <Button size="s" tone="quiet" onClick={() => void putDraftAside(draft.key)}>
          Put the draft aside
        </Button>
      </>
    ),
    keep: (
      <Button size="s" onClick={() => draft.flush()}>
        Try again
      </Button>
    ),
    send: isCleanupPending(fault) ? (
      <CleanupActions size="s" workspaceId={workspaceId} goOn={() => draft.dismissFault()} />
    ) : undefined,
  };
  return (
    <Notice
      live
      tone="error"
      className="mb-2"
      title={`${titles[what]} ${fault.message}`}
      hint={fault.hint}
      detail={fault.detail}
      actions={actions[what]}
      onDismiss={what === "load" ? undefined : () => draft.dismissFault()}
    />
  );
}

export function BothKeptNotice({ draft }: { draft: Draft }) {
  return (
    <Notice
      live
      tone="info"
      className="mb-2"
      title="This draft was changed in two windows at once. Both versions are in it."
      onDismiss={() => draft.dismissBothKept()}
    />
  );
}
