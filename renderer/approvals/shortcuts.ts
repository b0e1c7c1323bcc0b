// One key for each decision of a card. Some letters mean the same in every card, and nothing else in any: A for what approves,
// S for the session, D for "Decline", T for "Stop the turn". The others are taken from the words of their labels. Pure.

import type { Decision } from "../../preload/contract/requests";

type Labelled = Pick<Decision, "label" | "tone">;

const meanings: Readonly<Record<string, (decision: Labelled) => boolean>> = {
  a: ({ tone }) => tone === "accept",
  s: ({ label }) => /\bsession\b/i.test(label),
  d: ({ label, tone }) => tone === "decline" && /^decline$/i.test(label),
  t: ({ label, tone }) => tone === "decline" && /^stop\b/i.test(label),
};

/** The key for each decision, in their order; null where no letter is left. */
export function decisionKeys(decisions: readonly Labelled[]): (string | null)[] {
  const taken = new Set(Object.keys(meanings));
  const keys: (string | null)[] = decisions.map(() => null);
  for (const [letter, isMeant] of Object.entries(meanings)) {
    const index = decisions.findIndex((decision, at) => keys[at] === null && isMeant(decision));
    if (index >= 0) keys[index] = letter;
  }
  for (const [index, { label }] of decisions.entries()) {
    if (keys[index] !== null) continue;
    const words = label.toLowerCase().match(/[a-z]+/g) ?? [];
    const initials = words.map((word) => word[0] ?? "");
    const letter = [...initials, ...words.join("")].find((each) => !taken.has(each));
    if (letter === undefined) continue;
    taken.add(letter);
    keys[index] = letter;
  }
  return keys;
}

/** Where letters are text, or go to what begins with them. */
export const writingPlaces = [
  "input:not([type=radio], [type=checkbox], [type=button], [type=submit], [type=range])",
  "textarea",
  "select",
  "[contenteditable]:not([contenteditable=false])",
  "[role=textbox]",
  "[role=searchbox]",
  "[role=combobox]",
].join(", ");

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
