// Just enough of WebSocket framing to see what passes through a proxy: JSON in text frames that came whole, without
// compression, masked or not. What is anything else passes unseen.

/**
 * Reads one direction of a connection. The bytes of a frame that is cut are the reader's loss: whoever cuts passes none of
 * the chunk on.
 *
 * @param {(message: { id?: unknown, method?: unknown }) => "pass" | "cut"} judge
 * @returns {(bytes: Buffer) => "pass" | "cut"}
 */
export function frameReader(judge) {
  let held = Buffer.alloc(0);
  return (bytes) => {
    held = Buffer.concat([held, bytes]);
    for (;;) {
      const frame = firstFrame(held);
      if (frame === null) return "pass";
      held = held.subarray(frame.end);
      const message = frame.isText ? parsed(frame.payload) : null;
      if (message !== null && judge(message) === "cut") return "cut";
    }
  };
}

/** @param {Buffer} bytes */
function firstFrame(bytes) {
  // The request to upgrade and its answer come before all frames.
  if (/^(GET |HTTP)/.test(bytes.subarray(0, 4).toString("latin1"))) {
    const at = bytes.indexOf("\r\n\r\n");
    return at < 0 ? null : { end: at + 4, isText: false, payload: Buffer.alloc(0) };
  }
  if (bytes.length < 2) return null;
  const short = bytes.readUInt8(1) & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const isMasked = (bytes.readUInt8(1) & 0x80) !== 0;
  const start = 2 + lengthBytes + (isMasked ? 4 : 0);
  if (bytes.length < start) return null;
  const length =
    lengthBytes === 2 ? bytes.readUInt16BE(2) : lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  const end = start + length;
  if (bytes.length < end) return null;
  const payload = Buffer.from(bytes.subarray(start, end));
  if (isMasked) {
    const mask = bytes.subarray(start - 4, start);
    for (const [at, byte] of payload.entries()) payload[at] = byte ^ (mask[at % 4] ?? 0);
  }
  return { end, isText: bytes.readUInt8(0) === 0x81, payload };
}

/** @param {Buffer} payload @returns {{ id?: unknown, method?: unknown } | null} */
function parsed(payload) {
  try {
    return JSON.parse(payload.toString("utf8"));
  } catch {
    // Not a message: it is none of ours.
    return null;
  }
}
