// The field of a follow-up that is edited.
//
// Races, and what settles each:
// - Somebody types before what the entry says is there: the field takes nothing until then, or the two would be joined.
// - The entry is taken up while somebody types in its field. The field is then drawn in another place of the panel: the
//   keyboard and the caret go along, so that not a letter goes astray.

import { type RefObject, useLayoutEffect } from "react";
import { AttachmentTray } from "../composer/AttachmentTray";
import type { Draft } from "../composer/draft";
import { MessageField } from "../composer/MessageField";
import { useDraftView } from "../composer/useDraft";
import { useApp } from "../state/appStore";
import type { OpenEdit } from "./edits";

export interface EditBoxProps {
  edit: OpenEdit;
  field: RefObject<HTMLTextAreaElement | null>;
  readOnly: boolean;
  onSend: () => void;
  onEscape: () => void;
}

/** What the follow-up will say, and what goes with it. */
export function EditBox({ edit, field, readOnly, onSend, onEscape }: EditBoxProps) {
  const view = useDraftView(edit.draft);
  const enterSends = useApp((app) => app.settings.enterSends);
  useCaretTakenOver(edit.draft, field);
  return (
    <div className="relative rounded-m border border-field-line bg-raised has-[textarea:focus-visible]:border-focus has-[textarea:focus-visible]:outline-1 has-[textarea:focus-visible]:-outline-offset-1 has-[textarea:focus-visible]:outline-focus">
      <AttachmentTray
        attachments={view.attachments}
        attaching={view.attaching}
        onRemove={(attachment) => {
          edit.draft.detach(attachment);
          field.current?.focus();
        }}
      />
      <MessageField
        field={field}
        draft={edit.draft}
        text={view.text}
        label="Edit follow-up"
        placeholder=""
        enterSends={enterSends}
        describedBy={undefined}
        readOnly={readOnly || view.phase === "loading"}
        filesSide="below"
        className="max-h-[40vh] min-h-8 px-2.5 py-1.5 text-m outline-none focus-visible:outline-none"
        onSend={onSend}
        onSteer={onSend}
        onEscape={onEscape}
      />
    </div>
  );
}

/** Where the caret was in a field that has just gone with the keyboard in it. */
const carets = new WeakMap<Draft, { start: number; end: number }>();

function useCaretTakenOver(draft: Draft, field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const caret = carets.get(draft);
    carets.delete(draft);
    if (caret) {
      field.current?.focus();
      field.current?.setSelectionRange(caret.start, caret.end);
    }
    return () => {
      const { current } = field;
      if (current === null || document.activeElement !== current) return;
      carets.set(draft, { start: current.selectionStart, end: current.selectionEnd });
    };
  }, [draft, field]);
}
