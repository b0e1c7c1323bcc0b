// A folder dropped anywhere onto the window opens as a workspace. Files are left to whoever takes them (the composer);
// what nobody takes must not make the page go away to that file, which is what a browser does by itself.

import { FolderPlus } from "lucide-react";
import { useEffect, useState } from "react";
import { pathOfFile } from "../state/host";
import { openFolder } from "../state/navigation";

/** While it is dragged, only the missing media type tells a folder from a file. */
function seemsFolder(event: DragEvent): boolean {
  const items = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === "file");
  return items.length > 0 && items.every((item) => item.type === "");
}

function droppedFolders(event: DragEvent): string[] {
  const folders: string[] = [];
  for (const item of event.dataTransfer?.items ?? []) {
    if (item.kind !== "file" || !item.webkitGetAsEntry()?.isDirectory) continue;
    const file = item.getAsFile();
    const path = file && pathOfFile(file);
    if (path) folders.push(path);
  }
  return folders;
}

export function FolderDrop() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth += 1;
      setOver(seemsFolder(event));
    };
    const leave = () => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const overPage = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    // In the capture phase: a folder is never an attachment, wherever it is dropped.
    const drop = (event: DragEvent) => {
      depth = 0;
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const folders = droppedFolders(event);
      if (folders.length === 0) return;
      event.stopPropagation();
      void openAll(folders);
    };
    window.addEventListener("dragenter", enter);
    window.addEventListener("dragleave", leave);
    window.addEventListener("dragover", overPage);
    window.addEventListener("drop", drop, true);
    return () => {
      window.removeEventListener("dragenter", enter);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("dragover", overPage);
      window.removeEventListener("drop", drop, true);
    };
  }, []);
  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-2 z-50 grid animate-fade place-items-center rounded-l border-2 border-dashed border-accent bg-canvas/85">
      <p className="flex items-center gap-2.5 text-l font-semibold text-accent">
        <FolderPlus aria-hidden size={20} />
        Drop the folder to open it as a workspace
      </p>
    </div>
  );
}

async function openAll(folders: string[]): Promise<void> {
  for (const path of folders) await openFolder(path);
}
