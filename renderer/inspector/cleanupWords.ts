// What the Cleanup tab and the status bar say about what is owed. Pure.

import type { CleanupView, WorkspaceView } from "../../preload/contract/app";
import { count } from "../conversation/time/durations";

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** "1 cleanup pending" */
export function pendingWords(owed: number): string {
  return `${count(owed, "cleanup")} pending`;
}

/** How long it has been owed, in words that change once a minute at most: "less than a minute", "4 min", "2 days". */
export function owedForWords(sinceMs: number, nowMs: number): string {
  const owedMs = Math.max(0, nowMs - sinceMs);
  if (owedMs < minuteMs) return "less than a minute";
  if (owedMs < hourMs) return `${Math.floor(owedMs / minuteMs)} min`;
  if (owedMs < dayMs) return `${Math.floor(owedMs / hourMs)} h`;
  return count(Math.floor(owedMs / dayMs), "day");
}

export function triedWords(attempts: number): string {
  if (attempts === 0) return "not tried yet";
  if (attempts === 1) return "tried once";
  return attempts === 2 ? "tried twice" : `tried ${attempts.toLocaleString("en")} times`;
}

/** When it is tried next: "again in 40 s". Seconds are only counted in the last minute. */
export function nextWords({ trying, nextAttemptAtMs }: NextTry, nowMs: number): string {
  if (trying) return "trying now";
  const leftMs = nextAttemptAtMs - nowMs;
  // The timer is main's: at zero it is about to fire, or waits for a turn to be free.
  if (leftMs <= 0) return "again at any moment";
  if (leftMs < minuteMs) return `again in ${Math.ceil(leftMs / secondMs)} s`;
  if (leftMs < hourMs) return `again in ${Math.ceil(leftMs / minuteMs)} min`;
  return `again in ${Math.ceil(leftMs / hourMs)} h`;
}

export type NextTry = Pick<CleanupView, "trying" | "nextAttemptAtMs">;

/** Where it is owed. */
export function placeWords(
  workspaceId: string | null,
  workspaces: readonly Pick<WorkspaceView, "id" | "name">[],
): string {
  return (
    workspaces.find(({ id }) => id === workspaceId)?.name ?? "a workspace that is not in the list any more"
  );
}
