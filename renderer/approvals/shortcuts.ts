// One key for each decision of a card, taken from its words: A for "Approve" or "Accept", D for "Decline", another letter of
// the label where that one is taken. Pure.

import type { Decision } from "../../preload/contract/requests";

/** The key for each decision, in their order; null where no letter is left. */
export function decisionKeys(decisions: readonly Pick<Decision, "label" | "tone">[]): (string | null)[] {
  const taken = new Set<string>();
  const keys: (string | null)[] = decisions.map(() => null);
  const take = (index: number, letter: string | undefined) => {
    if (letter === undefined || taken.has(letter) || keys[index] !== null) return;
    taken.add(letter);
    keys[index] = letter;
  };
  // The two that are always asked for keep their letters, whatever else is offered before them.
  for (const tone of ["accept", "decline"] as const) {
    const index = decisions.findIndex((decision) => decision.tone === tone);
    take(index, tone === "accept" ? "a" : "d");
  }
  for (const [index, { label }] of decisions.entries()) {
    if (/\bsession\b/i.test(label)) take(index, "s");
  }
  for (const [index, { label }] of decisions.entries()) {
    if (keys[index] !== null) continue;
    const words = label.toLowerCase().match(/[a-z]+/g) ?? [];
    const initials = words.map((word) => word[0] ?? "");
    const letters = [...initials, ...words.join("")];
    take(
      index,
      letters.find((letter) => letter !== "" && !taken.has(letter)),
    );
  }
  return keys;
}

export interface KeyContext {
  key: string;
  modified: boolean;
  repeat: boolean;
  composing: boolean;
  /** Someone is writing: the focus is in a field. */
  inField: boolean;
  /** The focus is inside the card, or in the conversation above it. */
  inCard: boolean;
  composerEmpty: boolean;
  /** A menu or a dialog is open. */
  covered: boolean;
}

/** Whether a key without modifiers is meant for the card at all. */
export function keyIsForCard(context: KeyContext): boolean {
  if (context.modified || context.repeat || context.composing || context.inField || context.covered)
    return false;
  return context.inCard || context.composerEmpty;
}
