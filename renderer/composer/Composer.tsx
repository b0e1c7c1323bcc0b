// Where the next message is written. It always takes text while a thread is shown; what keeps it from being sent is said
// in words.

import { Paperclip } from "lucide-react";
import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { goToLatest } from "../conversation/list/latest";
import { FollowUpStrip } from "../followUps/FollowUpStrip";
import { useApp } from "../state/appStore";
import { onSignal } from "../state/signals";
import { threadStore, useHead } from "../state/threadStore";
import { PlaceMenu } from "../threadPlace/PlaceMenu";
import { PlaceNotice } from "../threadPlace/PlaceNotice";
import { cx } from "../ui/cx";
import { IconButton } from "../ui/IconButton";
import { keyText } from "../ui/keys";
import { beginInWorktree, useInWorktree, useWish } from "../worktrees/starting/choice";
import { proposeBranch } from "../worktrees/starting/proposal";
import { ReturnedNotice } from "../worktrees/starting/ReturnedNotice";
import { WhereFields } from "../worktrees/starting/WhereFields";
import { WhereMenu } from "../worktrees/starting/WhereMenu";
import { AttachmentTray } from "./AttachmentTray";
import { attachFiles, pickImages } from "./attach";
import type { Blocked } from "./blocked";
import { ComposerBoundary } from "./ComposerBoundary";
import { BlockedLine, BothKeptNotice, DraftFaultNotice } from "./ComposerNotices";
import type { Draft, DraftView } from "./draft";
import type { SendMode } from "./draftMain";
import { LeftRunningStrip } from "./LeftRunningStrip";
import { MessageField } from "./MessageField";
import { PillRow } from "./PillRow";
import { SendButtons } from "./SendButtons";
import { SettingsMenus } from "./SettingsMenus";
import { useBlocked } from "./useBlocked";
import { useDraft } from "./useDraft";
import { useEscapeStops } from "./useEscapeStops";
import { insertText } from "./useMention";
import { useToldHeight } from "./useToldHeight";

const againWords = `Press ${keyText("escape")} again to stop`;

export function Composer() {
  const threadKey = threadStore(({ shown }) => (shown.phase === "shown" ? shown.key : null));
  if (threadKey === null) return null;
  return (
    <ComposerBoundary key={threadKey} threadKey={threadKey}>
      <ComposerPane threadKey={threadKey} />
    </ComposerBoundary>
  );
}

function ComposerPane({ threadKey }: { threadKey: string }) {
  const { draft, view } = useDraft(threadKey);
  const blocked = useBlocked();
  const running = useHead((head) => head.run !== null);
  const stopping = useHead((head) => head.run?.stopping ?? false);
  const enterSends = useApp((app) => app.settings.enterSends);
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLElement>(null);
  const reasonId = useId();
  const { isOver, dropHandlers } = useFileDrop(draft, field);
  useFocus(field);
  useToldHeight(box);

  const isEmpty = view.text === "" && view.attachments.length === 0 && view.attaching === 0;
  const escapeStops = useEscapeStops(threadKey, isEmpty, running && !stopping);
  const workspaceId = useHead((head) => head.workspaceId);
  const inWorktree = useInWorktree();
  const wish = useWish(threadKey);
  const press = (mode: SendMode) => {
    if (blocked) return;
    if (inWorktree) {
      draft.send("turn", (message) => {
        const branch = wish.branch ?? proposeBranch(message.text);
        return beginInWorktree(message, workspaceId, { branch, base: wish.base });
      });
    } else if (draft.send(mode) && mode !== "queue") goToLatest(threadKey);
    field.current?.focus();
  };
  const send = () => press(running ? "queue" : "turn");
  const steer = () => press(running ? "steer" : "turn");
  return (
    <section
      ref={box}
      data-pane="composer"
      aria-label="Composer"
      className="@container shrink-0 px-6 pt-1.5 pb-3.5"
    >
      <div className="relative mx-auto max-w-190">
        {view.fault && <DraftFaultNotice draft={draft} failed={view.fault} />}
        <PlaceNotice />
        <LeftRunningStrip />
        <FollowUpStrip />
        {view.bothKept && <BothKeptNotice draft={draft} />}
        <ReturnedNotice />
        <WhereFields text={view.text} />
        <div
          {...dropHandlers}
          className={cx(
            "relative rounded-l border bg-raised shadow-low transition-colors",
            "has-[textarea:focus-visible]:border-focus has-[textarea:focus-visible]:outline-1 has-[textarea:focus-visible]:-outline-offset-1 has-[textarea:focus-visible]:outline-focus",
            isOver ? "border-accent bg-accent-soft" : "border-line-strong",
          )}
        >
          {blocked && <BlockedLine blocked={blocked} id={reasonId} />}
          <AttachmentTray
            attachments={view.attachments}
            attaching={view.attaching}
            onRemove={(attachment) => {
              draft.detach(attachment);
              field.current?.focus();
            }}
          />
          <MessageField
            field={field}
            draft={draft}
            text={view.text}
            placeholder={
              isOver ? "Drop to attach" : escapeStops.isAsked ? againWords : "Message, or @ a file…"
            }
            enterSends={enterSends}
            describedBy={blocked ? reasonId : undefined}
            onSend={send}
            onSteer={steer}
            escapeStops={escapeStops}
          />
          <p role="status" className="sr-only">
            {escapeStops.isAsked && againWords}
          </p>
          {/* One row at any width: the composer does not change its height as a turn begins and ends. */}
          <div className="flex h-9.5 items-center gap-1.5 px-2.5 pb-2.5">
            <IconButton
              label="Attach images"
              side="top"
              icon={<Paperclip size={15} />}
              onClick={() => void pickImages(draft)}
            />
            <PillRow>
              <SettingsMenus />
              <WhereMenu />
              <PlaceMenu />
            </PillRow>
            <div className="ml-1.5 flex shrink-0 items-center gap-2">
              <SendButtons
                running={running}
                stopping={stopping}
                sending={view.sending}
                reason={whyNot(blocked, view)}
                enterSends={enterSends}
                onSend={send}
                onSteer={steer}
                onStop={() => field.current?.focus()}
              />
            </div>
          </div>
        </div>
      </div>
    </section>
  );
}

function whyNot(blocked: Blocked | null, view: DraftView): string | null {
  if (blocked) return blocked.reason;
  if (view.phase === "unreadable") return "What you wrote here before has to be read or put aside first.";
  if (view.attaching > 0) return "An image is still being attached.";
  if (view.text.trim() === "" && view.attachments.length === 0) return "Write something first.";
  return null;
}

type Field = React.RefObject<HTMLTextAreaElement | null>;

/** The keyboard goes to the field of a thread that comes on screen, unless it is in use or a decision waits for it. */
function useFocus(field: Field): void {
  useEffect(() => {
    const { activeElement } = document;
    const inUse = activeElement?.closest(
      "input, textarea, [contenteditable=true], [role=dialog], [role=alertdialog]",
    );
    const { shown } = threadStore.getState();
    const waits = shown.phase === "shown" && shown.copy.head.requests.length > 0;
    if (!inUse && !waits) focusAtEnd(field);
    return onSignal("focus-composer", () => focusAtEnd(field));
  }, [field]);
}

function focusAtEnd({ current }: Field): void {
  if (!current || document.activeElement === current) return;
  current.focus();
  current.setSelectionRange(current.value.length, current.value.length);
}

/** Folders are taken by the window before they come here. */
function useFileDrop(draft: Draft, field: Field) {
  const [isOver, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return {
    isOver,
    dropHandlers: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        if (!isOver) setOver(true);
      },
      onDragLeave(event: DragEvent) {
        const into = event.relatedTarget;
        if (!(into instanceof Node && event.currentTarget.contains(into))) setOver(false);
      },
      onDrop(event: DragEvent) {
        setOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        attachFiles(draft, [...event.dataTransfer.files], (text) => {
          if (field.current) insertText(field.current, text);
        });
      },
    },
  };
}
