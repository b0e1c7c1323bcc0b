// Small pictures of image files, for the transcript and the composer. Only of files whose content is an image: the path
// comes from a window, and no other file's content may reach one this way.
//
// Races, and what settles each:
// - A file changes under its path: what is kept is kept under its time and size too, so it is drawn anew.
// - Many windows or rows ask for the same file at once: the first asks the disk, the others wait for it.

import { attachmentBytes, type ImageTools, imagePixels } from "./attachments";
import { imageInfo } from "./imageInfo";
import { LruMap } from "./lruMap";
import { openRegularFile } from "./regularFile";

const thumbnailSide = 320;
/** What cannot be scaled here (GIF, WebP) is shown as it is, if it is no larger than this. */
const wholeBytes = 512 * 1024;
const keptUnits = 16 * 1024 * 1024;

export class Thumbnails {
  readonly #images: ImageTools;
  readonly #kept = new LruMap<string>(keptUnits, (dataUrl) => dataUrl.length);
  readonly #loading = new Map<string, Promise<string | null>>();

  constructor(images: ImageTools) {
    this.#images = images;
  }

  /** A data URL; null when the file is gone, cannot be read, or is no image. Never rejects. */
  async of(path: string): Promise<string | null> {
    const loading = this.#loading.get(path);
    if (loading) return loading;
    const started = this.#load(path)
      // Gone or not readable is an answer here: the window shows that there is no picture.
      .catch(() => null)
      .finally(() => this.#loading.delete(path));
    this.#loading.set(path, started);
    return started;
  }

  async #load(path: string): Promise<string | null> {
    const { handle, bytes, modifiedMs } = await openRegularFile(path);
    try {
      const key = `${modifiedMs} ${bytes} ${path}`;
      const kept = this.#kept.get(key);
      if (kept !== undefined) return kept;
      if (bytes > attachmentBytes) return null;
      const dataUrl = this.#draw(await handle.readFile());
      if (dataUrl !== null) this.#kept.set(key, dataUrl);
      return dataUrl;
    } finally {
      await handle.close();
    }
  }

  #draw(bytes: Buffer): string | null {
    const info = imageInfo(bytes);
    if (!info || info.width * info.height > imagePixels) return null;
    const factor = Math.min(1, thumbnailSide / Math.max(info.width, info.height));
    if (factor === 1 && bytes.byteLength <= wholeBytes / 8) return dataUrlOf(info.type, bytes);
    const type = info.type === "jpeg" ? "jpeg" : "png";
    const size = {
      width: Math.max(1, Math.round(info.width * factor)),
      height: Math.max(1, Math.round(info.height * factor)),
    };
    const scaled = this.#images.scale(bytes, size, type);
    if (scaled) return dataUrlOf(type, scaled);
    return bytes.byteLength <= wholeBytes ? dataUrlOf(info.type, bytes) : null;
  }
}

function dataUrlOf(type: string, bytes: Uint8Array): string {
  return `data:image/${type};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")}`;
}
