// What all items have in common: an article with its kind as its name, and folds that outlive being scrolled away.

import { createContext, type ReactNode, useContext, useState } from "react";
import type { Item, ItemKind } from "../../../preload/contract/items";
import { useThreadKey } from "../../state/threadStore";
import { folds } from "../list/place";

const kindNames: Record<ItemKind, string> = {
  user: "You",
  agent: "Agent",
  reasoning: "Reasoning",
  command: "Command",
  fileChange: "File change",
  plan: "Plan",
  toolCall: "Tool call",
  webSearch: "Web search",
  image: "Image",
  subAgent: "Sub-agent",
  review: "Review",
  compaction: "Compaction",
  sleep: "Wait",
  hook: "Hook",
  notice: "Notice",
  unknown: "Unknown item",
};

const ItemScope = createContext<string>("");

/** Gives the folds below a place to be remembered under. */
export function FoldScope({ name, children }: { name: string; children: ReactNode }) {
  return <ItemScope value={name}>{children}</ItemScope>;
}

export function Article({ item, children }: { item: Item; children: ReactNode }) {
  const threadKey = useThreadKey();
  return (
    <FoldScope name={`${threadKey}/${item.id}`}>
      <article aria-label={kindNames[item.kind]}>{children}</article>
    </FoldScope>
  );
}

/** Open or folded: as it was set by hand, otherwise as `usual` says now. */
export function useKeptFold(part: string, usual: boolean): [open: boolean, setOpen: (open: boolean) => void] {
  const key = `${useContext(ItemScope)}/${part}`;
  const [chosen, setChosen] = useState(() => folds.get(key));
  return [
    chosen ?? usual,
    (open) => {
      folds.set(key, open);
      setChosen(open);
    },
  ];
}
