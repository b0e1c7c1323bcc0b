// The terminals that an earlier run of Holdfast has left open when it went away, out of what it had written down.

import type { LeftSession } from "../../ledger/executorRecordsLedger";
import type { LostTerminal } from "../../terminals/lostTerminal";
import { typedCommand } from "../../terminals/shellArguments";
import { fromFileUri } from "../client/fileUri";

export function leftTerminals(left: readonly LeftSession[]): LostTerminal[] {
  const terminals = left.flatMap(({ environmentId, processes }) =>
    processes.flatMap(({ argv, cwd, beganAtMs }): LostTerminal[] => {
      const typed = typedCommand(argv);
      if (typed === null) return [];
      const place = { kind: "environment", environmentId } as const;
      const { command } = typed;
      const kept = { output: null, size: null };
      return [{ place, command, cwd: fromFileUri(cwd) ?? cwd, startedAtMs: beganAtMs, ...kept }];
    }),
  );
  return terminals.sort((a, b) => a.startedAtMs - b.startedAtMs);
}
