// Requests from one part of the window to another that are no state: "put the cursor into the composer". Whoever can do
// it listens while it is on screen; with nobody there, nothing happens.

export type Signal =
  | "focus-composer"
  | "focus-search"
  | "focus-find"
  | "focus-thread-search"
  | "open-model-menu"
  | "open-sandbox-menu"
  | "open-approvals-menu"
  | "focus-settings-search"
  | "focus-conversation"
  | "show-latest"
  | "focus-thread-list"
  | "focus-inspector"
  | "focus-script"
  | "focus-changes"
  | "focus-commit"
  | "run-script"
  | "stop-run"
  | "show-cleanup"
  | "show-follow-ups";

const listeners = new Map<Signal, Set<() => void>>();
const owed = new Map<Signal, number>();
const owedForMs = 3_000;

export function send(signal: Signal): void {
  for (const listener of [...(listeners.get(signal) ?? [])]) listener();
}

/** The same for a part that is only about to come on screen: it hears of it when it does, if that is soon. */
export function sendSoon(signal: Signal, nowMs = performance.now()): void {
  if (listeners.get(signal)?.size) send(signal);
  else owed.set(signal, nowMs + owedForMs);
}

/** Returns what stops the listening; fits an effect. */
export function onSignal(signal: Signal, listener: () => void, nowMs = performance.now()): () => void {
  const held = listeners.get(signal) ?? new Set();
  listeners.set(signal, held);
  held.add(listener);
  const untilMs = owed.get(signal);
  owed.delete(signal);
  if (untilMs !== undefined && nowMs <= untilMs) listener();
  return () => held.delete(listener);
}
