// What whoever runs a cell sees of it.

import type { LimitName } from "./limits";

export type OutputItem =
  | { type: "text"; text: string }
  /** A `data:` address of a picture; nothing has to be loaded from anywhere. */
  | { type: "image"; dataUrl: string }
  /** What the person is told, in its place among the rest. */
  | { type: "notice"; text: string };

/** Why a script ended otherwise than by coming to its end. */
export interface CellError {
  text: string;
  /** Where in the script, counted from 1, when that is known. */
  at: { line: number; column: number } | null;
  /** The limit that it has reached. */
  limit: LimitName | null;
}

/**
 * How long an observer waits: some time, until the script can go no further without an answer from outside, or until it has
 * written something and a moment has passed in which more may come.
 */
export type ObserveMode =
  | { type: "yieldAfter"; delayMs: number }
  | { type: "pendingFrontier" }
  | { type: "output"; momentMs: number };

/** A call that was not answered yet. */
export interface PendingCall {
  id: number;
  name: string;
}

/** Each item of the output is in one event only. */
export type CellEvent =
  | { type: "yielded"; output: OutputItem[]; pendingCalls: PendingCall[] }
  | { type: "completed"; output: OutputItem[]; error: CellError | null }
  | { type: "terminated"; output: OutputItem[] };
