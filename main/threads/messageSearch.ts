// Looks for the messages of which it is not known whether codex has them: in its record of turns and in its queue.
//
// Race: codex drains its queue just when it is looked into. Nothing is concluded before the thread has been idle for a
// moment, and nothing is while it is at work.

import type { Timer } from "../clock";
import { asFault } from "../fault";
import type { Connection } from "../supervisor/connection";
import type { RunningThread, ThreadHost } from "./host";
import { findKeptMessages } from "./keptMessages";
import { notKeptFault, notQueuedFault, type Outgoing } from "./outgoing";
import type { OutgoingMessages } from "./outgoingMessages";
import { isConnectionLost } from "./threadFaults";

interface SearchedThread extends RunningThread {
  readonly loadedOn: Connection | null;
  settled(): void;
}

/** How long the thread has to be idle before a message that is nowhere counts as not kept. */
const lookAfterMs = 1_000;
const lookAgainMs = 10_000;

export class MessageSearch {
  readonly #host: ThreadHost;
  readonly #thread: SearchedThread;
  readonly #messages: OutgoingMessages;
  #timer: Timer | null = null;
  #looking = false;

  constructor(host: ThreadHost, thread: SearchedThread, messages: OutgoingMessages) {
    this.#host = host;
    this.#thread = thread;
    this.#messages = messages;
  }

  soon(afterMs = lookAfterMs): void {
    if (this.#timer !== null || this.#looking || this.#messages.doubtful.length === 0) return;
    this.#timer = this.#host.clock.after(afterMs, () => {
      this.#timer = null;
      this.#look().catch((error: unknown) => {
        const fault = asFault(error);
        this.#host.log.warn("sent messages could not be looked up", { code: fault.code });
        // A lost connection comes back with a load, and that looks again.
        if (!isConnectionLost(fault)) this.soon(lookAgainMs);
      });
    });
  }

  /** Whether codex has this one. Rejects as a request does. */
  async isThere(outgoing: Outgoing, connection: Connection): Promise<boolean> {
    const { threadId } = this.#thread;
    if (threadId === null) return false;
    const { clientId } = outgoing.submission;
    const kept = await findKeptMessages(connection, threadId, outgoing.createdAtMs);
    const place = kept.inTurns.get(clientId);
    if (place) this.#messages.found(outgoing, place.turnId, place.turnEnded || !kept.isActive);
    else if (kept.queued.has(clientId)) this.#messages.isQueued(outgoing);
    else return outgoing.seenInTurn !== null;
    return true;
  }

  dispose(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  async #look(): Promise<void> {
    const { threadId, loadedOn, state } = this.#thread;
    const { doubtful } = this.#messages;
    // The end of the turn, or the next load, looks again.
    if (doubtful.length === 0 || state.running || loadedOn === null || threadId === null) return;
    const { runCount } = state;
    this.#looking = true;
    let kept: Awaited<ReturnType<typeof findKeptMessages>>;
    try {
      const sinceMs = Math.min(...doubtful.map((outgoing) => outgoing.createdAtMs));
      kept = await findKeptMessages(loadedOn, threadId, sinceMs);
    } finally {
      this.#looking = false;
    }
    const isStillIdle = !state.running && state.runCount === runCount && !kept.isActive;
    const undecided = new Set(this.#messages.doubtful);
    for (const outgoing of doubtful) {
      if (!undecided.has(outgoing)) continue;
      const { clientId } = outgoing.submission;
      const place = kept.inTurns.get(clientId);
      if (place) this.#messages.found(outgoing, place.turnId, place.turnEnded || isStillIdle);
      else if (kept.queued.has(clientId)) this.#messages.isQueued(outgoing);
      else if (isStillIdle && outgoing.isUnwanted) this.#messages.deleted(outgoing);
      else if (isStillIdle) this.#messages.comeBack(outgoing, lostFault(outgoing));
    }
    // A turn that has come and gone meanwhile ended while this was looking.
    if (!isStillIdle && !state.running) this.soon(kept.isActive ? lookAgainMs : lookAfterMs);
    this.#thread.settled();
  }
}

function lostFault({ way, state }: Outgoing) {
  return way === "queue" && state === "sent" ? notQueuedFault() : notKeptFault();
}
