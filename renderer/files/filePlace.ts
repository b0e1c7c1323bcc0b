// A file and a place in it, as people and codex write them. Pure.

export interface FilePlace {
  path: string;
  /** From 1; null: none was named. */
  line: number | null;
}

/** "src/a.ts:12", "src/a.ts:12:3", "src/a.ts#L12". */
export function filePlace(text: string): FilePlace {
  const match = /^(.+?)(?::(\d{1,7})(?::\d*)?(?:-\d*)?:?|#L(\d{1,7})(?:[-C].*)?|:)$/.exec(text.trim());
  if (!match?.[1] || /^[a-z]$/i.test(match[1])) return { path: text.trim(), line: null };
  const line = Number(match[2] ?? match[3] ?? 0);
  return { path: match[1], line: line > 0 ? line : null };
}
