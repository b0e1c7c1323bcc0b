// The turns of one thread that were cut off: their process went, or Holdfast stopped them at its own end. Each is shown as
// interrupted with the reason, and what codex was asking in it, and nobody can answer any more, is said where it was asked.
//
// Races settled here:
// - The turn has ended in order just before it would have been cut off: then its record says so, and outweighs this.
// - The process is gone with its requests before the thread is told: those are read from the ledger, which has them still.
// - A request is decided, and its process goes before codex has confirmed it: it has its answer, and is not told as lost.

import type { FaultView } from "../../preload/contract/fault";
import type { Item } from "../../preload/contract/items";
import type { Turn } from "../codex/protocol/v2/Turn";
import type { HostedThread, ThreadHost } from "./host";
import { KeptCuts } from "./keptCuts";
import { requestWords } from "./requestWords";
import { knownTurnError } from "./turnView";

export class CutTurns {
  readonly #host: ThreadHost;
  readonly #thread: HostedThread;
  readonly #kept: KeptCuts;
  /** By turn. Null until they have been read. */
  #cuts: Map<string, FaultView> | null = null;

  constructor(host: ThreadHost, thread: HostedThread) {
    this.#host = host;
    this.#thread = thread;
    this.#kept = new KeptCuts(host.runningItems, host.log);
    const { state } = thread;
    const { asShown } = state;
    state.asShown = (turn) => this.#asShown(asShown(turn));
  }

  /** This turn was cut off, or is about to be. Null: codex has not named it, and has no record of it. */
  note(turnId: string | null, fault: FaultView): void {
    const { threadId } = this.#thread;
    if (threadId === null || turnId === null) return;
    this.#known().set(turnId, fault);
    this.#kept.write(threadId, turnId, fault);
    this.tell();
  }

  /** Part of the conversation has been loaded, or a turn was cut off. */
  tell(): void {
    const { state, threadId } = this.#thread;
    if (threadId === null || this.#known().size === 0) return;
    const unanswered = this.#host.requests.unanswered(threadId);
    for (const [turnId, fault] of this.#known()) {
      const turn = state.transcript.turn(turnId);
      if (turn?.status !== "interrupted") continue;
      if (turn.fault === null) state.publish(state.transcript.explain(turnId, fault), true);
      for (const { key, request, askedAtMs } of unanswered) {
        if (request.turnId !== turnId) continue;
        const id = `${turnId}/unanswered-${key}`;
        const { text, detail } = requestWords(request);
        const item: Item = {
          id,
          turnId,
          status: "completed",
          startedAtMs: askedAtMs,
          completedAtMs: askedAtMs,
          kind: "notice",
          tone: "warning",
          text: `${text} This can no longer be answered: the turn was cut off.`,
          detail,
        };
        state.publish(state.transcript.insertBehind(item, request.itemId), true);
      }
    }
    state.refreshHead();
  }

  forget(): void {
    this.#cuts = null;
  }

  /** codex gives no reason; its words, where there are any, say more. */
  #asShown(turn: Turn): Turn {
    const fault = turn.status === "completed" || turn.error ? undefined : this.#known().get(turn.id);
    const seen = this.#thread.state.transcript.turn(turn.id)?.fault;
    if (fault === undefined || seen) return turn;
    return { ...turn, error: knownTurnError(fault) };
  }

  #known(): Map<string, FaultView> {
    const { threadId } = this.#thread;
    if (threadId === null) return new Map();
    this.#cuts ??= this.#kept.read(threadId);
    return this.#cuts;
  }
}
