// The desktop as Electron offers it.

import { type BrowserWindow, clipboard, dialog, nativeImage, type OpenDialogOptions, shell } from "electron";
import { Fault } from "../fault";
import type { ImageTools } from "./attachments";
import { checkedLink, type Desktop, type PickOptions } from "./shellCalls";

type Properties = NonNullable<OpenDialogOptions["properties"]>;

export function electronDesktop(window: BrowserWindow): Desktop {
  const pick = async (options: PickOptions, properties: Properties): Promise<string[]> => {
    const { canceled, filePaths } = await dialog.showOpenDialog(window, {
      title: options.title,
      message: options.title,
      buttonLabel: options.button,
      defaultPath: options.startAt,
      filters: options.filters,
      properties,
    });
    return canceled ? [] : filePaths;
  };
  return {
    pickFolder: (options) => pick(options, ["openDirectory", "createDirectory"]),
    pickFile: (options) => pick(options, ["openFile", "showHiddenFiles"]),
    pickFiles: (options) => pick(options, ["openFile", "multiSelections"]),
    async pickPlace(options) {
      const { canceled, filePath } = await dialog.showSaveDialog(window, {
        title: options.title,
        message: options.title,
        buttonLabel: options.button,
        defaultPath: options.startAt,
        filters: options.filters,
        properties: ["createDirectory", "showOverwriteConfirmation"],
      });
      return canceled || filePath === "" ? null : filePath;
    },
    openLink,
    reveal: (path) => shell.showItemInFolder(path),
    copy: (text) => clipboard.writeText(text),
  };
}

/** Throws Fault `link_refused` or `link_not_opened`. */
export async function openLink(link: string): Promise<void> {
  const url = checkedLink(link);
  try {
    await shell.openExternal(url);
  } catch (error) {
    throw new Fault("link_not_opened", "No browser could be opened.", {
      hint: `Open this address yourself: ${url}`,
      detail: error instanceof Error ? error.message : String(error),
      retryable: true,
      cause: error,
    });
  }
}

/** Decodes PNG and JPEG; Electron has no decoder for other types in its main process. */
export const electronImages: ImageTools = {
  scale(bytes, size, type) {
    const image = nativeImage.createFromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (image.isEmpty()) return null;
    const scaled = image.resize({ ...size, quality: "best" });
    const encoded = type === "png" ? scaled.toPNG() : scaled.toJPEG(88);
    return encoded.byteLength > 0 ? encoded : null;
  },
};
