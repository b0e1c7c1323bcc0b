import { memo } from "react";
import type { Item } from "../../../preload/contract/items";
import { useItem } from "../../state/threadStore";
import { FileDiff } from "../diff/FileDiff";
import { Article } from "./Article";
import { CommandItem } from "./CommandItem";
import { AgentItem, UserItem } from "./MessageItems";
import { PlanItem } from "./PlanItem";
import { ReasoningItem } from "./ReasoningItem";
import { ReviewItem } from "./ReviewItem";
import {
  CompactionItem,
  HookItem,
  ImageItem,
  NoticeItem,
  SleepItem,
  UnknownItem,
  WebSearchItem,
} from "./SmallItems";
import { SubAgentItem } from "./SubAgentItem";
import { ToolCallItem } from "./ToolCallItem";

/** One item, drawn again only when it changed itself. */
export const ItemView = memo(function ItemView({ itemId }: { itemId: string }) {
  const item = useItem(itemId);
  if (!item) return null;
  return (
    <Article item={item}>
      <Face item={item} />
    </Article>
  );
});

/** Files beyond these are folded at first. */
const mostFilesLeftOpen = 4;

function Face({ item }: { item: Item }) {
  switch (item.kind) {
    case "user":
      return <UserItem item={item} />;
    case "agent":
      return <AgentItem item={item} />;
    case "reasoning":
      return <ReasoningItem item={item} />;
    case "command":
      return <CommandItem item={item} />;
    case "fileChange":
      return (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {item.changes.map((change, index) => (
            <FileDiff
              // biome-ignore lint/suspicious/noArrayIndexKey: a change is its place, and one file may be changed twice
              key={`${index} ${change.path}`}
              itemId={item.id}
              turnId={item.turnId}
              change={change}
              status={item.status}
              usuallyOpen={index < mostFilesLeftOpen}
            />
          ))}
          {item.changes.length === 0 && <p className="text-s text-ink-3">No file was changed.</p>}
        </div>
      );
    case "plan":
      return <PlanItem item={item} />;
    case "toolCall":
      return <ToolCallItem item={item} />;
    case "webSearch":
      return <WebSearchItem item={item} />;
    case "image":
      return <ImageItem item={item} />;
    case "subAgent":
      return <SubAgentItem item={item} />;
    case "review":
      return <ReviewItem item={item} />;
    case "compaction":
      return <CompactionItem item={item} />;
    case "sleep":
      return <SleepItem item={item} />;
    case "hook":
      return <HookItem item={item} />;
    case "notice":
      return <NoticeItem item={item} />;
    case "unknown":
      return <UnknownItem item={item} />;
    default: {
      const unknown: never = item;
      return unknown;
    }
  }
}
