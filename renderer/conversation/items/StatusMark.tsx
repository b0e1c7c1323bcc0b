import { Ban, Check, CircleSlash, Unplug, X } from "lucide-react";
import type { Item } from "../../../preload/contract/items";
import { useThread } from "../../state/threadStore";
import { Spinner } from "../../ui/Spinner";
import { type Cut, cutBy, statusWords } from "./statusWords";

type InTurn = Pick<Item, "status" | "turnId">;

/** The state of a piece of work as a mark; the word for it stands at the other end of the same line. */
export function StatusMark({ item }: { item: InTurn }) {
  const cut = useCut(item);
  switch (item.status) {
    case "running":
      return <Spinner />;
    case "completed":
      return <Check aria-hidden size={14} className="text-ok" />;
    case "failed":
      return <X aria-hidden size={14} className="text-bad" />;
    case "declined":
      return <Ban aria-hidden size={13} className="text-ink-3" />;
    case "lost":
      return cut === "disconnect" ? (
        <Unplug aria-hidden size={13} className="text-warn" />
      ) : (
        <CircleSlash aria-hidden size={13} className="text-warn" />
      );
    default:
      return item.status satisfies never;
  }
}

/** The word for how an item ended in its turn; null for those that need none. */
export function useStatusWords(item: InTurn & { kind?: Item["kind"] }): string | null {
  return useThread(({ turnById }) => statusWords(item, turnById[item.turnId]));
}

/** What cut the item off; null: it was not. */
export function useCut(item: InTurn): Cut | null {
  return useThread(({ turnById }) => (item.status === "lost" ? cutBy(turnById[item.turnId]) : null));
}

/** Said under text that ends in mid-sentence, because what wrote it went away or was told something else. */
export function CutOffMark({ cut, missing }: { cut: "disconnect" | "other"; missing: boolean }) {
  const gone = cut === "disconnect";
  const Icon = gone ? Unplug : CircleSlash;
  const words = gone ? "Interrupted by disconnect" : "Cut off";
  return (
    <p className="flex items-center gap-1.5 text-s text-ink-2">
      <Icon aria-hidden size={13} className={gone ? "shrink-0 text-warn" : "shrink-0 text-ink-3"} />
      {missing ? `${words}; its last words may be missing.` : `${words}.`}
    </p>
  );
}

/** Stands where text is missing, or may be, that came while there was no connection. */
export function GapMark({ words }: { words: string }) {
  return (
    <span className="flex items-center gap-1.5 font-sans text-xs text-ink-3">
      <Unplug aria-hidden size={12} className="shrink-0 text-warn" />
      <span className="min-w-0 whitespace-normal">{words}</span>
    </span>
  );
}
