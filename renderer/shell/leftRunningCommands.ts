// The commands for what agents have left running, which come and go with it: only in the palette. Pure.

import type { ThreadRow } from "../../preload/contract/app";
import type { LeftRunningView } from "../../preload/contract/thread";
import { oneLine } from "../state/words";
import type { Command } from "./command";

export interface LeftRunningActions {
  stop(left: LeftRunningView): void;
  show(row: ThreadRow): void;
}

const keywords = "kill end terminate stop background process job jobs ps left still running command server";

/** One for each of the shown thread that can be stopped, and one for each other thread that has some. */
export function leftRunningCommands(
  here: readonly LeftRunningView[],
  elsewhere: readonly ThreadRow[],
  { stop, show }: LeftRunningActions,
): Command[] {
  const stopping = here
    .filter((left) => left.processId !== null && !left.stopping)
    .map(
      (left): Command => ({
        id: `stop-left-running ${left.itemId}`,
        title: `Stop the command that still runs: ${oneLine(left.command)}`,
        group: "Threads",
        keywords,
        run: () => stop(left),
      }),
    );
  const showing = elsewhere
    .filter(({ leftRunning }) => leftRunning !== undefined && leftRunning.length > 0)
    .map(
      (row): Command => ({
        id: `show-left-running ${row.threadId}`,
        title: `Go to what still runs in “${row.title}”: ${(row.leftRunning ?? []).map(oneLine).join(", ")}`,
        group: "Threads",
        keywords,
        run: () => show(row),
      }),
    );
  return [...stopping, ...showing];
}
