// The connection of a session was lost: the same session is resumed at the same executor, or it ends. Decisions only.
//
// Races settled here:
// - The executor was replaced meanwhile, and the registry says so: its session is not looked for at another one.
// - The registry knows that the executor has ended: nothing is waited for.
// - Another executor answers under the same name, or the same one was started anew: it does not know the session, which ends at
//   once. Whoever needs the environment next begins a session there.
// - The executor still counts the old connection as attached: tried again.
// - The time for it is over in whatever step: the session ends, and what it was doing is given up.

import { Fault } from "../../fault";
import { isGone } from "../registries/registry";
import { DisconnectedFault, type DisconnectedReason } from "./disconnected";
import type {
  Decision,
  EnvironmentEffect,
  EnvironmentEvent,
  EnvironmentState,
  RecoveryStep,
  SessionPhase,
  SessionState,
} from "./environmentState";
import type { ExecutorTarget } from "./executorTarget";

/** An executor keeps a session without a connection for 30 s at least, by a clock that starts on its own. */
export const recoveryMs = 25_000;

type RecoveringSession = SessionState & { phase: Extract<SessionPhase, { name: "recovering" }> };

export function recoveringSession(state: EnvironmentState): RecoveringSession | null {
  const { session } = state;
  return session?.phase.name === "recovering" ? (session as RecoveringSession) : null;
}

export function connectionLost(
  state: EnvironmentState,
  { session: id, connection, fault }: Extract<EnvironmentEvent, { type: "connectionLost" }>,
): Decision {
  const { session } = state;
  if (session?.id !== id || session.phase.name !== "live" || session.phase.connection !== connection) {
    return [state, []];
  }
  const recovery = state.lastId + 1;
  const lookup = state.lastId + 2;
  const phase: SessionPhase = {
    name: "recovering",
    recovery,
    attempt: 1,
    fault,
    at: { step: "lookup", lookup },
  };
  return [
    { ...state, lastId: lookup, session: { ...session, phase } },
    [
      { type: "suspend", session: id },
      { type: "limitRecovery", session: id, recovery },
      { type: "lookUp", lookup, resuming: session.identity },
    ],
  ];
}

export function recoveryFound(
  state: EnvironmentState,
  session: RecoveringSession,
  target: ExecutorTarget,
): Decision {
  if (target.identity !== session.identity) {
    return endSession(answered(state, session), "replaced", session.phase.fault);
  }
  const connection = state.lastId + 1;
  const { registration } = target;
  return [
    { ...withStep(state, session, { step: "resuming", connection, registration }), lastId: connection },
    [{ type: "resume", session: session.id, connection, target }],
  ];
}

export function recoveryNotFound(
  state: EnvironmentState,
  session: RecoveringSession,
  fault: Fault,
): Decision {
  return isGone(fault)
    ? endSession(answered(state, session), "lost", fault)
    : retryLater(state, session, fault);
}

function retryLater(state: EnvironmentState, session: RecoveringSession, fault: Fault): Decision {
  const { recovery, attempt } = session.phase;
  const phase: SessionPhase = { ...session.phase, attempt: attempt + 1, fault, at: { step: "waiting" } };
  return [
    { ...state, session: { ...session, phase } },
    [{ type: "retryLater", session: session.id, recovery, attempt }],
  ];
}

export function retry(state: EnvironmentState, session: RecoveringSession): Decision {
  const lookup = state.lastId + 1;
  return [
    { ...withStep(state, session, { step: "lookup", lookup }), lastId: lookup },
    [{ type: "lookUp", lookup, resuming: session.identity }],
  ];
}

export function resumed(state: EnvironmentState, connection: number): Decision {
  const session = recoveringSession(state);
  if (session?.phase.at.step !== "resuming" || session.phase.at.connection !== connection) return [state, []];
  const { id } = session;
  const { registration } = session.phase.at;
  const live: SessionState = { ...session, registration, phase: { name: "live", connection } };
  return [
    { ...state, session: live },
    [
      { type: "stopTimers", recovery: session.phase.recovery },
      { type: "use", session: id, connection },
    ],
  ];
}

export function resumeFailed(
  state: EnvironmentState,
  { connection, fault, verdict }: Extract<EnvironmentEvent, { type: "resumeFailed" }>,
): Decision {
  const session = recoveringSession(state);
  if (session?.phase.at.step !== "resuming" || session.phase.at.connection !== connection) return [state, []];
  if (verdict === "try again") return retryLater(state, session, fault);
  return endSession(answered(state, session), verdict === "not known" ? "restarted" : "lost", fault);
}

export function recoveryDue(state: EnvironmentState, session: RecoveringSession): Decision {
  const { fault } = session.phase;
  const cause = new Fault(
    "recovery_timeout",
    `The environment did not come back within ${recoveryMs / 1000} s.`,
    { detail: fault.detail ?? fault.message, retryable: true, cause: fault },
  );
  return endSession(state, "lost", cause);
}

/** Whatever it is doing is given up. Nothing happens to a session that has ended before, or when there is none. */
export function endSession(
  state: EnvironmentState,
  reason: DisconnectedReason,
  cause: Fault | null,
): Decision {
  const { session } = state;
  if (session === null || session.phase.name === "ended") return [state, []];
  const fault = new DisconnectedFault(reason, { cause: cause ?? undefined });
  const effects: EnvironmentEffect[] = [];
  if (session.phase.name === "recovering") {
    effects.push({ type: "stopTimers", recovery: session.phase.recovery });
    const { at } = session.phase;
    if (at.step === "lookup") effects.push({ type: "cancelLookup", lookup: at.lookup });
    if (at.step === "resuming") effects.push({ type: "cancelResume", connection: at.connection });
  }
  effects.push({ type: "end", session: session.id, fault });
  return [{ ...state, fault, session: { ...session, phase: { name: "ended", fault } } }, effects];
}

/** What it was doing is over: there is nothing to give up. */
function answered(state: EnvironmentState, session: RecoveringSession): EnvironmentState {
  return withStep(state, session, { step: "waiting" });
}

function withStep(state: EnvironmentState, session: RecoveringSession, at: RecoveryStep): EnvironmentState {
  return { ...state, session: { ...session, phase: { ...session.phase, at } } };
}
