import { Hourglass } from "lucide-react";
import { useHead } from "../state/threadStore";

/** True while codex asks for a decision about this item: to codex it is running, and yet nothing happens. */
export function useIsAsked(itemId: string): boolean {
  return useHead((head) => head.requests.some((request) => request.itemId === itemId));
}

export function AskedMark() {
  return <Hourglass aria-hidden size={13} className="shrink-0 text-warn" />;
}
