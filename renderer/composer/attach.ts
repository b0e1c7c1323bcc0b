// Files that are pasted, dropped or picked. Images are copied by main; any other file on this machine is mentioned.

import type { Attachment } from "../../preload/contract/items";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { pathOfFile } from "../state/host";
import { showFault, toast } from "../state/toasts";
import type { Draft } from "./draft";
import { writtenPath } from "./mention";

export const attachmentBytes = 20 * 1024 * 1024;
const imageTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

async function saved(file: File): Promise<Attachment[]> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const name = file.name || "image";
  return [(await call("attachments.save", { name, bytes })).attachment];
}

async function attachImage(draft: Draft, file: File): Promise<void> {
  if (file.size > attachmentBytes) {
    toast(`${file.name || "This image"} is too large.`, {
      tone: "warning",
      hint: `An image can have up to ${attachmentBytes / 1024 / 1024} MB. Make it smaller, or mention the file with @.`,
    });
    return;
  }
  try {
    await draft.attachWhenSaved(saved(file));
  } catch (error) {
    showFault(faultOf(error));
  }
}

/** `write` puts text where the caret is. */
export function attachFiles(draft: Draft, files: readonly File[], write: (text: string) => void): void {
  for (const file of files) {
    if (imageTypes.has(file.type)) {
      void attachImage(draft, file);
      continue;
    }
    const path = pathOfFile(file);
    if (path === null) {
      toast(`${file.name || "This"} cannot be attached.`, {
        tone: "warning",
        hint: "PNG, JPEG, GIF and WebP images can be, and files that are on this machine can be mentioned.",
      });
      continue;
    }
    write(writtenPath(path));
    draft.attach([{ kind: "mention", path, name: path }]);
  }
}

/** Through the platform's file dialog. */
export async function pickImages(draft: Draft): Promise<void> {
  try {
    await draft.attachWhenSaved(call("attachments.pick", {}).then((answer) => answer.attachments));
  } catch (error) {
    showFault(faultOf(error));
  }
}
