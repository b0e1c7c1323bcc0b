const longestIndentedUnits = 200_000;

/** JSON as one reads it; anything else, and what is too long, as it came. */
export function indentedJson(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > longestIndentedUnits || !/^[[{]/.test(trimmed)) return text;
  try {
    return JSON.stringify(JSON.parse(trimmed), null, 2);
  } catch {
    // Text that only looks like JSON, or whose beginning was cut off.
    return text;
  }
}
