// What a file or a command says as text. Programs on Windows put a mark before it, or write two bytes for each character.

export function answerText(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  // Either takes its own mark off.
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}
