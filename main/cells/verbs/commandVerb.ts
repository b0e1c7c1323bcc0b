// Runs a command of a script in codex's sandbox: that of the workspace's own session, with what its new threads may do.

import { sandboxToSend } from "../../threads/settingsView";
import type { Threads } from "../../threads/threads";
import type { Workspaces } from "../../workspaces/workspaces";
import type { ToolVerbs } from "../runtime/delegate";
import type { Commands } from "./commands";
import type { OpenFolders } from "./openFolders";

/** Longer than any command that somebody still waits for. */
const usualLimitMs = 3_600_000;

export function commandVerb({
  commands,
  folders,
  workspaces,
  threads,
}: {
  commands: Commands;
  folders: OpenFolders;
  workspaces: Pick<Workspaces, "presentFolder">;
  threads: Pick<Threads, "newThreadSettings">;
}): ToolVerbs["runCommand"] {
  return async ({ command, folder, timeoutMs = usualLimitMs }, { cellId, signal }) => {
    const { id } = await folders.find(folder);
    const cwd = await workspaces.presentFolder(id);
    return commands.run(
      {
        runId: cellId,
        workspaceId: id,
        cwd,
        command,
        limitMs: timeoutMs,
        // With nothing said, codex does as it does for threads in this folder: as its configuration says.
        sandbox: sandboxToSend(threads.newThreadSettings.sandbox, null),
      },
      signal,
    );
  };
}
