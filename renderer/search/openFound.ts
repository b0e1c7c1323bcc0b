// To what was found. A thread of a folder that is no workspace yet is shown once the person has agreed to open that.

import type { ThreadHit } from "../../preload/contract/thread";
import { findWhenShown } from "../find/findStore";
import { call } from "../state/connection";
import { goToHit, goToWorkspace } from "../state/navigation";
import { attempt } from "../state/toasts";

/** `query`: what was searched for; what is only in the text is then marked there. */
export async function openFound(hit: ThreadHit, query: string): Promise<void> {
  const went = await goToHit(hit);
  const isInText = query !== "" && !hit.title.toLowerCase().includes(query.toLowerCase());
  if (went && isInText) findWhenShown(hit.threadId, query);
}

export async function openFolderOf(cwd: string): Promise<void> {
  const opened = await attempt(call("workspaces.open", { path: cwd }));
  if (opened) goToWorkspace(opened.workspaceId);
}
