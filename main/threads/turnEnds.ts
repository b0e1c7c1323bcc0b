// How turns ended, for the rows and for those who tell the person of it.
//
// Races settled here:
// - The end of one turn is told more than once: it is announced once.
// - A turn ended while Holdfast was not running, and its thread is not loaded: how it ended is asked of codex's record, over
//   the connection that there is, or over the next one.
// - The thread is loaded, or begins another turn, while that is asked: what it says of itself is newer.

import { asFault } from "../fault";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import type { HostedThread } from "./host";
import { cutOffAway, type KeptCuts } from "./keptCuts";
import type { RequestBook } from "./requestBook";
import type { ThreadRegistry } from "./threadRegistry";
import type { ThreadRows } from "./threadRows";
import { type TurnEnd, turnEndOf } from "./turnEnd";

export interface TurnEndsOptions {
  log: Log;
  rows: ThreadRows;
  requests: Pick<RequestBook, "turnEnded">;
  alive: ThreadRegistry;
  cuts: KeptCuts;
  connection(workspaceId: string): Connection | null;
  turnEnded(end: TurnEnd): void;
}

const deadlineMs = 10_000;

export class TurnEnds {
  readonly #options: TurnEndsOptions;
  /** By thread, the turn whose end was announced last. */
  readonly #announced = new Map<string, string>();
  /** Threads of which it is still to be asked how their last turn ended. */
  readonly #owed = new Set<string>();

  constructor(options: TurnEndsOptions) {
    this.#options = options;
  }

  over(thread: HostedThread, turnId: string | null): void {
    const { rows, requests, turnEnded } = this.#options;
    const { threadId, state } = thread;
    if (threadId === null) return;
    if (turnId !== null) {
      requests.turnEnded(threadId, turnId);
      if (this.#announced.get(threadId) === turnId) return;
      this.#announced.set(threadId, turnId);
    }
    if (rows.get(threadId)?.parentThreadId) return;
    if (!state.watched) rows.update(threadId, { unread: true });
    turnEnded(turnEndOf(threadId, turnId, state));
  }

  /** Part of the conversation has been loaded. */
  loaded({ threadId, state }: HostedThread): void {
    const { rows, alive } = this.#options;
    const cutTurns = threadId === null ? undefined : alive.get(threadId)?.cutTurns;
    if (threadId === null || cutTurns === undefined) return;
    this.#owed.delete(threadId);
    const last = state.transcript.lastTurn;
    const isCut = last?.status === "interrupted" && last.fault === null && rows.wasLeftAtWork(threadId);
    if (isCut && !state.running) cutTurns.note(last.id, cutOffAway);
    else cutTurns.tell();
    if (!state.running) rows.foundAtRest(threadId, state.watched);
    rows.used(threadId);
  }

  /** A turn of this thread has ended while nobody looked. */
  endedAway(threadId: string): void {
    this.#owed.add(threadId);
    this.#ask(threadId);
  }

  connected(workspaceId: string): void {
    for (const threadId of this.#owed) {
      if (this.#options.rows.get(threadId)?.workspaceId === workspaceId) this.#ask(threadId);
    }
  }

  #ask(threadId: string): void {
    const { rows, connection, log } = this.#options;
    const row = rows.get(threadId);
    const over = row ? connection(row.workspaceId) : null;
    if (over === null) return;
    over.client
      .request("thread/turns/list", { threadId, limit: 1, itemsView: "notLoaded" }, { deadlineMs })
      .then(({ data: [last] }) => {
        // It has spoken for itself meanwhile.
        if (!this.#owed.delete(threadId)) return;
        const isCut = last?.status === "interrupted" || last?.status === "inProgress";
        this.#found(threadId, isCut ? last.id : null);
      })
      .catch((error: unknown) => {
        // It is asked again over the next connection, and found out when the thread is loaded.
        log.info("how a turn ended could not be found out", { threadId, error: asFault(error).code });
      });
  }

  #found(threadId: string, turnId: string | null): void {
    const { rows, alive, cuts } = this.#options;
    const runtime = alive.get(threadId);
    if (runtime !== undefined && (runtime.state.running || !runtime.state.transcript.isEmpty)) return;
    const known = turnId === null ? undefined : cuts.read(threadId).get(turnId);
    if (turnId !== null && known === undefined) cuts.write(threadId, turnId, cutOffAway);
    const cutOff = turnId === null ? null : (known ?? cutOffAway).message;
    runtime?.cutTurns.forget();
    if (runtime !== undefined) runtime.state.update({ cutOff });
    else rows.cutOff(threadId, cutOff);
  }
}
