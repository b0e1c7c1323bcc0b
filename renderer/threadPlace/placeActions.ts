// Chooses where a thread's commands run.

import type { EnvironmentView } from "../../preload/contract/environments";
import { appCopy } from "../state/appStore";
import { call } from "../state/connection";
import { shownCopy } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { showDialog } from "../state/uiStore";

/** On this machine, in the workspace's own folder. */
export async function runHere(threadKey: string): Promise<void> {
  await attempt(call("threads.setEnvironment", { threadKey, environment: null }));
}

/**
 * An environment on this machine has the workspace's folder; of any other the person says the folder. `folder`: where it is
 * looked for first, in place of where a thread of the workspace was last.
 */
export async function runIn(
  threadKey: string,
  workspaceId: string,
  { environmentId, registry }: Pick<EnvironmentView, "environmentId" | "registry">,
  folder: string | null = null,
): Promise<void> {
  if (registry.kind === "local") {
    const cwd = appCopy()?.app.workspaces.find(({ id }) => id === workspaceId)?.path;
    if (cwd === undefined) return;
    await attempt(call("threads.setEnvironment", { threadKey, environment: { environmentId, cwd } }));
    return;
  }
  const last =
    folder ?? (await attempt(call("threads.lastFolderIn", { workspaceId, environmentId })))?.folder;
  showDialog({ kind: "threadFolder", threadKey, environmentId, folder: last ?? null });
}

/** For the thread that is shown, from wherever it is asked for. */
export function runShownIn(environment: EnvironmentView): void {
  const head = shownCopy()?.head;
  if (!head) return;
  const isThere = head.environment?.environmentId === environment.environmentId;
  void runIn(head.key, head.workspaceId, environment, isThere ? (head.environment?.cwd ?? null) : null);
}

export function runShownHere(): void {
  const head = shownCopy()?.head;
  if (head) void runHere(head.key);
}
