// The commands for single scripts and runs, which come and go with them: only in the palette, where they are looked for by
// name. Pure.

import type { RunRow, ScriptRow } from "../../preload/contract/cells";
import type { Command } from "./command";

export interface ScriptActions {
  run(scriptId: string): void;
  stop(runId: string): void;
}

/** One for each script, and one for each run that is under way. */
export function scriptCommands(
  scripts: readonly ScriptRow[],
  live: readonly RunRow[],
  { run, stop }: ScriptActions,
): Command[] {
  const running = scripts.map(
    ({ scriptId, name }): Command => ({
      id: `run-script ${scriptId}`,
      title: `Run script ${name}`,
      group: "Cells",
      keywords: "cell start",
      run: () => run(scriptId),
    }),
  );
  const stopping = live
    .filter(({ state }) => state !== "ending")
    .map(
      ({ runId, scriptName, workspaceName }): Command => ({
        id: `stop-run ${runId}`,
        title: `Stop the script ${scriptName}`,
        group: "Cells",
        keywords: `cell run end cancel ${workspaceName}`,
        run: () => stop(runId),
      }),
    );
  // A key too many must rather begin something than end it.
  return [...running, ...stopping];
}
