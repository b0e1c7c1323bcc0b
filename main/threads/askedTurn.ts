// Has codex begin a turn that is no message: a review, a compaction of the context.
//
// Races settled here:
// - codex ends whatever runs to begin one of these. So none is asked for while anything runs, and the run counts as begun
//   from the moment of asking: what is sent meanwhile waits behind it.
// - Stop before the request has left: it does not leave. Stop between the answer and the beginning: the run machine
//   remembers it. codex names the turn that can be stopped only at its beginning, so the answer names none.
// - The turn begins, or ends, before the answer: the run is as the events have told it.
// - The connection goes away between request and answer: it is looked whether codex has begun one since, and nothing is
//   asked for a second time.

import { asFault, Fault } from "../fault";
import type { Connection } from "../supervisor/connection";
import type { PlacedThread } from "./handOver";
import type { ThreadHost } from "./host";
import { deliveryUnknown, isConnectionLost, isNotLoaded, neverLeft, threadFault } from "./threadFaults";

/** What it needs of its thread. */
export interface AskingThread extends PlacedThread {
  ready(): Promise<Connection>;
  forgetLoaded(): void;
  settled(): void;
}

export interface AskedTurn {
  /** As in "The review was not started." */
  name: string;
  /** `answered`: to be called in the order of the wire, with the turn where codex names it. */
  ask(connection: Connection, threadId: string, answered: (turnId: string | null) => void): Promise<unknown>;
}

/** Resolves when codex has taken it up, or when it was stopped before that. Throws the Fault that says why not. */
export async function askForTurn(host: ThreadHost, thread: AskingThread, asked: AskedTurn): Promise<void> {
  const { state } = thread;
  if (state.running) {
    throw new Fault("turn_running", "A turn is running in this thread.", {
      hint: "Stop it, or wait for its end; then try again.",
    });
  }
  const newestBefore = state.transcript.lastTurn?.id ?? null;
  thread.run({ type: "asked", atMs: host.clock.nowMs() });
  try {
    await handOver(host, thread, asked);
  } catch (error) {
    const begun = () => state.phase === "running" || (state.transcript.lastTurn?.id ?? null) !== newestBefore;
    if (!deliveryUnknown(error)) {
      thread.run({ type: "refused" });
      throw threadFault(error, host.configFault);
    }
    host.log.info("it is not known whether a turn was begun", {
      name: asked.name,
      error: asFault(error).code,
    });
    thread.run({ type: "unanswered" });
    if (begun()) return;
    if (!isConnectionLost(error)) throw unansweredFault(asked.name, error);
    await thread.ready().catch((cause: unknown) => {
      throw unansweredFault(asked.name, cause);
    });
    if (!begun()) throw notBegunFault(asked.name, error);
  } finally {
    thread.settled();
  }
}

async function handOver(host: ThreadHost, thread: AskingThread, asked: AskedTurn): Promise<void> {
  const { state } = thread;
  for (let mayTryAgain = true; ; mayTryAgain = false) {
    const connection = await thread.ready();
    // codex does not look whether the folder is still there, and would work in an empty one.
    await host.folder(thread.workspaceId);
    await thread.place.prepare(connection);
    const { threadId } = thread;
    if (state.phase !== "asked" || threadId === null) throw notBegunFault(asked.name, null);
    if (isStopped(thread)) return;
    try {
      // codex is told with these neither where they are to run.
      await thread.place.select(connection);
      if (isStopped(thread)) return;
      const answer = asked.ask(connection, threadId, (turnId) => {
        const ended = turnId !== null && state.hasEnded(turnId) ? turnId : null;
        thread.run({ type: "answered", turnId: ended, atMs: host.clock.nowMs() });
      });
      await thread.awaited(answer);
      return;
    } catch (error) {
      if (!mayTryAgain || !(isNotLoaded(error) || neverLeft(error))) throw error;
      if (isNotLoaded(error)) thread.forgetLoaded();
    }
  }
}

/** Before anything has left. */
function isStopped(thread: AskingThread): boolean {
  if (thread.state.stopping) thread.run({ type: "refused" });
  return thread.state.stopping || thread.state.phase !== "asked";
}

function unansweredFault(name: string, cause: unknown): Fault {
  return new Fault("start_unknown", `codex has not confirmed ${name}.`, {
    hint: "If it has begun, it appears at the end of the conversation. It is not asked for again by itself.",
    detail: asFault(cause).message,
    cause,
  });
}

function notBegunFault(name: string, cause: unknown): Fault {
  return new Fault("not_started", `codex did not begin ${name}.`, {
    hint: "Nothing was done. Try again.",
    retryable: true,
    cause,
  });
}
