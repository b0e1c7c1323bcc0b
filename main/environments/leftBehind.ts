// Ends what an earlier run of Holdfast has left running in environments. That run went away without ending it; its executor keeps a
// session that nobody comes back to for a minute or so, and ends what runs in it only then. So the session is resumed over a
// connection of its own, its processes are ended, and that is all: nothing of what they have printed is read.
//
// Races settled here:
// - The executor has not noticed yet that the connection of the earlier run is gone, or cannot be reached for a moment: tried again
//   for as long as it keeps the session at least. When it is not reached by then, it ends them itself.
// - The executor was replaced, or has ended, or knows the session no more: what ran in it has ended with that. No local exec-server
//   is started for it: who looks up where a session can be resumed is told that it is gone.
// - The connection is lost before the answer: they are asked to end again. A process has a name that no other one ever gets, so
//   that asked twice, it ends once.
// - Its environment is removed, or Holdfast ends meanwhile: it is left to the executor.

import type { Clock, Timer } from "../clock";
import { RpcFault } from "../codex/rpcFault";
import { asFault } from "../fault";
import type { LeftSession } from "../ledger/executorRecordsLedger";
import type { Log } from "../log";
import { passingCodes } from "./client/environmentWork";
import { type ConnectExecutor, type Credentials, openExecutor } from "./client/executorConnection";
import { mostUnderWay } from "./client/sessionCalls";
import { recoveryMs } from "./client/sessionRecovery";
import { isGone, lookUpWithin, type Registry } from "./registries/registry";

export interface LeftBehindOptions {
  clock: Clock;
  log: Log;
  random: () => number;
  /** Null: there is no such environment any more. */
  registry(environmentId: string): Registry | null;
  credentials(environmentId: string): Credentials;
  connect: ConnectExecutor;
  signal: AbortSignal;
}

const firstPauseMs = 250;
const longestPauseMs = 2_000;
const terminateMs = 10_000;

/** Bounded; never rejects. */
export async function endLeftBehind(left: readonly LeftSession[], options: LeftBehindOptions): Promise<void> {
  await Promise.all(left.map((session) => endWithPatience(session, options)));
}

async function endWithPatience(session: LeftSession, options: LeftBehindOptions): Promise<void> {
  const { clock, log } = options;
  const { environmentId } = session;
  const timeIsUp = new AbortController();
  const timer = clock.after(recoveryMs, () => timeIsUp.abort());
  const signal = AbortSignal.any([options.signal, timeIsUp.signal]);
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const outcome = await endSession(session, { ...options, signal });
        log.info("what ran in an environment", { environmentId, outcome });
        return;
      } catch (error) {
        if (signal.aborted) {
          log.warn("what ran in an environment is left to it", { environmentId, code: asFault(error).code });
          return;
        }
        await pause(Math.min(firstPauseMs * 2 ** attempt, longestPauseMs), clock, signal);
      }
    }
  } finally {
    timer.cancel();
  }
}

/** Rejects when it is not known whether they have ended, or will. */
async function endSession(
  { environmentId, sessionId, identity, processes }: LeftSession,
  options: LeftBehindOptions,
): Promise<"ended" | "gone"> {
  const { clock, signal } = options;
  const registry = options.registry(environmentId);
  if (registry === null) return "gone";
  try {
    const target = await lookUpWithin(registry, clock, signal, identity);
    if (target.identity !== identity) return "gone";
    const { client, sessionId: resumed } = await openExecutor(target, {
      ...options,
      credentials: options.credentials(environmentId),
      resumeSessionId: sessionId,
      // Nothing of what they say is for anybody.
      onNotification() {},
      onClosed() {},
    });
    const close = () => client.close();
    signal.addEventListener("abort", close, { once: true });
    try {
      signal.throwIfAborted();
      if (resumed !== sessionId) return "gone";
      for (let at = 0; at < processes.length; at += mostUnderWay) {
        const some = processes.slice(at, at + mostUnderWay);
        await Promise.all(
          some.map(({ processId }) =>
            client.requestUntyped(
              "process/terminate",
              { processId },
              { once: true, deadlineMs: terminateMs },
            ),
          ),
        );
      }
      return "ended";
    } finally {
      signal.removeEventListener("abort", close);
      client.close();
    }
  } catch (error) {
    // Any other refusal is its last word: it knows the session no more.
    const isRefused = error instanceof RpcFault && !passingCodes.includes(error.rpcCode);
    if (isRefused || isGone(asFault(error))) return "gone";
    throw error;
  }
}

function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      timer.cancel();
      signal.removeEventListener("abort", over);
      resolve();
    };
    const timer: Timer = clock.after(ms, over);
    signal.addEventListener("abort", over, { once: true });
    if (signal.aborted) over();
  });
}
