// The turns that had failed when Holdfast interrupted them, to hold the follow-ups behind them. codex may record such a turn
// as interrupted: it is shown as failed all the same, with codex's own words.
//
// Races settled here:
// - codex is quick to go on: the thread's status says that the turn has failed a moment before its error does, and every
//   moment counts. So the interrupt is sent at whichever comes first, and the failure written down as soon as it is told.

import type { Turn } from "../codex/protocol/v2/Turn";
import type { TurnError } from "../codex/protocol/v2/TurnError";
import { asFault } from "../fault";
import type { HostedThread, ThreadHost } from "./host";
import { recordOf } from "./loose";
import { endsTurn } from "./threadFaults";

interface FailingThread extends HostedThread {
  readonly followUps: {
    /** Whether what waits has to be kept from being taken up when the running turn fails. */
    readonly isToBeHeld: boolean;
    /** The turn has failed, and is not over yet. */
    failing(turnId: string): void;
  };
}

/** No item has such an id: those name their turn first. */
const prefix = "failure of ";

export class FailedTurns {
  readonly #host: ThreadHost;
  readonly #thread: FailingThread;
  /** By turn. Null until they have been read. */
  #errors: Map<string, TurnError> | null = null;
  /** The turn that was interrupted at its status, before its error was told. */
  #failing: string | null = null;

  constructor(host: ThreadHost, thread: FailingThread) {
    this.#host = host;
    this.#thread = thread;
    const { state } = thread;
    const { asShown } = state;
    state.asShown = (turn) => this.#asShown(asShown(turn));
  }

  /** The thread's status says that its turn has failed, before anything else does. */
  statusTold(status: unknown): void {
    const { state, followUps } = this.#thread;
    const turnId = state.runningTurnId;
    if (recordOf(status).type !== "systemError" || turnId === null || !followUps.isToBeHeld) return;
    this.#failing = turnId;
    followUps.failing(turnId);
  }

  /** codex has told an error. When it ends the turn, codex would go on with the next follow-up: that is held. */
  heard({ turnId, willRetry, error }: Record<string, unknown>): void {
    const { state, followUps } = this.#thread;
    if (typeof turnId !== "string" || willRetry !== false || !endsTurn(error)) return;
    if (turnId !== state.runningTurnId && turnId !== state.owedTurnId) return;
    const isHeld = turnId === this.#failing;
    if (!isHeld && !followUps.isToBeHeld) return;
    this.#remember(turnId, error);
    if (!isHeld) followUps.failing(turnId);
  }

  #remember(turnId: string, reason: unknown): void {
    const { threadId } = this.#thread;
    if (threadId === null) return;
    const itemId = `${prefix}${turnId}`;
    this.#known().set(turnId, reason as TurnError);
    try {
      this.#host.runningItems.update(threadId, [
        { turnId, itemId, kind: "fact", item: { error: reason }, textSoFar: "" },
      ]);
    } catch (error) {
      // What waits behind it is held all the same: only what is shown of it after a restart is at stake.
      this.#host.log.error("a failure could not be written down", { turnId, error: asFault(error).message });
    }
  }

  #asShown(turn: Turn): Turn {
    if (turn.status !== "interrupted") return turn;
    const error = this.#known().get(turn.id);
    return error === undefined ? turn : { ...turn, status: "failed", error };
  }

  #known(): Map<string, TurnError> {
    const { threadId } = this.#thread;
    if (this.#errors !== null || threadId === null) return this.#errors ?? new Map();
    this.#errors = new Map();
    try {
      for (const { turnId, itemId, item } of this.#host.runningItems.list(threadId)) {
        if (itemId === `${prefix}${turnId}`) this.#errors.set(turnId, recordOf(item).error as TurnError);
      }
    } catch (error) {
      this.#host.log.error("failures could not be read", { threadId, error: asFault(error).message });
    }
    return this.#errors;
  }
}
