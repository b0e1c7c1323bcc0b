// What an image says of itself in its first bytes: its type and its size. By content, never by the file's name. Only the
// types that codex takes.

export type ImageType = "png" | "jpeg" | "gif" | "webp";

export interface ImageInfo {
  type: ImageType;
  width: number;
  height: number;
}

/** The types by the ending of a file's name: for dialogs, and for names that Holdfast gives. */
export const imageEndings = ["png", "jpg", "jpeg", "gif", "webp"];

/** null when the bytes are no image of a known type, or end before they say how large it is. */
export function imageInfo(bytes: Uint8Array): ImageInfo | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const info = pngInfo(data) ?? jpegInfo(data) ?? gifInfo(data) ?? webpInfo(data);
  return info !== null && info.width > 0 && info.height > 0 ? info : null;
}

function pngInfo(data: Buffer): ImageInfo | null {
  if (data.length < 24 || data.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") return null;
  if (data.toString("latin1", 12, 16) !== "IHDR") return null;
  return { type: "png", width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

function gifInfo(data: Buffer): ImageInfo | null {
  if (data.length < 10 || !/^GIF8[79]a$/.test(data.toString("latin1", 0, 6))) return null;
  return { type: "gif", width: data.readUInt16LE(6), height: data.readUInt16LE(8) };
}

function webpInfo(data: Buffer): ImageInfo | null {
  if (data.length < 30 || data.toString("latin1", 0, 4) !== "RIFF") return null;
  switch (data.toString("latin1", 8, 16)) {
    case "WEBPVP8 ":
      return { type: "webp", width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
    case "WEBPVP8L": {
      const bits = data.readUInt32LE(21);
      return { type: "webp", width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case "WEBPVP8X":
      return { type: "webp", width: 1 + data.readUIntLE(24, 3), height: 1 + data.readUIntLE(27, 3) };
    default:
      return null;
  }
}

/** A JPEG is a list of marked segments; the size is in the first that begins a frame. */
function jpegInfo(data: Buffer): ImageInfo | null {
  if (data.length < 4 || data.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= data.length) {
    if (data[at] !== 0xff) return null;
    const marker = data[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const standsAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    if (standsAlone) {
      at += 2;
      continue;
    }
    const beginsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (beginsFrame) {
      return { type: "jpeg", height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    }
    const length = data.readUInt16BE(at + 2);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}
