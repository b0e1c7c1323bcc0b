// Requests from one part of the window to another that are no state: "put the cursor into the composer". Whoever can do
// it listens while it is on screen; with nobody there, nothing happens.

export type Signal = "focus-composer" | "focus-search" | "focus-conversation" | "focus-thread-list";

const listeners = new Map<Signal, Set<() => void>>();

export function send(signal: Signal): void {
  for (const listener of [...(listeners.get(signal) ?? [])]) listener();
}

/** Returns what stops the listening; fits an effect. */
export function onSignal(signal: Signal, listener: () => void): () => void {
  const held = listeners.get(signal) ?? new Set();
  listeners.set(signal, held);
  held.add(listener);
  return () => held.delete(listener);
}
