import { FileText } from "lucide-react";
import type { Attachment } from "../../../preload/contract/items";
import { reveal } from "../../state/threadActions";
import { Thumbnail } from "./Thumbnail";

/** What came with a message. A click shows the file in its folder. */
export function AttachmentList({ attachments }: { attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null;
  return (
    <ul aria-label="Attachments" className="flex flex-wrap justify-end gap-1.5">
      {attachments.map((attachment) => (
        <li key={`${attachment.kind} ${attachment.path}`}>
          <button
            type="button"
            title={attachment.path}
            aria-label={`${attachment.name}, show in its folder`}
            onClick={() => void reveal(attachment.path)}
            className="flex max-w-60 items-center gap-1.5 overflow-hidden rounded-s border border-line bg-raised text-s text-ink-2 hover:border-line-strong hover:text-ink"
          >
            {attachment.kind === "image" ? (
              <Thumbnail path={attachment.path} name={attachment.name} className="h-14 w-20" />
            ) : (
              <span className="flex min-w-0 items-center gap-1 px-1.5 py-0.5">
                <FileText aria-hidden size={13} className="shrink-0 text-ink-3" />
                <span className="truncate font-mono">{attachment.name}</span>
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}
