import { Ban, Check, Unplug, X } from "lucide-react";
import type { Item, ItemStatus } from "../../../preload/contract/items";
import { useThread } from "../../state/threadStore";
import { Spinner } from "../../ui/Spinner";

/** The state of a piece of work as a mark; the word for it stands at the other end of the same line. */
export function StatusMark({ status }: { status: ItemStatus }) {
  switch (status) {
    case "running":
      return <Spinner />;
    case "completed":
      return <Check aria-hidden size={14} className="text-ok" />;
    case "failed":
      return <X aria-hidden size={14} className="text-bad" />;
    case "declined":
      return <Ban aria-hidden size={13} className="text-ink-3" />;
    case "lost":
      return <Unplug aria-hidden size={13} className="text-warn" />;
    default: {
      const unknown: never = status;
      return unknown;
    }
  }
}

/** The word for a state that is not simply "done"; null for those that need none. */
export function statusWords(status: ItemStatus): string | null {
  switch (status) {
    case "running":
    case "completed":
      return null;
    case "failed":
      return "failed";
    case "declined":
      return "declined";
    case "lost":
      return "interrupted by disconnect";
    default: {
      const unknown: never = status;
      return unknown;
    }
  }
}

/** The same for an item in its turn: what was cut off when somebody pressed Stop was not cut off by a disconnect. */
export function useStatusWords(item: Pick<Item, "status" | "turnId">): string | null {
  const stopped = useThread(({ turnById }) => {
    const turn = turnById[item.turnId];
    return turn?.status === "interrupted" && turn.fault === null;
  });
  return item.status === "lost" && stopped ? "interrupted" : statusWords(item.status);
}

/** Said under text that ends in mid-sentence, because what wrote it went away. */
export function CutOffMark({ missing }: { missing: boolean }) {
  return (
    <p className="flex items-center gap-1.5 text-s text-ink-2">
      <Unplug aria-hidden size={13} className="shrink-0 text-warn" />
      {missing ? "Interrupted by disconnect; its last words may be missing." : "Interrupted by disconnect."}
    </p>
  );
}

/** Stands where text is missing that came while there was no connection; `endsWith`: what brings it when it ends. */
export function GapMark({ endsWith }: { endsWith: "message" | "command" | "plan" | "thought" | null }) {
  return (
    <span className="flex items-center gap-1.5 font-sans text-xs text-ink-3">
      <Unplug aria-hidden size={12} className="shrink-0 text-warn" />
      <span className="min-w-0 whitespace-normal">
        {endsWith === null
          ? "Some text was missed while disconnected."
          : `Some text was missed while disconnected; it is complete when the ${endsWith} ends.`}
      </span>
    </span>
  );
}
