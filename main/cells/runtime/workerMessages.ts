// What a cell's worker and the runtime say to each other. Values cross as JSON text: nothing of the one world can be reached
// from the other.

import type { CompiledQuickJs } from "../script/compiled";
import type { CellError, OutputItem } from "./cellEvents";
import type { CellLimits } from "./limits";

/** What a worker is started with. */
export interface WorkerStart {
  script: string;
  limits: CellLimits;
  /** By key, as JSON. */
  stored: ReadonlyMap<string, string>;
  /** The names of the tools that the script finds. */
  tools: readonly string[];
  /** QuickJS, compiled once for all. */
  quickjs: CompiledQuickJs;
  /** One Int32: not 0 when the script is to stop, also in the middle of a loop. */
  stopFlag: SharedArrayBuffer;
}

export type ToWorker =
  /** `value` is JSON. */
  | { type: "answer"; id: number; ok: true; value: string }
  | { type: "answer"; id: number; ok: false; message: string }
  /** A notification has been delivered, or never will be. */
  | { type: "notified" }
  /** To one that waits; one that runs sees the flag. */
  | { type: "stop" };

export type FromWorker =
  /** The script, or a part of it, begins to run: it hears nothing until it is `idle`. */
  | { type: "busy"; spentMs: number }
  /**
   * It has run as far as it can. `answers`: how many it has received by then, which tells whether another one is on its way.
   * `waitsFor`: what makes it go on; a timer does so by itself.
   */
  | { type: "idle"; spentMs: number; answers: number; waitsFor: "answer" | "timer" }
  | { type: "output"; items: OutputItem[] }
  /** `args` is JSON. */
  | { type: "call"; id: number; name: string; args: string }
  | { type: "notify"; text: string }
  /** Nothing follows. `stored`: what is to be kept for later cells, as JSON. */
  | { type: "done"; error: CellError | null; stored: ReadonlyMap<string, string> };
