// What uses an environment, and what runs in it right now, by the titles that a person knows it by.

import { isInEnvironment, isTerminalOpen, type TerminalRow } from "../../preload/contract/terminals";
import type { Use } from "../environments/use";
import type { Threads } from "../threads/threads";

export interface EnvironmentUse {
  /** Goes on with it, or waits for another place when it is removed. */
  using: Use;
  /** Is cut off when its executor ends now. */
  running: Use;
}

/** What runs in terminals. */
export function openTerminals(terminals: readonly TerminalRow[]): string[] {
  return terminals.filter(isTerminalOpen).map(({ name, command }) => name ?? command ?? "a shell");
}

export function environmentUse(
  environmentId: string,
  threads: Threads,
  terminals: readonly TerminalRow[],
): EnvironmentUse {
  const open = openTerminals(terminals.filter((row) => isInEnvironment(row, environmentId)));
  const running = threads.all.flatMap((thread) => {
    const isThere = threads.environments.of(thread)?.environmentId === environmentId;
    return isThere && thread.state.running ? [threads.rows.find(thread.key)?.title || "New thread"] : [];
  });
  return {
    using: { threads: threads.environments.usedBy(environmentId), terminals: open },
    running: { threads: running, terminals: open },
  };
}
