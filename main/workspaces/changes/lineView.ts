import type { DiffLine } from "../../../preload/contract/changes";
import type { RawLine } from "./diffText";

/** A line as a window shows it, without its numbers. */
export function viewLine({ kind, bytes, hasNewline }: RawLine): DiffLine {
  const isCrlf = hasNewline && bytes.at(-1) === 0x0d;
  return {
    kind,
    text: bytes.toString("utf8", 0, isCrlf ? bytes.length - 1 : bytes.length),
    end: hasNewline ? (isCrlf ? "crlf" : "lf") : "none",
    oldLine: null,
    newLine: null,
  };
}
