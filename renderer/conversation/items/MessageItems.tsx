import type { Item } from "../../../preload/contract/items";
import { useParentTitle } from "../../state/threadKinship";
import { CopyButton } from "../CopyButton";
import { RunByline } from "../RunByline";
import { TurnMenu } from "../TurnMenu";
import { useIsTask } from "./Article";
import { AttachmentList } from "./AttachmentList";
import { GappedMarkdown } from "./GappedMarkdown";
import { CutOffMark, useCut } from "./StatusMark";
import { UserText } from "./UserText";

export function UserItem({ item }: { item: Extract<Item, { kind: "user" }> }) {
  const isTask = useIsTask(item);
  const parentTitle = useParentTitle();
  return (
    <div className="group/you flex flex-col items-end gap-1.5 pt-2.5 pl-[14%]">
      {isTask && (
        <p className="max-w-full truncate text-xs text-ink-3">
          From {parentTitle === null ? "the agent above" : `“${parentTitle}”`}
        </p>
      )}
      {item.byRun && <RunByline run={item.byRun} />}
      {item.text !== "" && (
        <div className="relative max-w-full min-w-0">
          <UserText text={item.text} byOther={isTask || item.byRun !== undefined} />
          <span className="absolute top-1 -left-13 flex opacity-0 transition-opacity group-hover/you:opacity-100 has-focus-visible:opacity-100 has-data-popup-open:opacity-100">
            <TurnMenu
              turnId={item.turnId}
              copy={{ label: "Copy message", what: "Message", text: () => item.text }}
              hasMessage={!isTask}
            />
            <CopyButton label="Copy message" text={() => item.text} />
          </span>
        </div>
      )}
      <AttachmentList attachments={item.attachments} />
    </div>
  );
}

export function AgentItem({ item }: { item: Extract<Item, { kind: "agent" }> }) {
  const running = item.status === "running";
  const missesEnd = item.gaps.at(-1) === item.text.length;
  // Of a turn that was stopped or failed, its end says so.
  const cut = useCut(item);
  const marked = cut === "disconnect" || cut === "other" ? cut : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {(item.text !== "" || item.gaps.length > 0 || !running) && (
        <GappedMarkdown
          text={item.text}
          gaps={item.gaps}
          open={running}
          what="message"
          endIsMarked={marked !== null}
        />
      )}
      {item.text === "" && running && <p className="h-[23px] animate-breathe text-l text-ink-3">Writing…</p>}
      {marked !== null && <CutOffMark cut={marked} missing={missesEnd} />}
    </div>
  );
}
