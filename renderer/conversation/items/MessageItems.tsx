import type { Item } from "../../../preload/contract/items";
import { CopyButton } from "../CopyButton";
import { AttachmentList } from "./AttachmentList";
import { GappedMarkdown } from "./GappedMarkdown";
import { CutOffMark, statusWords, useStatusWords } from "./StatusMark";
import { UserText } from "./UserText";

export function UserItem({ item }: { item: Extract<Item, { kind: "user" }> }) {
  return (
    <div className="group/you flex flex-col items-end gap-1.5 pt-2.5 pl-[14%]">
      {item.text !== "" && (
        <div className="relative max-w-full min-w-0">
          <UserText text={item.text} />
          <CopyButton
            label="Copy message"
            text={() => item.text}
            className="absolute top-1 -left-7 opacity-0 transition-opacity group-hover/you:opacity-100 focus-visible:opacity-100"
          />
        </div>
      )}
      <AttachmentList attachments={item.attachments} />
    </div>
  );
}

export function AgentItem({ item }: { item: Extract<Item, { kind: "agent" }> }) {
  const running = item.status === "running";
  const missesEnd = item.gaps.at(-1) === item.text.length;
  const cutOff = useStatusWords(item) === statusWords("lost");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {(item.text !== "" || item.gaps.length > 0 || !running) && (
        <GappedMarkdown
          text={item.text}
          gaps={item.gaps}
          open={running}
          what="message"
          endIsMarked={cutOff}
        />
      )}
      {item.text === "" && running && <p className="h-[23px] animate-breathe text-l text-ink-3">Writing…</p>}
      {cutOff && <CutOffMark missing={missesEnd} />}
    </div>
  );
}
