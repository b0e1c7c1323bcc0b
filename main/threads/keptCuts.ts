// Why turns were cut off, kept in the ledger: codex records such a turn like one that a person has stopped, or as one that
// still goes on, and never says why.

import { type FaultView, faultSchema } from "../../preload/contract/fault";
import { asFault } from "../fault";
import type { RunningItemsLedger } from "../ledger/runningItemsLedger";
import type { Log } from "../log";
import { recordOf } from "./loose";

/** No item has such an id: those name their turn first. */
const prefix = "cut of ";

/** The turn ended with its process, while nobody was there to say so. */
export const cutOffAway: FaultView = {
  code: "cut_off_away",
  message: "The turn was cut off while Holdfast was not running.",
  retryable: true,
};

export const stoppedAtQuit: FaultView = {
  code: "stopped_at_quit",
  message: "The turn was stopped because Holdfast was quit.",
  retryable: true,
};

export class KeptCuts {
  readonly #ledger: RunningItemsLedger;
  readonly #log: Log;

  constructor(ledger: RunningItemsLedger, log: Log) {
    this.#ledger = ledger;
    this.#log = log;
  }

  write(threadId: string, turnId: string, fault: FaultView): void {
    try {
      this.#ledger.update(threadId, [
        { turnId, itemId: `${prefix}${turnId}`, kind: "fact", item: { fault }, textSoFar: "" },
      ]);
    } catch (error) {
      this.#log.error("why a turn was cut off could not be written down", {
        threadId,
        error: asFault(error).message,
      });
    }
  }

  /** By turn, the oldest first. */
  read(threadId: string): Map<string, FaultView> {
    const cuts = new Map<string, FaultView>();
    try {
      for (const { turnId, itemId, item } of this.#ledger.list(threadId)) {
        if (itemId !== `${prefix}${turnId}`) continue;
        cuts.set(turnId, faultSchema.safeParse(recordOf(item).fault).data ?? cutOffAway);
      }
    } catch (error) {
      this.#log.error("why turns were cut off could not be read", {
        threadId,
        error: asFault(error).message,
      });
    }
    return cuts;
  }

  /** Why the newest turn of a thread was cut off that is known to have ended so. */
  reason(threadId: string): string {
    return ([...this.read(threadId).values()].at(-1) ?? cutOffAway).message;
  }
}
