// The changes of workspaces, between the parts that they need: folders, the person's environment, and a codex to ask.

import type { Clock } from "../clock";
import type { Fault } from "../fault";
import type { Ledger } from "../ledger/ledger";
import type { Sessions } from "../supervisor/sessions";
import { oneAnswer } from "../threads/oneAnswer";
import type { Threads } from "../threads/threads";
import { Changes } from "../workspaces/changes/changes";
import type { Workspaces } from "../workspaces/workspaces";
import type { AppTopic } from "./appTopic";
import type { CodexLocator } from "./codexLocator";
import type { Supervision } from "./supervision";

export interface ChangesParts {
  clock: Clock;
  ledger: Ledger;
  workspaces: Workspaces;
  sessions: Sessions;
  locator: CodexLocator;
  supervision: Pick<Supervision, "cleanups">;
  threads: Pick<Threads, "drafts">;
  app: Pick<AppTopic, "notice">;
}

/** The session's MCP servers may have to start, and the model may think. */
const suggestionMs = 120_000;

/** `cannotSend`: why a workspace's codex would send nothing to a model; null: it would. */
export function workspaceChanges(
  parts: ChangesParts,
  cannotSend: (workspaceId: string) => Fault | null,
): Changes {
  const { clock, ledger } = parts;
  return new Changes({
    clock,
    ledger,
    folder: (workspaceId) => parts.workspaces.presentFolder(workspaceId),
    environment: () => parts.locator.variables(),
    cleanups: parts.supervision.cleanups,
    committed: (workspaceId, message) => parts.threads.drafts.done(`commit:${workspaceId}`, message),
    tell: (about, notice) => parts.app.notice(about, notice),
    async ask(workspaceId, question, signal) {
      const cannot = cannotSend(workspaceId);
      if (cannot) throw cannot;
      const cwd = await parts.workspaces.presentFolder(workspaceId);
      const connection = await parts.sessions.need(workspaceId);
      return oneAnswer(connection, { ...question, cwd, signal, limitMs: suggestionMs }, clock);
    },
  });
}
