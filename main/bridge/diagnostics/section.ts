// A part of the diagnostics before it is cleaned, and the words that all parts use. Pure.

import type { DiagnosticSection } from "../../../preload/contract/diagnostics";
import type { Part } from "./rawDiagnostics";

export type Section = Pick<DiagnosticSection, "id" | "title"> & Partial<DiagnosticSection>;

/** What a part says, or why it says nothing. */
export function ofPart<Value>(
  part: Part<Value>,
  section: Pick<Section, "id" | "title">,
  words: (value: Value) => Omit<Section, "id" | "title">,
): Section {
  if ("failed" in part) return { ...section, note: `This could not be found out: ${part.failed}` };
  return { ...section, ...words(part.value) };
}

export const unknownHere = "not known here";

export function bytesWords(bytes: number | null): string {
  if (bytes === null) return unknownHere;
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
  if (bytes < 999_500_000) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

/** In universal time, so that it means the same to whoever reads it. */
export function timeWords(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return "unknown";
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** "0600". */
export function modeWords(mode: number | null): string {
  return mode === null ? unknownHere : (mode & 0o7777).toString(8).padStart(4, "0");
}

export function facts(pairs: readonly (readonly [string, string | number | null | undefined])[]) {
  return pairs.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [{ name, value: String(value) }],
  );
}
