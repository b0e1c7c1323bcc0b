// What each run has sent to each thread: in which order it goes out, and which message was the last.
//
// Race: a script calls several at once. They go out one after another, in the order of the calls, and whoever waits for the
// thread waits for those that were called before.

import type { ThreadRuntime } from "../../threads/threadRuntime";

interface SentTo {
  /** Settled when what was called so far has gone out, or has failed. */
  sending: Promise<unknown>;
  lastClientId: string | null;
}

export class Sent {
  readonly #runs = new Map<string, Map<ThreadRuntime, SentTo>>();

  /** Sends after everything that the run has begun to send to this thread. Rejects as `send` does. */
  next(
    runtime: ThreadRuntime,
    runId: string,
    send: (runtime: ThreadRuntime) => Promise<void>,
  ): Promise<void> {
    const to = this.#to(runtime, runId);
    const sent = to.sending.then(() => send(runtime));
    // A failure is told to who has sent it.
    to.sending = sent.catch(() => undefined);
    return sent;
  }

  note(runtime: ThreadRuntime, runId: string, clientId: string): void {
    this.#to(runtime, runId).lastClientId = clientId;
  }

  /** Once nothing is being sent any more: the client id of the last message, or null. Never rejects. */
  async settled(runtime: ThreadRuntime, runId: string): Promise<string | null> {
    const to = this.#runs.get(runId)?.get(runtime);
    await to?.sending;
    return to?.lastClientId ?? null;
  }

  forget(runId: string): void {
    this.#runs.delete(runId);
  }

  #to(runtime: ThreadRuntime, runId: string): SentTo {
    const threads = this.#runs.get(runId) ?? new Map<ThreadRuntime, SentTo>();
    this.#runs.set(runId, threads);
    const to = threads.get(runtime) ?? { sending: Promise.resolve(), lastClientId: null };
    threads.set(runtime, to);
    return to;
  }
}
