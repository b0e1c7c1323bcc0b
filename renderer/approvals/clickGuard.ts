// Nobody answers a request that they did not see. A card that has just appeared or moved ignores the pointer for a moment:
// the press was meant for what was there before. Pure: times come with the events.
//
// Races, and what settles each:
// - A second request arrives, or the first is withdrawn, while a button is being pressed: the press belongs to the card
//   that was under the pointer when it went down, and to its request alone.
// - A double click: the second click is part of the same gesture and answers nothing, not even the next card.
// - The pane scrolls or grows and another button comes to lie under a resting pointer: the card has moved, and waits.

export const restMs = 150;

export interface GuardedClick {
  /** When the pointer went down, by the event's own clock; null for a click from the keyboard. */
  pressedAtMs: number | null;
  /** The place of this click in a series: 2 for the second of a double click; 0 from the keyboard. */
  series: number;
  /** The request that was under the pointer when it went down. */
  pressedKey: string | null;
}

export interface Card {
  requestKey: string;
  /** When it last appeared or moved, by the same clock. */
  movedAtMs: number;
  /** When the pointer was last moved by hand, by the same clock. */
  aimedAtMs: number;
  answering: boolean;
}

export type ClickVerdict = "answer" | "inert" | "too soon" | "other card" | "same gesture";

export function judgeClick(card: Card, click: GuardedClick): ClickVerdict {
  if (card.answering) return "inert";
  if (click.series > 1) return "same gesture";
  // The keyboard's focus is on one button of one request: it cannot slide under a finger.
  if (click.pressedAtMs === null) return "answer";
  if (click.pressedKey !== card.requestKey) return "other card";
  // A pointer that was brought here since then was aimed at this card; one that rested here was meant for what was before.
  if (card.aimedAtMs > card.movedAtMs) return "answer";
  return click.pressedAtMs - card.movedAtMs < restMs ? "too soon" : "answer";
}

/** A key says less than a click about what it is meant for: a card must have been there long enough to be read. */
export const restForKeysMs = 400;

export function mayTakeKey(card: Card, pressedAtMs: number): boolean {
  return !card.answering && pressedAtMs - card.movedAtMs >= restForKeysMs;
}
