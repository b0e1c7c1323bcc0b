import { FileText, X } from "lucide-react";
import type { Attachment } from "../../preload/contract/items";
import { Thumbnail } from "../conversation/items/Thumbnail";
import { Hint } from "../ui/Hint";
import { Spinner } from "../ui/Spinner";

export interface AttachmentTrayProps {
  attachments: readonly Attachment[];
  attaching: number;
  onRemove: (attachment: Attachment) => void;
}

/** What goes with the message, above its text. */
export function AttachmentTray({ attachments, attaching, onRemove }: AttachmentTrayProps) {
  if (attachments.length === 0 && attaching === 0) return null;
  return (
    <ul aria-label="Attachments" className="flex max-h-36 flex-wrap gap-2 overflow-y-auto px-3 pt-3">
      {attachments.map((attachment) => (
        <li key={`${attachment.kind} ${attachment.path}`} className="group relative min-w-0">
          {attachment.kind === "image" ? (
            <Picture attachment={attachment} onRemove={onRemove} />
          ) : (
            <MentionChip attachment={attachment} onRemove={onRemove} />
          )}
        </li>
      ))}
      {attaching > 0 && (
        <li className="grid h-14 w-20 place-items-center rounded-s border border-dashed border-line-strong text-ink-3">
          <Spinner />
          <span role="status" className="sr-only">
            Attaching an image
          </span>
        </li>
      )}
    </ul>
  );
}

interface EntryProps {
  attachment: Attachment;
  onRemove: (attachment: Attachment) => void;
}

function Picture({ attachment, onRemove }: EntryProps) {
  return (
    <>
      <Hint text={attachment.name} side="top">
        <span className="block overflow-hidden rounded-s border border-line">
          <Thumbnail path={attachment.path} name={attachment.name} className="h-14 w-20" />
        </span>
      </Hint>
      <button
        type="button"
        aria-label={`Remove ${attachment.name}`}
        onClick={() => onRemove(attachment)}
        className="absolute -top-1.5 -right-1.5 grid size-5 place-items-center rounded-full border border-line-strong bg-raised text-ink-2 shadow-low transition-colors hover:bg-hover hover:text-ink"
      >
        <X aria-hidden size={12} />
      </button>
    </>
  );
}

function MentionChip({ attachment, onRemove }: EntryProps) {
  return (
    <span
      title={attachment.path}
      className="flex h-6 max-w-64 items-center gap-1.5 rounded-s border border-line bg-panel pl-2 text-s text-ink-2"
    >
      <FileText aria-hidden size={13} className="shrink-0 text-ink-3" />
      <span className="truncate font-mono text-xs">{attachment.name}</span>
      <button
        type="button"
        aria-label={`Remove ${attachment.name}`}
        onClick={() => onRemove(attachment)}
        className="ring-inset grid size-[22px] shrink-0 place-items-center rounded-s text-ink-3 transition-colors hover:bg-hover hover:text-ink"
      >
        <X aria-hidden size={12} />
      </button>
    </span>
  );
}
