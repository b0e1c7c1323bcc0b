// Opens a file that the conversation names.

import { resolvePath } from "../conversation/markdown/links";
import { appCopy } from "../state/appStore";
import { goToEnvironments } from "../state/navigation";
import { shownCopy } from "../state/threadStore";
import { toast } from "../state/toasts";
import { showDialog } from "../state/uiStore";

/** `path`: whole, or from the folder of the shown thread's workspace. */
export function openPath(path: string, line: number | null): void {
  const here = isElsewhere() ? null : pathHere(path);
  if (here) showDialog({ kind: "file", ...here, line });
}

/** Whether the shown thread's files are on another machine, which is said. */
export function isElsewhere(): boolean {
  const environmentId = shownCopy()?.head.environment?.environmentId ?? null;
  if (environmentId === null) return false;
  const name = appCopy()?.app.environments.find((each) => each.environmentId === environmentId)?.name;
  toast("This file is where the thread runs, not on this machine.", {
    hint: `The page of environments shows the files of ${name ?? "that environment"}.`,
    actions: [{ label: "Show environment", run: () => goToEnvironments(environmentId) }],
  });
  return true;
}

export function pathHere(path: string): { workspaceId: string; path: string } | null {
  const workspaceId = shownCopy()?.head.workspaceId;
  if (workspaceId === undefined) return null;
  const folder = appCopy()?.app.workspaces.find(({ id }) => id === workspaceId)?.path ?? "";
  return { workspaceId, path: resolvePath(path, folder) };
}
