// What the list says of a run.

import type { RunRow } from "../../preload/contract/cells";
import { durationWords } from "../conversation/time/durations";

/** "running", "completed · 4 min 2 s": a state, and how long it took. */
export function runStateWords({ state, startedAtMs, endedAtMs }: Timed): string {
  // How long Holdfast was away is no part of how long it ran.
  if (endedAtMs === null || state === "cut off") return state;
  return `${state} · ${durationWords(endedAtMs - startedAtMs)}`;
}

type Timed = Pick<RunRow, "state" | "startedAtMs" | "endedAtMs">;
