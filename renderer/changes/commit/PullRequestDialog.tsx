// A pull request for the branch that is checked out, opened through the GitHub command line tool.

import { ExternalLink } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { CallResult } from "../../../preload/contract";
import type { FaultView } from "../../../preload/contract/fault";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { attempt, toast } from "../../state/toasts";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/Notice";
import { Spinner } from "../../ui/Spinner";
import { SwitchControl } from "../../ui/Switch";
import { TextField } from "../../ui/TextField";
import { useWritten } from "../../ui/written";
import { useChangesView } from "../state/changesStore";
import { JobOutput } from "./JobOutput";
import { cancelJob, dismissJob, runJob, useOwnJob } from "./jobs";
import { push } from "./push";
import { whyNoPush } from "./pushWords";

type Found = CallResult<"changes.pullRequest">;

export function PullRequestDialog({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const { found, fault, look } = useFound(workspaceId);
  return (
    <Dialog open onClose={onClose} title="Pull request" width="l">
      {fault && (
        <Notice
          live
          tone="error"
          title={fault.message}
          hint={fault.hint}
          detail={fault.detail}
          actions={<Button onClick={look}>Try again</Button>}
        />
      )}
      {!found && !fault && (
        <p role="status" className="flex items-center gap-2 text-ink-2">
          <Spinner />
          Asking GitHub…
        </p>
      )}
      {found && <Body workspaceId={workspaceId} found={found} look={look} onClose={onClose} />}
    </Dialog>
  );
}

interface BodyProps {
  workspaceId: string;
  found: Found;
  look: () => void;
  onClose: () => void;
}

function Body({ workspaceId, found, look, onClose }: BodyProps) {
  const { existing, cannot } = found;
  if (existing) {
    return (
      <div className="grid justify-items-start gap-3">
        <p>
          There is a pull request for this branch: <strong>#{existing.number}</strong> {existing.title}
        </p>
        <Button
          tone="primary"
          icon={<ExternalLink aria-hidden size={14} />}
          onClick={() => open(existing.url)}
        >
          Open it in the browser
        </Button>
        <p className="text-s text-ink-3">What is pushed to the branch is added to it.</p>
        <PushFirst workspaceId={workspaceId} pushed={look} />
      </div>
    );
  }
  if (cannot) {
    return (
      <div className="grid gap-3">
        <Notice
          tone="warning"
          title={cannot.message}
          hint={cannot.hint}
          detail={cannot.detail}
          actions={<Button onClick={look}>Look again</Button>}
        />
        <PushFirst workspaceId={workspaceId} pushed={look} />
      </div>
    );
  }
  return <Form workspaceId={workspaceId} found={found} onClose={onClose} />;
}

/** What is not pushed is not in a pull request. */
function PushFirst({ workspaceId, pushed }: { workspaceId: string; pushed: () => void }) {
  const { listing } = useChangesView(workspaceId);
  const job = useOwnJob(workspaceId, "push");
  if (listing?.state !== "repository" || whyNoPush(listing.changes) !== null) return null;
  const running = job !== null && job.fault === null;
  const press = async () => {
    if (await push(workspaceId)) pushed();
  };
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-3 text-s text-ink-2">
        <Button busy={running} once onClick={() => void press()}>
          Push first
        </Button>
        There are commits that are not pushed yet.
      </div>
      {job?.fault && (
        <Notice live tone="error" title={job.fault.message} hint={job.fault.hint} detail={job.fault.detail} />
      )}
    </div>
  );
}

function Form({ workspaceId, found, onClose }: Omit<BodyProps, "look">) {
  const [title, setTitle] = useState(found.title);
  const [body, setBody] = useState(found.body);
  const [base, setBase] = useState(found.base ?? "");
  const [isDraft, setDraft] = useState(false);
  const job = useOwnJob(workspaceId, "pull request");
  const running = job !== null && job.fault === null;
  useWritten(!running && (title !== found.title || body !== found.body));
  const submit = async () => {
    if (title.trim() === "") return;
    const made = await runJob("changes.openPullRequest", "pull request", {
      workspaceId,
      title: title.trim(),
      body,
      base: base.trim() === "" ? null : base.trim(),
      draft: isDraft,
    });
    if (!made) return;
    toast(made.outcome === "opened" ? "Pull request opened" : "There is a pull request already", {
      tone: "ok",
      hint: made.url,
      actions: [{ label: "Open in the browser", run: () => open(made.url) }],
      shownMs: 20_000,
    });
    onClose();
  };
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <PushFirst workspaceId={workspaceId} pushed={() => {}} />
      <TextField
        label="Title"
        value={title}
        maxLength={300}
        onChange={setTitle}
        error={title.trim() === "" ? "A title is needed." : null}
      />
      <label className="grid gap-1 text-s font-medium">
        Description
        <textarea
          value={body}
          maxLength={60_000}
          rows={10}
          onChange={(event) => setBody(event.target.value)}
          className="resize-y rounded-s border border-field-line bg-raised px-2 py-1.5 text-m font-normal"
        />
      </label>
      <TextField
        label="Into"
        value={base}
        mono
        placeholder="the repository's usual branch"
        onChange={setBase}
      />
      <div className="flex items-center gap-3">
        <span className="grid flex-1">
          <span className="text-s font-medium">As a draft</span>
          <span className="text-s text-ink-3">It can be looked at, and cannot be merged yet.</span>
        </span>
        <SwitchControl label="As a draft" checked={isDraft} onChange={setDraft} />
      </div>
      {job?.fault && (
        <Notice
          live
          tone="error"
          title={job.fault.message}
          hint={job.fault.hint}
          detail={job.fault.detail}
          onDismiss={() => dismissJob(workspaceId, "pull request")}
        />
      )}
      {running && <JobOutput output={job.output} />}
      <div className="flex justify-end gap-2">
        {running && (
          <Button tone="quiet" onClick={() => void cancelJob(job.jobId)}>
            Cancel
          </Button>
        )}
        <Button type="submit" tone="primary" busy={running} disabled={title.trim() === ""} once>
          Open pull request
        </Button>
      </div>
    </form>
  );
}

function open(url: string): void {
  void attempt(call("shell.openLink", { url }));
}

function useFound(workspaceId: string) {
  const [found, setFound] = useState<Found | null>(null);
  const [fault, setFault] = useState<FaultView | null>(null);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is a reason to ask again
  useEffect(() => {
    let over = false;
    setFound(null);
    setFault(null);
    call("changes.pullRequest", { workspaceId }).then(
      (answer) => {
        if (!over) setFound(answer);
      },
      (error: unknown) => {
        if (!over) setFault(faultOf(error));
      },
    );
    return () => {
      over = true;
    };
  }, [workspaceId, asked]);
  const look = useCallback(() => setAsked((count) => count + 1), []);
  return { found, fault, look };
}
