import type { ProcessRef, ProcessSignal, SignalOutcome } from "./processTable";

/**
 * Sends a signal to a pid, or to a group by its negative. `isStillIt` is asked right before, in the same tick: what is
 * left of the race with the pid being given away is the time between two system calls.
 */
export function sendSignal(target: number, signal: ProcessSignal, isStillIt: () => boolean): SignalOutcome {
  if (!isStillIt()) return "gone";
  try {
    process.kill(target, signal);
    return "sent";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH" ? "gone" : "refused";
  }
}

export function sendSignals(
  refs: readonly ProcessRef[],
  signal: ProcessSignal,
  isStillIt: (ref: ProcessRef) => boolean,
): Map<number, SignalOutcome> {
  return new Map(refs.map((ref) => [ref.pid, sendSignal(ref.pid, signal, () => isStillIt(ref))]));
}

/** Whether there is any process of this pid, be it another one or a zombie. */
export function isUsed(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
