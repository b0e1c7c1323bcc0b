// The beginnings of images, as far as their size is in them, for tests.

export function pngOf(width: number, height: number, bytes = 0): Buffer {
  const head = Buffer.alloc(33);
  head.write("\x89PNG\r\n\x1a\n", 0, "latin1");
  head.writeUInt32BE(13, 8);
  head.write("IHDR", 12, "latin1");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return padded(head, bytes);
}

export function gifOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.write("GIF89a", 0, "latin1");
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return head;
}

export function jpegOf(width: number, height: number, bytes = 0): Buffer {
  const head = Buffer.from([
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0, 0xff, 0xd9,
  ]);
  head.writeUInt16BE(height, 14);
  head.writeUInt16BE(width, 16);
  return padded(head, bytes);
}

export function webpOf(kind: "VP8 " | "VP8L" | "VP8X", width: number, height: number): Buffer {
  const head = Buffer.alloc(40);
  head.write(`RIFF    WEBP${kind}`, 0, "latin1");
  if (kind === "VP8 ") {
    head.writeUInt16LE(width, 26);
    head.writeUInt16LE(height, 28);
  } else if (kind === "VP8L") {
    head[20] = 0x2f;
    head.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  } else {
    head.writeUIntLE(width - 1, 24, 3);
    head.writeUIntLE(height - 1, 27, 3);
  }
  return head;
}

function padded(head: Buffer, bytes: number): Buffer {
  return bytes > head.length ? Buffer.concat([head, Buffer.alloc(bytes - head.length)]) : head;
}
