// Escape in the empty message field while a turn runs, as users of codex's own CLI know it: the first asks, a second one soon
// after it stops the turn. Pure.

/** How long it is asked; a second Escape after that asks again. */
export const askedForMs = 2_000;

export interface StopScene {
  /** Nothing is written, and nothing attached. */
  isEmpty: boolean;
  /** A turn runs, and nobody has stopped it yet. */
  canStop: boolean;
  isAsked: boolean;
}

/** "held": it is the first press still, which neither stops nor leads anywhere. Null: Escape means what it always means. */
export function escapeMeans(
  { isEmpty, canStop, isAsked }: StopScene,
  { repeat }: { repeat: boolean },
): "ask" | "stop" | "held" | null {
  if (!isEmpty || !canStop) return null;
  if (repeat) return "held";
  return isAsked ? "stop" : "ask";
}
