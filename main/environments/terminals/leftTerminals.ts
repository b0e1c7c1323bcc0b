// The terminals that an earlier run of Holdfast has left open when it went away, out of what it had written down.

import type { LeftSession } from "../../ledger/executorRecordsLedger";
import type { LostTerminal } from "../../terminals/lostTerminal";
import { fromFileUri } from "../client/fileUri";
import { typedCommand } from "./shellArguments";

export function leftTerminals(left: readonly LeftSession[]): LostTerminal[] {
  const terminals = left.flatMap(({ environmentId, processes }) =>
    processes.flatMap(({ argv, cwd, beganAtMs }): LostTerminal[] => {
      const typed = typedCommand(argv);
      if (typed === null) return [];
      const place = { kind: "environment", environmentId } as const;
      return [{ place, command: typed.command, cwd: fromFileUri(cwd) ?? cwd, startedAtMs: beganAtMs }];
    }),
  );
  return terminals.sort((a, b) => a.startedAtMs - b.startedAtMs);
}
