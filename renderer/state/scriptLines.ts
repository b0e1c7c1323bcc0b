// Asks whoever shows scripts to show one line of one. With nobody there yet it is kept for a moment: the page may only be on
// its way.

export interface AskedLine {
  scriptId: string;
  /** The text in which the line has this number; the script may have been changed since. */
  source: string;
  line: number;
  column: number;
}

const listeners = new Set<(asked: AskedLine) => void>();
const owedForMs = 3_000;
let owed: { asked: AskedLine; untilMs: number } | null = null;

export function askForLine(asked: AskedLine, nowMs = performance.now()): void {
  owed = listeners.size === 0 ? { asked, untilMs: nowMs + owedForMs } : null;
  for (const listener of [...listeners]) listener(asked);
}

/** Returns what stops the listening; fits an effect. */
export function onLineAsked(listener: (asked: AskedLine) => void, nowMs = performance.now()): () => void {
  listeners.add(listener);
  const late = owed;
  owed = null;
  if (late && nowMs <= late.untilMs) listener(late.asked);
  return () => {
    listeners.delete(listener);
  };
}
