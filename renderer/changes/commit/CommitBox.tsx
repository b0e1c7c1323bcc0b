// The next commit: its message, which main keeps as the draft of this workspace, and the button that makes it.

import { Sparkles, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { RepositoryChanges } from "../../../preload/contract/changes";
import { useDraft } from "../../composer/useDraft";
import { count } from "../../conversation/time/durations";
import { onSignal } from "../../state/signals";
import { toast } from "../../state/toasts";
import { Button } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { Hint } from "../../ui/Hint";
import { IconButton } from "../../ui/IconButton";
import { pressMatches } from "../../ui/keys";
import { Notice } from "../../ui/Notice";
import { Said } from "../../ui/Said";
import { Spinner } from "../../ui/Spinner";
import { plainSaid } from "../../ui/saidPieces";
import { JobFault, JobOutput } from "./JobOutput";
import { cancelJob, dismissJob, faultToShow, runJob, useOwnJob } from "./jobs";
import { whatOf, whyNoCommit, widthHint } from "./message";

export function CommitBox({ workspaceId, changes }: { workspaceId: string; changes: RepositoryChanges }) {
  const { draft, view } = useDraft(`commit:${workspaceId}`);
  const [amend, setAmend] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => onSignal("focus-commit", () => field.current?.focus()), []);
  const commitJob = useOwnJob(workspaceId, "commit");
  // One of this window's own that has failed may be on a list that was made before.
  const elsewhere = changes.jobs.find(({ kind, jobId }) => kind === "commit" && jobId !== commitJob?.jobId);
  const running = (commitJob !== null && commitJob.fault === null) || elsewhere !== undefined;
  const fault = faultToShow(commitJob, changes.jobs);
  const what = whatOf(changes);
  const files = changes.files.filter((file) => what === "everything" || file.staged !== null).length;
  const reason = whyNoCommit(changes, { message: view.text, amend, running });
  const hint = widthHint(view.text);
  const { head } = changes;

  const commit = async () => {
    if (reason !== null) return;
    const message = draft.view.text;
    const made = await runJob("changes.commit", "commit", { workspaceId, message, what, amend });
    if (!made) return;
    setAmend(false);
    // What was written while hooks ran is for the next one.
    if (draft.view.text === message) draft.replace({ text: "", attachments: [] });
    toast(`Committed ${made.sha.slice(0, 8)}: ${made.subject}`, { tone: "ok" });
  };
  const toggleAmend = () => {
    const next = !amend;
    setAmend(next);
    if (head === null) return;
    if (next && view.text.trim() === "") draft.edit(head.message.trimEnd());
    if (!next && view.text === head.message.trimEnd()) draft.edit("");
  };
  const press = (event: KeyboardEvent) => {
    if (!pressMatches(event, "mod+enter") || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!event.repeat) void commit();
  };
  return (
    <section
      aria-label="Commit"
      className="grid max-h-[75%] shrink-0 grid-cols-[minmax(0,1fr)] gap-1.5 overflow-y-auto border-t border-line p-2"
    >
      {commitJob && fault && (
        <JobFault
          fault={fault}
          output={commitJob.output}
          onDismiss={() => dismissJob(workspaceId, "commit")}
        />
      )}
      {view.fault && (
        <Notice
          live
          tone="warning"
          title={view.fault.fault.message}
          hint={view.fault.fault.hint}
          onDismiss={() => draft.dismissFault()}
        />
      )}
      <div
        className={cx(
          "rounded-s border border-field-line bg-raised",
          "has-[textarea:focus-visible]:border-focus has-[textarea:focus-visible]:outline-1 has-[textarea:focus-visible]:-outline-offset-1 has-[textarea:focus-visible]:outline-focus",
        )}
      >
        <textarea
          ref={field}
          aria-label="Commit message"
          aria-describedby={hint === null ? undefined : id}
          value={view.text}
          rows={2}
          placeholder="Commit message"
          onChange={(event) => draft.edit(event.target.value)}
          onCompositionStart={() => draft.setComposing(true)}
          onCompositionEnd={() => draft.setComposing(false)}
          onKeyDown={press}
          className="block max-h-48 min-h-12 w-full resize-none field-sizing-content overflow-y-auto bg-transparent px-2 py-1.5 font-mono text-s outline-none focus-visible:outline-none"
        />
        <div className="flex h-7 items-center gap-1 px-1">
          <Suggestion
            workspaceId={workspaceId}
            what={what}
            text={view.text}
            cannot={changes.files.length === 0 ? "Nothing has changed." : null}
            now={() => draft.view.text}
            use={(text) => {
              draft.replace({ text, attachments: [] });
              field.current?.focus();
            }}
          />
          <span className="flex-1" />
          {hint !== null && (
            <span id={id} className="min-w-0 truncate pr-1 text-xs text-ink-3">
              {hint}
            </span>
          )}
        </div>
      </div>
      {amend && head?.isPushed && (
        <p className="text-s text-warn">
          That commit is pushed already. It can be changed here, but pushing it again will be refused.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <label className="flex h-6 items-center gap-1.5 text-s text-ink-2">
          <input
            type="checkbox"
            checked={amend}
            disabled={head === null}
            onChange={toggleAmend}
            className="accent-accent"
          />
          Amend the last
        </label>
        <span className="flex-1" />
        {running && (
          <IconButton
            label="Cancel the commit"
            size="s"
            side="top"
            icon={<X size={14} />}
            onClick={() => void cancelJob(commitJob?.jobId ?? elsewhere?.jobId ?? "")}
          />
        )}
        <Hint
          text={reason ?? (what === "staged" ? "What is staged" : "Everything that differs in the folder")}
          shortcut={reason === null ? "mod+enter" : undefined}
          side="top"
        >
          <Button
            tone="primary"
            busy={running}
            disabled={reason !== null && !running}
            aria-description={reason ?? undefined}
            once
            onClick={() => void commit()}
          >
            {amend
              ? "Amend"
              : what === "staged"
                ? `Commit ${count(files, "staged file")}`
                : "Commit everything"}
          </Button>
        </Hint>
      </div>
      {commitJob !== null && commitJob.fault === null && <JobOutput output={commitJob.output} />}
    </section>
  );
}

interface SuggestionProps {
  workspaceId: string;
  what: "staged" | "everything";
  text: string;
  cannot: string | null;
  now: () => string;
  use: (text: string) => void;
}

/** codex is asked for a message. What is written meanwhile is not replaced. */
function Suggestion({ workspaceId, what, text, cannot, now, use }: SuggestionProps) {
  const job = useOwnJob(workspaceId, "suggestion");
  const suggest = async () => {
    const before = text;
    const made = await runJob("changes.suggestMessage", "suggestion", { workspaceId, what });
    if (!made) return;
    if (now() !== before) {
      toast("A message was suggested", {
        hint: made.message,
        actions: [{ label: "Use it", run: () => use(made.message) }],
        shownMs: 20_000,
      });
      return;
    }
    use(made.message);
    if (before.trim() !== "") {
      toast("The message was replaced", { actions: [{ label: "Undo", run: () => use(before) }] });
    }
  };
  if (job !== null && job.fault === null) {
    return (
      <>
        <span role="status" className="flex items-center gap-1.5 pl-1 text-s text-ink-2">
          <Spinner />
          Asking codex…
        </span>
        <Button size="s" tone="quiet" onClick={() => void cancelJob(job.jobId)}>
          Cancel
        </Button>
      </>
    );
  }
  return (
    <>
      <Hint text={cannot ?? "codex reads what is to be committed and writes a message"} side="top">
        <Button
          size="s"
          tone="quiet"
          disabled={cannot !== null}
          aria-description={cannot ?? undefined}
          icon={<Sparkles aria-hidden size={13} />}
          once
          onClick={() => void suggest()}
        >
          Suggest a message
        </Button>
      </Hint>
      {job?.fault && (
        <Hint text={plainSaid([job.fault.message, job.fault.hint].filter(Boolean).join(" "))} side="top">
          <button
            type="button"
            onClick={() => dismissJob(workspaceId, "suggestion")}
            className="truncate rounded-xs text-s text-bad"
          >
            <span role="alert">
              <Said>{job.fault.message}</Said>
            </span>
          </button>
        </Hint>
      )}
    </>
  );
}
