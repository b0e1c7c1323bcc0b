// Opens a file that the conversation names.

import { resolvePath } from "../conversation/markdown/links";
import { appCopy } from "../state/appStore";
import { goToEnvironments } from "../state/navigation";
import { shownCopy } from "../state/threadStore";
import { toast } from "../state/toasts";
import { showDialog } from "../state/uiStore";

/** `path`: whole, or from the folder of the shown thread's workspace. */
export function openPath(path: string, line: number | null): void {
  const head = shownCopy()?.head;
  if (!head) return;
  const { environment, workspaceId } = head;
  if (environment !== null) {
    const { environmentId } = environment;
    const name = appCopy()?.app.environments.find((each) => each.environmentId === environmentId)?.name;
    toast("This file is where the thread runs, not on this machine.", {
      hint: `The page of environments shows the files of ${name ?? "that environment"}.`,
      actions: [{ label: "Show environment", run: () => goToEnvironments(environmentId) }],
    });
    return;
  }
  const folder = appCopy()?.app.workspaces.find(({ id }) => id === workspaceId)?.path ?? "";
  showDialog({ kind: "file", workspaceId, path: resolvePath(path, folder), line });
}
