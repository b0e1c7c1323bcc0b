// Hands the keyboard to the screen of one terminal, which may be about to be drawn while that of another still is.

/** A busy machine may take long to draw it. */
const waitsMs = 10_000;

const screens = new Map<string, () => void>();
let wanted: { terminalId: string; untilMs: number } | null = null;

export function giveKeyboard(terminalId: string, nowMs = performance.now()): void {
  const take = screens.get(terminalId);
  wanted = take === undefined ? { terminalId, untilMs: nowMs + waitsMs } : null;
  take?.();
}

/** The same for the screen that is about to be drawn in another place, instead of the one that is on screen now. */
export function giveKeyboardNext(terminalId: string, nowMs = performance.now()): void {
  wanted = { terminalId, untilMs: nowMs + waitsMs };
}

/** `take` is called now if this one was meant to have the keyboard a moment ago. Returns what ends it. */
export function onKeyboard(terminalId: string, take: () => void, nowMs = performance.now()): () => void {
  screens.set(terminalId, take);
  const isWanted = wanted !== null && wanted.terminalId === terminalId && nowMs <= wanted.untilMs;
  if (wanted?.terminalId === terminalId) wanted = null;
  if (isWanted) take();
  return () => {
    if (screens.get(terminalId) === take) screens.delete(terminalId);
  };
}
