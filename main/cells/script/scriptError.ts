// What a person reads when a script fails: what it was, and where in the script.

import type { CellError } from "../runtime/cellEvents";
import { type CellLimits, type LimitName, limitText } from "../runtime/limits";
import { preludeFile } from "./prelude";

export const scriptFile = "script.js";

const linesShown = 20;
const charactersShown = 8_000;

/** `description`: as the sandbox writes an error, with its trace. */
export function scriptError(description: string, limits: CellLimits): CellError {
  if (description.startsWith("InternalError: out of memory")) return limitError("memoryBytes", limits);
  const lines = description
    .replace(
      /^(Internal|Syntax)Error: stack overflow/,
      "RangeError: What the script does is nested too deeply",
    )
    .split("\n")
    .filter((line) => !line.includes(`(${preludeFile}:`) && line.trim() !== "")
    .slice(0, linesShown);
  const at = /script\.js:(\d+):(\d+)/.exec(description);
  return {
    text: lines.join("\n").slice(0, charactersShown),
    at: at ? { line: Number(at[1]), column: Number(at[2]) } : null,
    limit: null,
  };
}

export function limitError(limit: LimitName, limits: CellLimits): CellError {
  return { text: limitText(limit, limits), at: null, limit };
}

export function plainError(text: string): CellError {
  return { text, at: null, limit: null };
}
