import { useApp, useWorkspace } from "../state/appStore";
import { useShownAgent } from "../state/threadKinship";
import { threadStore, useHead } from "../state/threadStore";
import { type Blocked, blockedBy } from "./blocked";

/** Why nothing can be sent in the shown thread; null: something can. */
export function useBlocked(): Blocked | null {
  const archived = useHead((head) => head.archived);
  const fault = useHead((head) => head.fault);
  const environment = useHead((head) => head.environment);
  const demo = useHead((head) => head.demo);
  const workspace = useWorkspace(useHead((head) => head.workspaceId));
  const codex = useApp((app) => app.codex.state);
  const signedOut = useApp((app) => app.account.state === "signed out" && app.settings.localModel === null);
  const stale = threadStore(({ shown }) => shown.phase === "shown" && shown.stale);
  const agent = useShownAgent();
  return blockedBy({ archived, fault, demo, environment }, workspace, { codex, signedOut }, stale, agent);
}
