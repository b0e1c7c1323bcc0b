// What all items have in common: an article with its kind as its name, and folds that outlive being scrolled away.

import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import { type Item, itemName } from "../../../preload/contract/items";
import { useShownAgent } from "../../state/threadKinship";
import { useThreadKey } from "../../state/threadStore";
import { folds } from "../list/place";

const ItemScope = createContext<string>("");

/** Gives the folds below a place to be remembered under. */
export function FoldScope({ name, children }: { name: string; children: ReactNode }) {
  return <ItemScope value={name}>{children}</ItemScope>;
}

export function Article({ item, children }: { item: Item; children: ReactNode }) {
  const threadKey = useThreadKey();
  const isTask = useIsTask(item);
  return (
    <FoldScope name={`${threadKey}/${item.id}`}>
      <article aria-label={isTask ? "Task" : itemName(item)}>{children}</article>
    </FoldScope>
  );
}

/** A message in an agent's own conversation that no person has sent from a window: the agent above it has. */
export function useIsTask(item: Item): boolean {
  const isAgent = useShownAgent() !== null;
  return isAgent && item.kind === "user" && item.clientId === null;
}

/** Open or folded: as it was set by hand, otherwise as `usual` says now. */
export function useKeptFold(part: string, usual: boolean): [open: boolean, setOpen: (open: boolean) => void] {
  const scope = useContext(ItemScope);
  const chosen = useSyncExternalStore(folds.subscribe, () => folds.get(scope, part));
  return [chosen ?? usual, (open) => folds.set(scope, part, open)];
}

/** Something in what is drawn here is to be seen, so nothing of it is cut short. */
export function useIsRevealed(): boolean {
  const scope = useContext(ItemScope);
  return useSyncExternalStore(folds.subscribe, () => folds.isRevealed(scope));
}
