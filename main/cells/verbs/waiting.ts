// Waiting for what becomes of a thread. Every wait ends: with what was waited for, with an error in words, or when it is
// given up.
//
// Races settled here:
// - A message has just been sent, and its turn has not begun: the thread is not at rest as long as a message of it is on
//   its way, nor while a follow-up is about to be taken up.
// - A turn is over by its status, and how it has ended comes a moment later, or only with codex's record: that is waited for.
// - The thread unloads, its connection goes, its process dies and another one takes its place: the thread is loaded again,
//   which also tells what became of its messages. Where that fails, the wait ends with the reason.
// - The thread could be let go, or its session closed, in the middle: while somebody attends to it, neither happens.
// - Several things change in one moment: what is looked at is how they stand after all of them.

import type { TurnView } from "../../../preload/contract/thread";
import type { Clock, Timer } from "../../clock";
import { asFault, Fault } from "../../fault";
import { unlessAborted } from "../../supervisor/unlessAborted";
import type { ThreadRuntime } from "../../threads/threadRuntime";

interface Waiting {
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Something that is neither over nor visibly going on is looked at again after this, and believed to be over at last: longer
 * than codex has for its answer about it.
 */
const lookAgainMs = 1_000;
const unclearMs = 60_000;
/** Loads of one wait in so long, with pauses that double: a thread that cannot be kept loaded is no thread to wait for. */
const mostLoads = 8;
const loadsWithinMs = 120_000;
const firstPauseMs = 250;

/** The first value that `look` gives other than undefined, at once or after any change of the thread. */
export function whenThread<Value>(
  runtime: ThreadRuntime,
  signal: AbortSignal,
  look: () => Value | undefined,
  again?: { clock: Clock },
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let isDue = false;
    let timer: Timer | null = null;
    const over = () => {
      isOver = true;
      timer?.cancel();
      stop();
      signal.removeEventListener("abort", aborted);
    };
    const aborted = () => {
      over();
      reject(asFault(signal.reason));
    };
    const check = () => {
      isDue = false;
      if (isOver) return;
      try {
        const value = look();
        if (value === undefined) return;
        over();
        resolve(value);
      } catch (error) {
        over();
        reject(asFault(error));
      }
    };
    const soon = () => {
      if (isDue || isOver) return;
      isDue = true;
      queueMicrotask(check);
    };
    const later = () => {
      timer =
        again?.clock.after(lookAgainMs, () => {
          soon();
          later();
        }) ?? null;
    };
    const stop = runtime.attend(soon);
    if (signal.aborted) {
      aborted();
      return;
    }
    signal.addEventListener("abort", aborted);
    later();
    soon();
  });
}

/** The signal, and after so long its own reason. `cancel` when it is not needed any more. */
export function limited(
  { clock, signal }: Waiting,
  limitMs: number | undefined,
  fault: () => Fault,
): { signal: AbortSignal; cancel(): void } {
  if (limitMs === undefined) return { signal, cancel: () => undefined };
  const controller = new AbortController();
  const timer = clock.after(limitMs, () => controller.abort(fault()));
  return { signal: AbortSignal.any([signal, controller.signal]), cancel: () => timer.cancel() };
}

/**
 * Resolves with the last turn once nothing runs and nothing is about to; null: there was none. Rejects with the Fault that
 * says why that cannot be told.
 */
export async function untilAtRest(runtime: ThreadRuntime, waiting: Waiting): Promise<TurnView | null> {
  const { signal } = waiting;
  const loads: number[] = [];
  const stop = runtime.attend(() => undefined);
  try {
    for (;;) {
      await loaded(runtime, waiting, loads);
      await unlessAborted(runtime.followUps.list("if unknown"), signal);
      const stood = await whenThread(runtime, signal, lookForRest(runtime, waiting.clock), waiting);
      if (stood === "at rest") return lastTurn(runtime);
    }
  } finally {
    stop();
  }
}

/** codex may take a follow-up up after a failure before it is held; the turn that is stopped then is none to speak of. */
function lastTurn({ state }: ThreadRuntime): TurnView | null {
  const { lastTurn: last, turns } = state.transcript;
  if (state.facts.followUps.held !== "failed") return last;
  return turns.findLast(({ status }) => status === "failed") ?? last;
}

function lookForRest(runtime: ThreadRuntime, clock: Clock): () => "at rest" | "unloaded" | undefined {
  let unclearSinceMs: number | null = null;
  return () => {
    const stands = standing(runtime);
    if (stands !== "unclear") {
      unclearSinceMs = null;
      return stands === "at work" ? undefined : stands;
    }
    unclearSinceMs ??= clock.nowMs();
    return clock.nowMs() - unclearSinceMs >= unclearMs ? "at rest" : undefined;
  };
}

function standing(runtime: ThreadRuntime): "at work" | "unclear" | "unloaded" | "at rest" {
  const { state, delivery, followUps, turnWatch, threadId, loadedOn } = runtime;
  const { fault, archived } = state.facts;
  if (fault?.code === "thread_deleted") throw new Fault(fault.code, fault.message, { hint: fault.hint });
  if (threadId === null) return delivery.hasOpen ? "at work" : "at rest";
  if (loadedOn === null && !archived) return "unloaded";
  if (state.running || delivery.underWay) return "at work";
  const isEndOwed = turnWatch.endIsOwed || state.transcript.lastTurn?.status === "running";
  if (isEndOwed || delivery.hasOpen || followUps.mayGoOn) return "unclear";
  return "at rest";
}

/** `loads`: when it has been loaded so far. */
async function loaded(runtime: ThreadRuntime, { clock, signal }: Waiting, loads: number[]): Promise<void> {
  for (;;) {
    // A key is made into a thread by its message, which is on its way.
    if (runtime.threadId === null || runtime.loadedOn !== null) return;
    const recent = loads.filter((atMs) => clock.nowMs() - atMs < loadsWithinMs).length;
    if (recent >= mostLoads) {
      throw new Fault("thread_unstable", "codex does not keep this thread: it was loaded again and again.", {
        retryable: true,
      });
    }
    if (recent > 0) await pause(clock, firstPauseMs * 2 ** (recent - 1), signal);
    loads.push(clock.nowMs());
    try {
      await unlessAborted(runtime.load(), signal);
    } catch (error) {
      if (signal.aborted) throw asFault(signal.reason);
      const fault = asFault(error);
      // codex does not load what is archived, but lists it.
      if (fault.code === "thread_archived" && !runtime.state.transcript.isEmpty) return;
      if (fault.code !== "connection_lost") throw fault;
    }
  }
}

function pause(clock: Clock, forMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = () => {
      timer.cancel();
      signal.removeEventListener("abort", aborted);
    };
    const aborted = () => {
      over();
      reject(asFault(signal.reason));
    };
    const timer = clock.after(forMs, () => {
      over();
      resolve();
    });
    if (signal.aborted) aborted();
    else signal.addEventListener("abort", aborted);
  });
}
