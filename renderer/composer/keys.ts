// What a key does in the message field. Pure.

import { onMac, pressMatches } from "../ui/keys";

export interface FieldPress {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  repeat: boolean;
  isComposing: boolean;
  keyCode: number;
  timeStamp: number;
}

/** A key that comes this soon after a composition ended was its end. */
export const compositionTailMs = 30;

/**
 * While an input method composes, every key is its own: Enter chooses a word, Escape gives one up. The key that ends the
 * composition comes with code 229, or, from some input methods, as an ordinary one right after the end.
 */
export function belongsToInputMethod(press: FieldPress, compositionEndedAtMs: number): boolean {
  if (press.isComposing || press.keyCode === 229) return true;
  const ends = press.key === "Enter" || press.key === "Escape" || press.key === "Tab";
  const sinceMs = press.timeStamp - compositionEndedAtMs;
  return ends && sinceMs >= 0 && sinceMs < compositionTailMs;
}

export type FieldAction = "send" | "steer" | "swallow" | null;

/** `enterSends` false: Enter is a line, and the platform's command key with it sends. */
export function actionOf(press: FieldPress, enterSends: boolean, mac = onMac): FieldAction {
  const sends = pressMatches(press, "mod+enter", mac) || (enterSends && pressMatches(press, "enter", mac));
  // A key that is held down after it has sent neither sends again nor goes on to write lines.
  if (press.repeat) return sends ? "swallow" : null;
  if (pressMatches(press, "mod+shift+enter", mac)) return "steer";
  return sends ? "send" : null;
}
