// A follow-up that is written right here, at the end of the list, and always in sight. While nothing runs and nothing waits, codex takes it up at
// once.

import { Paperclip, Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { AttachmentTray } from "../composer/AttachmentTray";
import { pickImages } from "../composer/attach";
import { MessageField } from "../composer/MessageField";
import { useDraftView } from "../composer/useDraft";
import { PlaceFault } from "../inspector/PlaceFault";
import { useApp } from "../state/appStore";
import { send as sendSignal } from "../state/signals";
import { IconButton } from "../ui/IconButton";
import { edits } from "./followUps";

export interface NewFollowUpProps {
  threadId: string;
  /** Where there is room for the list of files. */
  filesSide: "above" | "below";
}

export function NewFollowUp({ threadId, filesSide }: NewFollowUpProps) {
  const [draft] = useState(() => edits.newOf(threadId));
  useEffect(() => edits.hold(draft), [draft]);
  const view = useDraftView(draft);
  const enterSends = useApp((app) => app.settings.enterSends);
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const isEmpty = view.text.trim() === "" && view.attachments.length === 0;
  const add = () => {
    if (!draft.send("queue")) return;
    field.current?.focus();
    // Where it will be seen, above the field.
    box.current?.scrollIntoView({ block: "nearest" });
  };
  return (
    <div
      ref={box}
      className="sticky bottom-0 z-10 -mx-1 bg-panel px-1 pb-1.5 shadow-[0_-6px_6px_var(--color-panel)]"
    >
      <div className="relative rounded-m border border-field-line bg-raised has-[textarea:focus-visible]:border-focus has-[textarea:focus-visible]:outline-1 has-[textarea:focus-visible]:-outline-offset-1 has-[textarea:focus-visible]:outline-focus">
        <AttachmentTray
          attachments={view.attachments}
          attaching={view.attaching}
          onRemove={(attachment) => {
            draft.detach(attachment);
            field.current?.focus();
          }}
        />
        <div className="flex items-end gap-0.5 pr-1 pb-1">
          <div className="min-w-0 flex-1">
            <MessageField
              field={field}
              draft={draft}
              text={view.text}
              label="New follow-up"
              placeholder="Add a follow-up…"
              enterSends={enterSends}
              describedBy={undefined}
              filesSide={filesSide}
              className="max-h-[30vh] min-h-7 pt-1.5 pb-0.5 pl-2.5 text-m outline-none focus-visible:outline-none"
              onSend={add}
              onSteer={add}
              onEscape={() => sendSignal("focus-composer")}
            />
          </div>
          <IconButton
            size="s"
            label="Attach images"
            side="top"
            icon={<Paperclip aria-hidden size={13} />}
            onClick={() => void pickImages(draft)}
          />
          <IconButton
            size="s"
            label="Add follow-up"
            side="top"
            shortcut={enterSends ? "enter" : "mod+enter"}
            disabled={isEmpty || view.sending || view.attaching > 0}
            icon={<Plus aria-hidden size={15} />}
            onClick={add}
          />
        </div>
      </div>
      {view.fault && (
        <div className="mt-1.5">
          <PlaceFault fault={view.fault.fault} live />
        </div>
      )}
    </div>
  );
}
