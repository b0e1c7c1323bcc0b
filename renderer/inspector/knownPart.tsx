// How much of the thread a list in the inspector is made of. A window holds the newest turns until older ones are asked for,
// and for a moment, or where a thread cannot be loaded, none at all: a list that is empty then says nothing about the thread.

import type { ReactNode } from "react";
import type { ThreadHead } from "../../preload/contract/thread";
import { OlderTurns } from "../conversation/list/OlderTurns";
import { useThread } from "../state/threadStore";
import { EmptyState } from "../ui/EmptyState";
import { Spinner } from "../ui/Spinner";

/** `part`: older turns are not loaded. `loading`: more comes by itself. `unknown`: nothing is loaded, and nothing comes. */
export type KnownPart = "all" | "part" | "loading" | "unknown";

export function knownPartOf(
  { threadId, residency, hasOlder }: Pick<ThreadHead, "threadId" | "residency" | "hasOlder">,
  turns: number,
): KnownPart {
  // It has no turn yet.
  if (threadId === null) return "all";
  if (hasOlder) return "part";
  if (residency === "loading") return "loading";
  return turns > 0 || residency === "loaded" ? "all" : "unknown";
}

export function useKnownPart(): KnownPart {
  return useThread(({ head, turnOrder }) => knownPartOf(head, turnOrder.length));
}

interface NothingListedProps {
  known: KnownPart;
  icon: ReactNode;
  /** The title when it is certain. */
  none: string;
  noneSoFar: string;
  unknown: string;
  /** What would be listed here. */
  children: ReactNode;
}

/** In the place of a list of what is in the thread's turns. */
export function NothingListed({ known, icon, none, noneSoFar, unknown, children }: NothingListedProps) {
  switch (known) {
    case "all":
      return (
        <EmptyState compact icon={icon} title={none}>
          {children}
        </EmptyState>
      );
    case "part":
      return (
        <EmptyState compact icon={icon} title={noneSoFar} actions={<OlderTurns />}>
          Older turns of this thread are not loaded.
        </EmptyState>
      );
    case "loading":
      return (
        <p role="status" className="flex animate-late items-center gap-2 px-4 py-4 text-s text-ink-3">
          <Spinner />
          The thread is being loaded…
        </p>
      );
    case "unknown":
      return (
        <EmptyState compact icon={icon} title={unknown}>
          The thread is not loaded; why is said in the conversation.
        </EmptyState>
      );
    default:
      return known satisfies never;
  }
}
