// The connection of one environment as decisions: what happens next, given what has happened. No I/O, no clock of its own.
//
// An environment is used lazily: the first who needs it makes it connect, however many ask. A connection that is lost is
// recovered by resuming the same session (sessionRecovery.ts). After a planned replacement somebody asks for a refresh, which
// keeps the session if the registry still names its executor, and otherwise ends it at once and connects to the new one.
//
// Races settled here:
// - Many ask at once: one attempt, whose outcome is everybody's. The next one who asks after a failure makes a new attempt.
// - A refresh while the old session is being recovered: it does not wait for that. The registry is asked on its own, and the
//   recovery of a session that is to be replaced is given up.
// - A refresh while somebody's attempt is stalled, in its lookup or in its handshake: the attempt is given up and those who
//   wait for it fail. What comes of it afterwards is dropped: every answer carries the number of what was asked.
// - A session comes or is renewed while a refresh asks the registry: the answer may be older than the session, so the registry
//   is asked again.
// - Two refreshes: one after the other. Whoever only wants the session does not wait for them, but for the attempt.
// - A registry that fails changes nothing: the session in use stays in use.
// - A replacement that cannot be connected to: the old session stays ended, and whoever asks next asks the registry again.
// - What an ended session's connection says is not heard: it is not the session in `session` any more, or that has ended.
// - It is let go of while something is under way: all of that is given up and who waits for it fails; nobody is connected to
//   again before somebody asks for it.
// - A refresh that keeps the session is not done before the executor itself has answered: what is remembered is not proof. While
//   the connection is being recovered nobody can answer, and the refresh fails at once.

import type { Fault } from "../../fault";
import { DisconnectedFault } from "./disconnected";
import type {
  Attempt,
  Decision,
  EnvironmentEffect,
  EnvironmentEvent,
  EnvironmentState,
  Observed,
  Refresh,
  SessionState,
  Startup,
} from "./environmentState";
import type { ExecutorTarget } from "./executorTarget";
import {
  connectionLost,
  endSession,
  recoveringSession,
  recoveryDue,
  recoveryFound,
  recoveryNotFound,
  resumed,
  resumeFailed,
  retry,
} from "./sessionRecovery";

export function decide(state: EnvironmentState, event: EnvironmentEvent): Decision {
  switch (event.type) {
    case "get":
      return get(state, event.caller);
    case "refresh":
      return refresh(state, event.caller);
    case "letGo":
      return state.closed ? [state, []] : letGo(state, "let go");
    case "close":
      return close(state);
    case "found":
      return found(state, event.lookup, event.target);
    case "notFound":
      return notFound(state, event.lookup, event.fault);
    case "connected":
      return connected(state, event.attempt);
    case "connectFailed":
      return state.attempt?.id === event.attempt
        ? attemptFailed(state, state.attempt, event.fault)
        : [state, []];
    case "connectionLost":
      return connectionLost(state, event);
    case "resumed":
      return resumed(state, event.connection);
    case "resumeFailed":
      return resumeFailed(state, event);
    case "retryDue": {
      const session = recoveringSession(state);
      const isDue = session?.phase.recovery === event.recovery && session.phase.at.step === "waiting";
      return isDue ? retry(state, session) : [state, []];
    }
    case "recoveryDue": {
      const session = recoveringSession(state);
      return session?.phase.recovery === event.recovery ? recoveryDue(state, session) : [state, []];
    }
    case "probed":
      return probed(state, event.session, event.fault);
    default:
      return event satisfies never;
  }
}

function get(state: EnvironmentState, caller: number): Decision {
  if (state.closed) return [state, [{ type: "refuse", callers: [caller], fault: closedFault() }]];
  const { session, attempt } = state;
  if (isUsable(session)) return [state, [{ type: "give", callers: [caller], session: session.id }]];
  if (attempt !== null) {
    return [{ ...state, attempt: { ...attempt, callers: [...attempt.callers, caller] } }, []];
  }
  const id = state.lastId + 1;
  return [
    {
      ...state,
      lastId: id,
      startup: started(state.startup),
      attempt: { id, callers: [caller], at: { step: "lookup" } },
    },
    [{ type: "lookUp", lookup: id }],
  ];
}

function refresh(state: EnvironmentState, caller: number): Decision {
  if (state.closed) return [state, [{ type: "refreshed", caller, fault: closedFault() }]];
  const queued = { ...state, queue: [...state.queue, caller], startup: started(state.startup) };
  return state.refresh === null ? beginRefresh(queued) : [queued, []];
}

function beginRefresh(state: EnvironmentState): Decision {
  const [caller, ...queue] = state.queue;
  if (caller === undefined) return [state, []];
  const lookup = state.lastId + 1;
  return [
    {
      ...state,
      lastId: lookup,
      queue,
      refresh: { caller, at: { step: "lookup", lookup, observed: observe(state.session) } },
    },
    [{ type: "lookUp", lookup }],
  ];
}

function refreshEnded(state: EnvironmentState, { caller }: Refresh, fault: Fault | null): Decision {
  const [next, effects] = beginRefresh({ ...state, refresh: null });
  return [next, [{ type: "refreshed", caller, fault }, ...effects]];
}

function found(state: EnvironmentState, lookup: number, target: ExecutorTarget): Decision {
  const { attempt, refresh } = state;
  if (attempt?.id === lookup && attempt.at.step === "lookup") {
    return [
      { ...state, attempt: { ...attempt, at: { step: "connecting", target } } },
      [{ type: "connect", attempt: lookup, target }],
    ];
  }
  if (refresh?.at.step === "lookup" && refresh.at.lookup === lookup) {
    return refreshFound(state, refresh, refresh.at.observed, target);
  }
  const session = recoveringFrom(state, lookup);
  return session ? recoveryFound(state, session, target) : [state, []];
}

function refreshFound(
  state: EnvironmentState,
  refresh: Refresh,
  observed: Observed,
  target: ExecutorTarget,
): Decision {
  const { session } = state;
  if (!isSame(observed, observe(session))) {
    return beginRefresh({ ...state, refresh: null, queue: [refresh.caller, ...state.queue] });
  }
  if (isUsable(session) && session.identity === target.identity) {
    const kept = { ...state, session: { ...session, registration: target.registration } };
    if (session.phase.name === "recovering") {
      return refreshEnded(kept, refresh, new DisconnectedFault("recovering", { cause: session.phase.fault }));
    }
    return [
      { ...kept, refresh: { ...refresh, at: { step: "probing", session: session.id } } },
      [{ type: "probe", session: session.id }],
    ];
  }
  const [ended, endEffects] = endSession(state, "replaced", null);
  const [free, cancelEffects] = cancelAttempt(ended, new DisconnectedFault("superseded"));
  const id = free.lastId + 1;
  return [
    {
      ...free,
      lastId: id,
      attempt: { id, callers: [], at: { step: "connecting", target } },
      refresh: { ...refresh, at: { step: "connecting", attempt: id } },
    },
    [...endEffects, ...cancelEffects, { type: "connect", attempt: id, target }],
  ];
}

function notFound(state: EnvironmentState, lookup: number, fault: Fault): Decision {
  const { attempt, refresh } = state;
  if (attempt?.id === lookup && attempt.at.step === "lookup") return attemptFailed(state, attempt, fault);
  if (refresh?.at.step === "lookup" && refresh.at.lookup === lookup) {
    // Before the first use it was the first use. Later a session, or an attempt at one, says whether it is ready.
    const isFirstUse = state.startup.phase === "running" && attempt === null && state.session === null;
    const told: EnvironmentState = isFirstUse
      ? { ...state, fault, startup: { phase: "finished", fault } }
      : state;
    return refreshEnded(told, refresh, fault);
  }
  const session = recoveringFrom(state, lookup);
  return session ? recoveryNotFound(state, session, fault) : [state, []];
}

function connected(state: EnvironmentState, id: number): Decision {
  const { attempt, refresh } = state;
  if (attempt?.id !== id || attempt.at.step !== "connecting") return [state, []];
  const { identity, registration } = attempt.at.target;
  const session: SessionState = { id, identity, registration, phase: { name: "live", connection: id } };
  const live: EnvironmentState = {
    ...state,
    session,
    attempt: null,
    fault: null,
    startup: { phase: "finished", fault: null },
  };
  const effects: EnvironmentEffect[] =
    attempt.callers.length === 0 ? [] : [{ type: "give", callers: attempt.callers, session: id }];
  if (refresh?.at.step !== "connecting" || refresh.at.attempt !== id) return [live, effects];
  return [
    { ...live, refresh: { ...refresh, at: { step: "probing", session: id } } },
    [...effects, { type: "probe", session: id }],
  ];
}

function attemptFailed(state: EnvironmentState, { id, callers }: Attempt, fault: Fault): Decision {
  const without: EnvironmentState = { ...state, attempt: null, fault, startup: { phase: "finished", fault } };
  const effects: EnvironmentEffect[] = callers.length === 0 ? [] : [{ type: "refuse", callers, fault }];
  const { refresh } = state;
  if (refresh?.at.step !== "connecting" || refresh.at.attempt !== id) return [without, effects];
  const [next, more] = refreshEnded(without, refresh, fault);
  return [next, [...effects, ...more]];
}

function probed(state: EnvironmentState, session: number, fault: Fault | null): Decision {
  const { refresh } = state;
  if (refresh?.at.step !== "probing" || refresh.at.session !== session) return [state, []];
  // An answer of a session that has been lost or replaced since proves nothing.
  const isInUse = state.session?.id === session && state.session.phase.name === "live";
  return refreshEnded(state, refresh, fault ?? (isInUse ? null : new DisconnectedFault("lost")));
}

function close(state: EnvironmentState): Decision {
  if (state.closed) return [state, []];
  const [free, effects] = letGo(state, "closed");
  return [{ ...free, closed: true }, effects];
}

function letGo(state: EnvironmentState, reason: "let go" | "closed"): Decision {
  const fault = new DisconnectedFault(reason);
  const [ended, endEffects] = endSession(state, reason, null);
  const [free, cancelEffects] = cancelAttempt(ended, fault);
  const effects: EnvironmentEffect[] = [...endEffects, ...cancelEffects];
  const { refresh } = state;
  if (refresh?.at.step === "lookup") effects.push({ type: "cancelLookup", lookup: refresh.at.lookup });
  const refreshes = [...(refresh === null ? [] : [refresh.caller]), ...state.queue];
  for (const caller of refreshes) effects.push({ type: "refreshed", caller, fault });
  const startup: Startup = state.startup.phase === "running" ? { phase: "finished", fault } : state.startup;
  return [{ ...free, refresh: null, queue: [], fault: null, startup }, effects];
}

function cancelAttempt(state: EnvironmentState, fault: Fault): Decision {
  const { attempt } = state;
  if (attempt === null) return [state, []];
  const { id, callers, at } = attempt;
  const effects: EnvironmentEffect[] = [
    at.step === "lookup" ? { type: "cancelLookup", lookup: id } : { type: "cancelConnect", attempt: id },
  ];
  if (callers.length > 0) effects.push({ type: "refuse", callers, fault });
  return [{ ...state, attempt: null }, effects];
}

function recoveringFrom(state: EnvironmentState, lookup: number) {
  const session = recoveringSession(state);
  return session?.phase.at.step === "lookup" && session.phase.at.lookup === lookup ? session : null;
}

/** Also while its connection is being made anew: what is asked of it then waits. */
function isUsable(session: SessionState | null): session is SessionState {
  return session !== null && session.phase.name !== "ended";
}

function observe(session: SessionState | null): Observed {
  return session && { session: session.id, registration: session.registration };
}

function isSame(a: Observed, b: Observed): boolean {
  return a?.session === b?.session && a?.registration === b?.registration;
}

function started(startup: Startup): Startup {
  return startup.phase === "not started" ? { phase: "running" } : startup;
}

function closedFault(): DisconnectedFault {
  return new DisconnectedFault("closed");
}
