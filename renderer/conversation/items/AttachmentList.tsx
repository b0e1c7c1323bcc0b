import { FileText, ImageIcon } from "lucide-react";
import type { Attachment } from "../../../preload/contract/items";
import { reveal } from "../../state/threadActions";
import { cx } from "../../ui/cx";
import { Thumbnail } from "./Thumbnail";

const look =
  "flex max-w-60 items-center gap-1.5 overflow-hidden rounded-s border border-line bg-raised text-s text-ink-2";

/** What came with a message. A click shows the file in its folder; what is no file here only has its name. */
export function AttachmentList({ attachments }: { attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null;
  return (
    <ul aria-label="Attachments" className="flex flex-wrap justify-end gap-1.5">
      {attachments.map((attachment, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several can be without a path, and none ever moves
        <li key={`${at} ${attachment.kind} ${attachment.path}`}>
          {attachment.path === "" ? (
            <span className={look}>
              <Named attachment={attachment} />
            </span>
          ) : (
            <button
              type="button"
              title={attachment.path}
              aria-label={`${attachment.name}, show in its folder`}
              onClick={() => void reveal(attachment.path)}
              className={cx(look, "hover:border-line-strong hover:text-ink")}
            >
              {attachment.kind === "image" ? (
                <Thumbnail path={attachment.path} name={attachment.name} className="h-14 w-20" />
              ) : (
                <Named attachment={attachment} />
              )}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Named({ attachment: { kind, name } }: { attachment: Attachment }) {
  const Icon = kind === "image" ? ImageIcon : FileText;
  return (
    <span className="flex min-w-0 items-center gap-1 px-1.5 py-0.5">
      <Icon aria-hidden size={13} className="shrink-0 text-ink-3" />
      <span className="truncate font-mono">{name}</span>
    </span>
  );
}
