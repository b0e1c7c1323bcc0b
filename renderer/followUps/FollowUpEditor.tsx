// A follow-up that is edited in its place in the list.

import { Paperclip } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import type { FollowUpView } from "../../preload/contract/thread";
import { pickImages } from "../composer/attach";
import { useDraftView } from "../composer/useDraft";
import { PlaceFault } from "../inspector/PlaceFault";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { EditBox } from "./EditBox";
import { goneCode, isChangedElsewhere, type OpenEdit } from "./edits";
import { cancelEdit, edits } from "./followUps";

export interface FollowUpEditorProps {
  edit: OpenEdit;
  entry: FollowUpView;
  /** Asked once: whether the person has just asked for it here. */
  takesFocus: () => boolean;
  /** It is about to be a row again. */
  onClosed: () => void;
}

export function FollowUpEditor({ edit, entry, takesFocus, onClosed }: FollowUpEditorProps) {
  const view = useDraftView(edit.draft);
  const field = useRef<HTMLTextAreaElement>(null);
  const isEmpty = view.text.trim() === "" && view.attachments.length === 0;
  const changedElsewhere = isChangedElsewhere(edit, entry);
  useFocusOnce(field, view.phase !== "loading", takesFocus);
  const save = () => {
    if (isEmpty) return;
    onClosed();
    edits.save(edit.clientId);
  };
  const cancel = () => {
    onClosed();
    cancelEdit(edit);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a form's look and rules
    <div role="group" aria-label="Edit follow-up" className="grid gap-1.5">
      <EditBox edit={edit} field={field} readOnly={view.sending} onSend={save} onEscape={cancel} />
      {changedElsewhere && (
        <p role="status" className="text-s text-pretty text-ink-2">
          It was changed in another place meanwhile; saving replaces that.
        </p>
      )}
      {view.fault && view.fault.fault.code !== goneCode && <PlaceFault fault={view.fault.fault} live />}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="s" tone="primary" busy={view.sending} disabled={isEmpty} onClick={save}>
          Save
        </Button>
        <Button size="s" tone="quiet" disabled={view.sending} onClick={cancel}>
          Cancel
        </Button>
        <AttachButton edit={edit} />
      </div>
    </div>
  );
}

function AttachButton({ edit }: { edit: OpenEdit }) {
  return (
    <IconButton
      size="s"
      label="Attach images"
      className="ml-auto"
      icon={<Paperclip aria-hidden size={13} />}
      onClick={() => void pickImages(edit.draft)}
    />
  );
}

function useFocusOnce(
  field: RefObject<HTMLTextAreaElement | null>,
  ready: boolean,
  takesFocus: () => boolean,
): void {
  const asks = useRef(takesFocus);
  asks.current = takesFocus;
  useEffect(() => {
    if (!ready || !field.current || !asks.current()) return;
    field.current.focus();
    field.current.setSelectionRange(field.current.value.length, field.current.value.length);
  }, [ready, field]);
}
