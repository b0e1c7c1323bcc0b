// Images that a person attaches. Each is kept in Holdfast's own folder from the moment it is attached, so that the
// message is whole whatever becomes of the original, and small enough not to burst a request.

import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { Attachment } from "../../preload/contract/items";
import { Fault } from "../fault";
import { type ImageInfo, type ImageType, imageInfo } from "./imageInfo";
import { openRegularFile } from "./regularFile";

export interface ImageTools {
  /** The image in another size; null when it cannot be decoded here. */
  scale(bytes: Uint8Array, size: { width: number; height: number }, type: "png" | "jpeg"): Uint8Array | null;
}

export const attachmentBytes = 25 * 1024 * 1024;
/** Decoding takes four bytes for each pixel, whatever the file weighs. */
export const imagePixels = 100_000_000;
export const longestSide = 2048;
export const comfortableBytes = 4 * 1024 * 1024;

export class Attachments {
  readonly #folder: string;
  readonly #images: ImageTools;

  constructor(folder: string, images: ImageTools) {
    this.#folder = folder;
    this.#images = images;
  }

  /** Throws Fault `attachment_too_large`, `attachment_not_image` or `attachment_not_saved`. */
  async save(name: string, bytes: Uint8Array): Promise<Attachment> {
    const info = checkImage(name, bytes);
    const kept = fitImage(bytes, info, this.#images);
    const fileName = safeFileName(name, kept.type);
    const path = join(this.#folder, `${randomUUID().slice(0, 8)}-${fileName}`);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeNew(path, kept.bytes);
    } catch (error) {
      throw new Fault("attachment_not_saved", `${fileName} could not be kept: ${reasonOf(error)}.`, {
        hint: "Check that there is room on the disk that Holdfast's folder is on.",
        retryable: true,
        cause: error,
      });
    }
    return { kind: "image", path, name: fileName, bytes: kept.bytes.byteLength };
  }

  /** All or none: when one file cannot be attached, nothing is kept and the fault names it. */
  async saveFiles(paths: readonly string[]): Promise<Attachment[]> {
    const read: { name: string; bytes: Uint8Array }[] = [];
    for (const path of paths) {
      const name = basename(path);
      const bytes = await readAttachment(path, name);
      checkImage(name, bytes);
      read.push({ name, bytes });
    }
    const saved: Attachment[] = [];
    try {
      for (const { name, bytes } of read) saved.push(await this.save(name, bytes));
    } catch (error) {
      await Promise.all(saved.map((attachment) => rm(attachment.path, { force: true })));
      throw error;
    }
    return saved;
  }
}

function checkImage(name: string, bytes: Uint8Array): ImageInfo {
  if (bytes.byteLength > attachmentBytes) throw tooLarge(name);
  const info = imageInfo(bytes);
  if (!info) {
    throw new Fault("attachment_not_image", `${shown(name)} is not an image that can be attached.`, {
      hint: "Attach a PNG, JPEG, GIF or WebP image. Other files can be mentioned with @.",
    });
  }
  if (info.width * info.height > imagePixels) {
    throw tooLarge(name, `It has ${info.width} by ${info.height} pixels.`);
  }
  return info;
}

function tooLarge(name: string, detail?: string): Fault {
  return new Fault("attachment_too_large", `${shown(name)} is too large to be attached.`, {
    hint: `An image can have up to ${attachmentBytes / 1024 / 1024} MB. Make it smaller, or mention the file with @.`,
    detail,
  });
}

/** The image itself if it is small enough, else a smaller one; the image itself too when it cannot be decoded here. */
export function fitImage(
  bytes: Uint8Array,
  info: ImageInfo,
  images: ImageTools,
): { bytes: Uint8Array; type: ImageType } {
  const longer = Math.max(info.width, info.height);
  const original = { bytes, type: info.type };
  if (longer <= longestSide && bytes.byteLength <= comfortableBytes) return original;
  const factor = Math.min(1, longestSide / longer);
  const size = {
    width: Math.max(1, Math.round(info.width * factor)),
    height: Math.max(1, Math.round(info.height * factor)),
  };
  const first = info.type === "jpeg" ? "jpeg" : "png";
  let type: ImageType = first;
  let scaled = images.scale(bytes, size, first);
  if (scaled && first === "png" && scaled.byteLength > comfortableBytes) {
    const smaller = images.scale(bytes, size, "jpeg");
    if (smaller && smaller.byteLength < scaled.byteLength) {
      scaled = smaller;
      type = "jpeg";
    }
  }
  if (!scaled || (factor === 1 && scaled.byteLength >= bytes.byteLength)) return original;
  return { bytes: scaled, type };
}

async function readAttachment(path: string, name: string): Promise<Uint8Array> {
  let file: { handle: FileHandle; bytes: number };
  try {
    file = await openRegularFile(path);
  } catch (error) {
    throw new Fault("attachment_unreadable", `${shown(name)} cannot be read: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
  try {
    if (file.bytes > attachmentBytes) throw tooLarge(name);
    return await file.handle.readFile();
  } finally {
    await file.handle.close();
  }
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    throw error;
  }
  await handle.close();
}

const endings: Record<ImageType, string> = { png: ".png", jpeg: ".jpg", gif: ".gif", webp: ".webp" };

/** A name that every file system takes, of the name that came with the image, ending as its content demands. */
export function safeFileName(name: string, type: ImageType): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const stem = basename(last, extname(last))
    .normalize("NFC")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff<>:"/\\|?*]/g, "")
    .replace(/\p{Surrogate}/gu, "")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  const short = [...stem].slice(0, 60).join("").trim();
  return `${short || "image"}${endings[type]}`;
}

function shown(name: string): string {
  return safeFileName(name, "png").slice(0, -4) === "image" ? "This file" : `“${name.slice(0, 100)}”`;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
      return "it is not there";
    case "EACCES":
    case "EPERM":
      return "it is not allowed";
    case "ENOSPC":
      return "the disk is full";
    default:
      return message;
  }
}
