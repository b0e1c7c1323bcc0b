// Opens files and folders in the person's own editor. What is in the way is said with a way to the setting.

import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { showFault } from "../state/toasts";
import { showDialog } from "../state/uiStore";
import { isElsewhere, pathHere } from "./openPath";

export interface EditorPlace {
  /** null: the path is whole. */
  workspaceId: string | null;
  /** null: the workspace's folder. */
  path: string | null;
  line?: number | null;
}

export async function openInEditor({ workspaceId, path, line = null }: EditorPlace): Promise<void> {
  try {
    await call("editor.open", { workspaceId, path, line });
  } catch (error) {
    const fault = faultOf(error);
    const isAboutEditor = fault.code.startsWith("editor_");
    showFault(fault, isAboutEditor ? [{ label: "Choose the editor", run: chooseEditor }] : []);
  }
}

/** What the conversation names. */
export function openPathInEditor(path: string, line: number | null): void {
  const here = isElsewhere() ? null : pathHere(path);
  if (here) void openInEditor({ ...here, line });
}

function chooseEditor(): void {
  showDialog({ kind: "settings", section: "general", settingId: "editor" });
}
