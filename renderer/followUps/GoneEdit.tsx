// What was typed for a follow-up that has been sent, or deleted elsewhere, before it was saved.

import { useRef, useState } from "react";
import { useDraftView } from "../composer/useDraft";
import { PlaceFault } from "../inspector/PlaceFault";
import type { ThreadCopy } from "../state/threadCopy";
import { useThread, useThreadKey } from "../state/threadStore";
import { Button } from "../ui/Button";
import { EditBox } from "./EditBox";
import { goneCode, isEnterForGone, type OpenEdit } from "./edits";
import { cancelEdit, edits, moveEditToComposer } from "./followUps";

export function GoneEdit({ edit }: { edit: OpenEdit }) {
  const threadKey = useThreadKey();
  const view = useDraftView(edit.draft);
  const sent = useThread((copy) => wasSent(copy, edit.clientId));
  const field = useRef<HTMLTextAreaElement>(null);
  const [goneSinceMs] = useState(() => performance.now());
  const isEmpty = view.text.trim() === "" && view.attachments.length === 0;
  const queueAgain = () => {
    if (!isEmpty) edits.queueAnew(edit.clientId);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a form's look and rules
    <div
      role="group"
      aria-label="Edit of a follow-up that is not waiting any more"
      className="grid gap-2 rounded-m border border-warn/40 bg-warn-soft p-2.5"
    >
      <p role="status" className="text-s text-pretty">
        <span className="font-medium">
          {sent
            ? "It has been sent meanwhile, "
            : "It is not waiting any more: it was sent or deleted meanwhile, "}
          as it was before this edit.
        </span>{" "}
        <span className="text-ink-2">What you typed is kept here.</span>
      </p>
      <EditBox
        edit={edit}
        field={field}
        readOnly={view.sending}
        onSend={() => {
          if (isEnterForGone(goneSinceMs, performance.now())) queueAgain();
        }}
        onEscape={() => field.current?.blur()}
      />
      {view.fault && view.fault.fault.code !== goneCode && <PlaceFault fault={view.fault.fault} live />}
      <div className="flex flex-wrap gap-2">
        <Button size="s" busy={view.sending} disabled={isEmpty} onClick={queueAgain}>
          Queue again
        </Button>
        <Button
          size="s"
          tone="quiet"
          disabled={view.sending}
          onClick={() => moveEditToComposer(threadKey, edit)}
        >
          To the message
        </Button>
        <Button size="s" tone="quiet" disabled={view.sending} onClick={() => cancelEdit(edit)}>
          Discard
        </Button>
      </div>
    </div>
  );
}

function wasSent({ order, byId }: ThreadCopy, clientId: string): boolean {
  return order.some((id) => {
    const item = byId[id];
    return item?.kind === "user" && item.clientId === clientId;
  });
}
