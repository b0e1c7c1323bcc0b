// What a key in the message field means. Pure: everything that it depends on comes with it.
//
// A key that belongs to an input method (a candidate is being chosen) means nothing here, whichever key it is. In Chromium
// the key that confirms a candidate comes with `isComposing` or with code 229 before `compositionend`; some input methods
// end the composition first and then hand over the key as an ordinary one, in the same moment.

export interface KeyPress {
  key: string;
  keyCode: number;
  isComposing: boolean;
  shift: boolean;
  /** The platform's command key. */
  mod: boolean;
  alt: boolean;
  atMs: number;
}

export interface KeyContext {
  /** Between `compositionstart` and `compositionend`. */
  composing: boolean;
  compositionEndedAtMs: number | null;
  enterSends: boolean;
  running: boolean;
  /** The list of files is open and has something to choose. */
  choices: boolean;
  /** The list of files is open, with or without something to choose. */
  popup: boolean;
  /** Nothing is written. */
  empty: boolean;
  /** What is written is an earlier message that was called up and not changed since. */
  recalled: boolean;
  /** Escape was pressed a moment ago and would stop now. */
  stopArmed: boolean;
}

export type KeyMeaning =
  /** The field's own business. */
  | "type"
  /** Nothing at all, not even for the field. */
  | "nothing"
  | "send"
  | "steer"
  | "next choice"
  | "previous choice"
  | "choose"
  | "close popup"
  | "older message"
  | "newer message"
  | "arm stop"
  | "stop"
  | "leave";

/** A key that comes this soon after a composition ended was its end. */
export const compositionTailMs = 30;
/** The second Escape must follow within this time. */
export const stopArmedMs = 1_500;

export function isComposingKey(press: KeyPress, context: KeyContext): boolean {
  if (press.isComposing || press.keyCode === 229 || context.composing) return true;
  const ended = context.compositionEndedAtMs;
  const confirms = press.key === "Enter" || press.key === "Escape" || press.key === "Tab";
  return confirms && ended !== null && press.atMs - ended >= 0 && press.atMs - ended < compositionTailMs;
}

export function keyMeaning(press: KeyPress, context: KeyContext): KeyMeaning {
  if (isComposingKey(press, context)) return "type";
  const bare = !press.mod && !press.alt && !press.shift;
  if (context.popup) {
    if (press.key === "Escape") return "close popup";
    if (context.choices && bare) {
      if (press.key === "ArrowDown") return "next choice";
      if (press.key === "ArrowUp") return "previous choice";
      if (press.key === "Enter" || press.key === "Tab") return "choose";
    }
  }
  switch (press.key) {
    case "Enter":
      return enterMeaning(press, context);
    case "Escape":
      if (!bare) return "type";
      if (!context.running) return "leave";
      return context.stopArmed ? "stop" : "arm stop";
    case "ArrowUp":
      return bare && (context.empty || context.recalled) ? "older message" : "type";
    case "ArrowDown":
      return bare && context.recalled ? "newer message" : "type";
    default:
      return "type";
  }
}

/** While a turn runs, the sending key queues; the same with one more modifier steers. */
function enterMeaning(press: KeyPress, context: KeyContext): KeyMeaning {
  if (press.alt) return "type";
  if (context.enterSends) {
    if (press.shift) return "type";
    if (!press.mod) return "send";
    return context.running ? "steer" : "send";
  }
  if (!press.mod) return "type";
  return press.shift && context.running ? "steer" : "send";
}
