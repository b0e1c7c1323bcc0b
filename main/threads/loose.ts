// Reads values out of JSON that may be anything: an older or newer codex, or a broken one, must never make Holdfast throw.

export type LooseRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is LooseRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function recordOf(value: unknown): LooseRecord {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function recordsOf(value: unknown): LooseRecord[] {
  return listOf(value).filter(isRecord);
}

export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function stringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A string with something in it, or null. */
export function wordsOrNull(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

export function stringsOf(value: unknown): string[] {
  return listOf(value).filter((entry): entry is string => typeof entry === "string");
}

/** JSON can hold numbers that are too big for a double ("1e999" is read as Infinity): those count as missing. */
export function numberOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The number of `key` in `object`'s own fields; inherited names such as "constructor" are not fields. */
export function ownField(object: LooseRecord, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The last part of a path, whichever platform wrote it. */
export function baseName(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== "");
  return parts[parts.length - 1] ?? path;
}

/** `path` as seen from `folder`, when it lies inside it; otherwise `path` itself. */
export function pathWithin(folder: string, path: string): string {
  if (folder === "" || path === folder) return path;
  for (const separator of ["/", "\\"]) {
    const prefix = folder.endsWith(separator) ? folder : folder + separator;
    if (path.length > prefix.length && path.startsWith(prefix)) return path.slice(prefix.length);
  }
  return path;
}

/** Text with line breaks as JSON, or a sentence when it cannot be written (nested too deeply, circular). */
export function prettyJson(value: unknown, longestStringUnits = Number.POSITIVE_INFINITY): string {
  try {
    const json = JSON.stringify(
      value,
      (_key, entry: unknown) =>
        typeof entry === "string" && entry.length > longestStringUnits
          ? `${entry.slice(0, longestStringUnits)}… (${entry.length} characters in all)`
          : entry,
      2,
    );
    return json ?? "null";
  } catch {
    // RangeError for extreme nesting, TypeError for a cycle or a BigInt: none of them can be shown as text.
    return "(content that cannot be shown as text)";
  }
}
