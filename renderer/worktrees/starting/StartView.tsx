// In the place of a thread that is still to begin in a worktree: its message, how far it is, what the set-up prints, and what
// the person can do. What is typed here meanwhile is the thread's draft.

import { Check, FolderGit2, LoaderCircle } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { WorktreeStartView } from "../../../preload/contract/worktrees";
import { useDraft } from "../../composer/useDraft";
import { useToldHeight } from "../../composer/useToldHeight";
import { AnsiText } from "../../conversation/ansi/AnsiText";
import { FoldScope } from "../../conversation/items/Article";
import { AttachmentList } from "../../conversation/items/AttachmentList";
import { Elapsed } from "../../conversation/items/Elapsed";
import { UserText } from "../../conversation/items/UserText";
import { PaneHead } from "../../shell/PaneHead";
import { useWorkspace } from "../../state/appStore";
import { call } from "../../state/connection";
import { onSignal } from "../../state/signals";
import { useShownStart } from "../../state/starts";
import { attempt, toast } from "../../state/toasts";
import { showDialog } from "../../state/uiStore";
import { Button } from "../../ui/Button";
import { Chip } from "../../ui/Chip";
import { cx } from "../../ui/cx";
import { Notice } from "../../ui/Notice";
import { useSetupOutput } from "./outputs";
import { anywayWords, endingWords, leftWords, startTitle } from "./startWords";

/** There is something to decide. */
const leftShownMs = 15_000;

export function StartView() {
  const start = useShownStart();
  return start ? <Shown key={start.startId} start={start} /> : null;
}

function Shown({ start }: { start: WorktreeStartView }) {
  const { startId, branch, title, text, attachments, state, hasMessage } = start;
  return (
    <>
      <PaneHead inspector={false}>
        <h1 className="min-w-0 shrink truncate text-l font-semibold tracking-[-0.01em]" title={title}>
          {startTitle(start)}
        </h1>
        <Chip mono icon={<FolderGit2 aria-hidden size={12} className="shrink-0" />}>
          {branch}
        </Chip>
      </PaneHead>
      <section
        aria-label="Beginning in a worktree"
        data-pane="conversation"
        className="min-h-0 flex-1 overflow-y-auto px-6 pb-4"
      >
        <div className="mx-auto grid max-w-190 gap-4 pt-2.5">
          {hasMessage && (
            <FoldScope name={`${startId}/message`}>
              <article aria-label="You" className="flex flex-col items-end gap-1.5 pl-[14%]">
                {text !== "" && <UserText text={text} dim />}
                <AttachmentList attachments={attachments} />
              </article>
            </FoldScope>
          )}
          <Steps start={start} />
          {/* Before what it has printed, so that it is in view also in a low window. */}
          {state.phase === "stopped" && <Stopped start={start} state={state} />}
          {state.phase !== "making" && <Output startId={startId} phase={state.phase} />}
        </div>
      </section>
      <Next threadKey={start.threadKey} />
    </>
  );
}

type StepState = "done" | "now" | "later" | "stopped";

function Steps({ start }: { start: WorktreeStartView }) {
  const { startId, state, workspaceId, hasMessage } = start;
  // It may have been taken away since it has run.
  const hasSetup = start.hasSetup || state.phase === "setting up" || state.phase === "stopped";
  const parent = useWorkspace(workspaceId)?.name;
  const isSettingUp = state.phase === "setting up";
  const making: StepState = state.phase === "making" ? "now" : "done";
  const settingUp: StepState =
    state.phase === "making" ? "later" : isSettingUp ? "now" : state.phase === "stopped" ? "stopped" : "done";
  return (
    <div className="grid gap-2">
      <ol role="status" aria-label="Progress" className="grid gap-1">
        <Step state={making}>Make the worktree{parent === undefined ? "" : ` of ${parent}`}</Step>
        {hasSetup && (
          <Step state={settingUp}>
            Run the set-up
            {state.phase === "setting up" && (
              <span className="text-ink-3 tabular">
                {" "}
                · <Elapsed sinceMs={state.sinceMs} />
              </span>
            )}
          </Step>
        )}
        <Step state={state.phase === "starting" ? "now" : "later"}>
          {hasMessage ? "Start the thread with your message" : "Go to a new thread in it"}
        </Step>
      </ol>
      {state.phase === "making" && hasMessage && (
        <div>
          <TakeBack start={start} />
        </div>
      )}
      {isSettingUp && (
        <div className="flex flex-wrap gap-2">
          <Act startId={startId} what="worktreeStarts.stop">
            Stop the set-up
          </Act>
          <Act startId={startId} what="worktreeStarts.anyway" tone="quiet">
            {anywayWords(start)}
          </Act>
        </div>
      )}
    </div>
  );
}

const stepWords: Record<StepState, string> = {
  done: "done",
  now: "under way",
  later: "to come",
  stopped: "did not succeed",
};

function Step({ state, children }: { state: StepState; children: ReactNode }) {
  return (
    <li className={cx("flex items-center gap-2", state === "later" ? "text-ink-3" : "text-ink")}>
      <span aria-hidden className="grid w-4 shrink-0 place-items-center">
        {state === "done" && <Check size={14} className="text-ok" />}
        {state === "now" && <LoaderCircle size={14} className="animate-spin text-accent" />}
        {state === "later" && <span className="size-1.5 rounded-full bg-line-strong" />}
        {state === "stopped" && <span className="size-2 rounded-full bg-warn" />}
      </span>
      <span>{children}</span>
      <span className="sr-only">, {stepWords[state]}</span>
    </li>
  );
}

function Output({ startId, phase }: { startId: string; phase: string }) {
  const { text, isCut } = useSetupOutput(startId, phase);
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in the box decides where its end is
  useLayoutEffect(() => {
    const element = box.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [text]);
  if (text === "") return null;
  return (
    <div className="overflow-hidden rounded-m border border-line bg-canvas">
      {isCut && (
        <p className="border-b border-line px-3 py-1 text-s text-ink-3">
          What came before this is kept no more.
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: not a group of fields */}
      <pre
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard
        tabIndex={0}
        role="group"
        aria-label="Output of the set-up"
        onScroll={(event) => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
          atEnd.current = scrollHeight - clientHeight - scrollTop < 8;
        }}
        className="ring-inset max-h-90 overflow-auto overscroll-x-contain px-3 py-2 font-mono text-s leading-[18px] whitespace-pre text-ink-2 selectable"
      >
        <AnsiText text={text} />
      </pre>
    </div>
  );
}

function Stopped({
  start,
  state,
}: {
  start: WorktreeStartView;
  state: Extract<WorktreeStartView["state"], { phase: "stopped" }>;
}) {
  const { startId, workspaceId, hasMessage } = start;
  const { title, hint } = endingWords(state.ending, hasMessage);
  return (
    <Notice
      live
      tone="warning"
      title={title}
      hint={hint}
      detail={state.ending.fault?.detail}
      actions={
        <>
          <Act startId={startId} what="worktreeStarts.again">
            Run the set-up again
          </Act>
          <Act startId={startId} what="worktreeStarts.anyway">
            {anywayWords(start)}
          </Act>
          <Button tone="quiet" onClick={() => showDialog({ kind: "worktreeSetup", workspaceId })}>
            Edit set-up script…
          </Button>
          {hasMessage && <TakeBack start={start} />}
        </>
      }
    />
  );
}

function TakeBack({ start }: { start: WorktreeStartView }) {
  const { startId, worktreeWorkspaceId: workspaceId, state } = start;
  const remove = {
    label: "Remove worktree…",
    run: () => showDialog({ kind: "removeWorktree", workspaceId }),
  };
  const sayLeft = () =>
    toast("Your message is in the field again", {
      hint: leftWords(start),
      // What is still being made cannot be removed yet.
      actions: state.phase === "making" ? [] : [remove],
      shownMs: leftShownMs,
    });
  return (
    <Act startId={startId} what="worktreeStarts.takeBack" tone="quiet" done={sayLeft}>
      Take the message back
    </Act>
  );
}

interface ActProps {
  startId: string;
  what: "worktreeStarts.again" | "worktreeStarts.anyway" | "worktreeStarts.takeBack" | "worktreeStarts.stop";
  tone?: "default" | "quiet";
  done?: () => void;
  children: ReactNode;
}

function Act({ startId, what, tone = "default", done, children }: ActProps) {
  const [busy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    if (await attempt(call(what, { startId }))) done?.();
    setBusy(false);
  };
  return (
    <Button once tone={tone} busy={busy} onClick={() => void act()}>
      {children}
    </Button>
  );
}

/** The thread's draft: the composer goes on with it when the thread has begun. */
function Next({ threadKey }: { threadKey: string }) {
  const { draft, view } = useDraft(threadKey);
  const box = useRef<HTMLElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useToldHeight(box);
  useEffect(() => onSignal("focus-composer", () => field.current?.focus()), []);
  return (
    <section ref={box} data-pane="composer" aria-label="Composer" className="shrink-0 px-6 pt-1.5 pb-3.5">
      <div className="mx-auto max-w-190 rounded-l border border-line-strong bg-raised shadow-low has-[textarea:focus-visible]:border-focus">
        <textarea
          ref={field}
          aria-label="Message"
          data-pane-stop
          rows={2}
          placeholder="What you write here is kept for the thread…"
          value={view.text}
          onChange={(event) => draft.edit(event.target.value)}
          onCompositionStart={() => draft.setComposing(true)}
          onCompositionEnd={() => draft.setComposing(false)}
          onBlur={() => draft.flush()}
          className="block max-h-[40vh] w-full resize-none field-sizing-content overflow-y-auto bg-transparent px-3.5 py-3 text-l outline-none focus-visible:outline-none"
        />
      </div>
    </section>
  );
}
