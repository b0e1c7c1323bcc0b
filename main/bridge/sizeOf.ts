// How much memory a message takes, roughly: enough to keep buffers within a bound, cheap enough to ask for every message.

const perValueBytes = 16;

/**
 * Bytes that a value of plain data takes, counted as two for each character. Stops as soon as it is over `limitBytes`,
 * so that a huge or endless value costs no more than a large one.
 */
export function sizeOf(value: unknown, limitBytes = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && bytes <= limitBytes) {
    const next = waiting.pop();
    bytes += perValueBytes;
    if (typeof next === "string") bytes += 2 * next.length;
    else if (ArrayBuffer.isView(next)) bytes += next.byteLength;
    else if (next instanceof ArrayBuffer) bytes += next.byteLength;
    else if (typeof next === "object" && next !== null) {
      const fields = Array.isArray(next)
        ? next
        : next instanceof Map || next instanceof Set
          ? [...next]
          : Object.values(next);
      for (const field of fields) waiting.push(field);
    }
  }
  return bytes;
}
