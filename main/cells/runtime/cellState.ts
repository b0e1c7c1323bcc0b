// One cell as data: what it is doing, what has happened to it, and what is to be done about that.

import type { Fault } from "../../fault";
import type { CellError, CellEvent, ObserveMode, OutputItem } from "./cellEvents";
import type { CellLimits } from "./limits";
import type { FromWorker, ToWorker } from "./workerMessages";

export type CellPhase =
  /** The script runs, waits, or has not begun yet. */
  | { name: "running" }
  /** The script has ended. What it has told the person is still on its way, or its thread is still there. */
  | {
      name: "finishing";
      error: CellError | null;
      stored: ReadonlyMap<string, string>;
      told: readonly number[];
    }
  /** It was ended from outside; what belongs to it is coming to its end. */
  | { name: "stopping"; told: readonly number[] }
  /** It has come to its end, and nobody has been told yet. */
  | { name: "unread"; event: CellEvent }
  /** Its end has been told. It counts until the delegate has returned. */
  | { name: "closing" }
  | { name: "closed" };

export interface CellTask {
  /** A notification has no id and no answer. */
  kind: { call: number; name: string } | "notification";
  /** It was told to end. */
  aborted: boolean;
}

export interface CellState {
  limits: CellLimits;
  phase: CellPhase;
  hasThread: boolean;
  observer: { id: number; mode: ObserveMode } | null;
  /** What nobody has been given yet, as it came: there may be very many items. */
  output: readonly (readonly OutputItem[])[];
  /** What the delegate does for it right now. */
  tasks: ReadonlyMap<number, CellTask>;
  lastTask: number;
  answers: number;
  /** The script can go no further without an answer. */
  atFrontier: boolean;
  /** The runtime ends: nobody will come for what is left unread. */
  isForsaken: boolean;
}

export type CellTimer = "yield" | "overrun" | "kill" | "grace";

export type CellHappening =
  | { type: "observe"; id: number; mode: ObserveMode }
  | { type: "terminate"; id: number }
  /** The runtime is shut down or dropped. */
  | { type: "forsake" }
  | { type: "said"; message: FromWorker }
  | { type: "threadGone"; fault: Fault | null }
  | { type: "taskEnded"; task: number; answer: TaskAnswer }
  | { type: "kept"; fault: Fault | null }
  | { type: "due"; timer: CellTimer }
  | { type: "closed" };

export type TaskAnswer = { ok: true; value: string } | { ok: false; message: string };

export type CellEffect =
  | { type: "send"; message: ToWorker }
  /** To the script, which ends as soon as it can. */
  | { type: "stop" }
  /** The thread, at once. */
  | { type: "kill" }
  | { type: "call"; task: number; name: string; args: string }
  | { type: "notify"; task: number; text: string }
  | { type: "abort"; tasks: number[] }
  /** One that is armed already is armed anew. */
  | { type: "arm"; timer: CellTimer; delayMs: number }
  | { type: "disarm"; timer: CellTimer }
  /** Those who wait for an event get this one. */
  | { type: "give"; to: readonly number[]; event: CellEvent }
  | { type: "refuse"; to: number; fault: Fault }
  /** For the session's later cells; answered with `kept`. */
  | { type: "keep"; values: ReadonlyMap<string, string> }
  /** Tell the delegate, which answers with `closed`. */
  | { type: "close" }
  /** It does not exist any more. */
  | { type: "gone" };

export type CellDecision = [CellState, CellEffect[]];

export function newCell(limits: CellLimits): CellState {
  return {
    limits,
    phase: { name: "running" },
    hasThread: true,
    observer: null,
    output: [],
    tasks: new Map(),
    lastTask: 0,
    answers: 0,
    atFrontier: false,
    isForsaken: false,
  };
}
