// Text that comes back exactly as it was written, whatever it holds. SQLite's TEXT is UTF-8 and ends at a NUL for some
// readers: an unpaired surrogate would come back as another character, and a NUL would cut the text. Such text is kept as
// a BLOB of its UTF-16 units; all other text is kept as TEXT, so that people can read and search it in the file.

const notForText = /\0|\p{Surrogate}/u;

/** For a column declared ANY in a STRICT table, which keeps TEXT and BLOB apart. */
export function storedText(text: string): string | Uint8Array {
  if (!notForText.test(text)) return text;
  return Buffer.from(text, "utf16le");
}

export function readText(stored: string | Uint8Array): string {
  if (typeof stored === "string") return stored;
  return Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString("utf16le");
}
