// What follow-ups are said to be, in their list, above the composer and to assistive technology. Pure.

import type { FollowUpsView, FollowUpView } from "../../preload/contract/thread";
import { count } from "../conversation/time/durations";

type Held = NonNullable<FollowUpsView["held"]>;

interface HeldWords {
  /** Why, beside the word "Held". */
  brief: string;
  title: string;
  hint: string;
}

const held: Record<Held, HeldWords> = {
  stopped: {
    brief: "the turn was stopped",
    title: "Held: the turn was stopped.",
    hint: "None is sent until you continue.",
  },
  failed: {
    brief: "the turn failed",
    title: "Held: the turn failed.",
    hint: "None is sent until you continue.",
  },
  waiting: {
    brief: "codex does not go on by itself",
    title: "codex takes none of them up by itself.",
    hint: "Nothing runs. Continue to send the first.",
  },
};

export function heldWords(reason: Held): HeldWords {
  return held[reason];
}

/** Who keeps them, and when they are sent; null where there is nothing true to promise. */
export function keeperWords(
  { keeper, held: reason }: Pick<FollowUpsView, "keeper" | "held">,
  demo: boolean,
): string | null {
  // The demo's model ends with Holdfast, and what is held waits for a person.
  if (reason !== null || demo) return null;
  return keeper === "codex"
    ? "codex keeps them, and sends them also while Holdfast is closed."
    : "This codex has no queue: Holdfast keeps them, and sends them only while it is open.";
}

export const inDoubtWords =
  "codex has it in its queue no more. Holdfast looks for it when nothing runs here, and brings it back if it was not sent.";

/** One line of text that stands for the whole. */
export function lineOf({ text, attachments }: Pick<FollowUpView, "text" | "attachments">): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  if (line !== "") return line;
  const [only, ...more] = attachments;
  if (only && more.length === 0) return only.name;
  return count(attachments.length, "attachment");
}

const longestName = 160;

/** What a row is called: its text and its place, then what it brings along and what goes on with it. */
export function entryName(entry: FollowUpView, place: number, of: number): string {
  const line = lineOf(entry);
  const text = line.length > longestName ? `${line.slice(0, longestName).trimEnd()}…` : line;
  const brings = entry.attachments.length > 0 ? count(entry.attachments.length, "attachment") : null;
  const more = [brings, byWords(entry), stateWords(entry.state)].filter((each) => each !== null);
  return [text, `${place} of ${of}`, ...more].join(", ");
}

/** Who has queued it, where that was not the person. */
export function byWords({ byRun }: Pick<FollowUpView, "byRun">): string | null {
  return byRun === undefined ? null : `by the script ${byRun.scriptName}`;
}

export function stateWords(state: FollowUpView["state"]): string | null {
  switch (state) {
    case "sending":
      return "being handed over";
    case "changing":
      return "being changed";
    case "queued":
      return null;
    default: {
      const unknown: never = state;
      return unknown;
    }
  }
}

/** When the first one is sent, while nothing holds them. */
export function whenWords(running: boolean): string {
  return running ? "Next when this turn ends" : "Next at any moment";
}

/** What the line above the composer says, whole. */
export function waitingWords({ entries, held: reason }: FollowUpsView): string {
  const [first] = entries;
  if (!first) return "";
  const amount = `${count(entries.length, "follow-up")} ${entries.length === 1 ? "waits" : "wait"}`;
  const why = reason === null ? "" : `, held: ${heldWords(reason).brief}`;
  const by = byWords(first);
  return `${amount}${why}. ${reason === null ? "Next" : "First"}: ${lineOf(first)}${by === null ? "" : `, ${by}`}`;
}

/** What comes of a message that is sent now, where follow-ups are held. */
export function sendWords({ entries, held: reason }: FollowUpsView): string {
  if (entries.length === 0 || reason === null) return "Send";
  return entries.length === 1
    ? "Send now; the held follow-up goes on after it"
    : `Send now; the ${entries.length} held follow-ups go on after it`;
}

/** What comes of a message that is queued now. */
export function queueWords({ entries }: FollowUpsView): string {
  if (entries.length === 0) return "After this turn ends: sent as a turn of its own";
  return `After this turn ends and ${count(entries.length, "follow-up")} before it: sent as a turn of its own`;
}

export const steerWords = "Into the running turn now: the agent reads it at its next step";
