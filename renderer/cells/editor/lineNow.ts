// Where a line of an earlier text is now. Pure.

/** The nearest line that says the same; the one of that number where none does. Counted from 1. */
export function lineNow(source: string, earlier: string, line: number): number {
  const lines = source.split("\n");
  const wanted = earlier.split("\n")[line - 1];
  if (wanted === undefined || source === earlier || wanted.trim() === "") return Math.min(line, lines.length);
  let nearest: number | null = null;
  lines.forEach((text, index) => {
    const isNearer = nearest === null || Math.abs(index + 1 - line) < Math.abs(nearest - line);
    if (text === wanted && isNearer) nearest = index + 1;
  });
  return nearest ?? Math.min(line, lines.length);
}
