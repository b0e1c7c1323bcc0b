// The life of one session as decisions: what happens next, given what has happened. No I/O, no clock of its own.
//
// Races settled here:
// - Two callers need the session at once: the first starts it, the second finds it starting and waits. One launch.
// - A close while it starts: the launch that is under way is closed, and its late success is of an old generation.
// - A restart while it closes: one close, then one start; never two processes.
// - Anything late: every event carries the generation of its process (and of its connection); an older one is ignored.
// - A process that dies again and again: automatic restarts stop after `maxQuickDeaths`, and only a person goes on.

import { Fault } from "../fault";

/** What is known of a process that has fully answered. */
export interface LiveFacts {
  handleId: string;
  pid: number;
  codexVersion: string;
  codexHome: string;
  startedAtMs: number;
  /** True on stdio: the process cannot outlive the app. */
  endsWithApp: boolean;
}

export type SessionState =
  /** `fault` says why it is not running when that was not wished. `broken`: only a restart by hand starts it again. */
  | { phase: "stopped"; fault: Fault | null; broken: boolean }
  | { phase: "starting" }
  | { phase: "live"; facts: LiveFacts }
  /** The process lives, the connection does not. */
  | { phase: "lost"; facts: LiveFacts; attempt: number; fault: Fault }
  | { phase: "closing"; next: "stop" | "start"; fault: Fault | null };

export interface Session {
  state: SessionState;
  /** Counts launches; a process belongs to exactly one. */
  generation: number;
  /** Counts connections over all generations. */
  connection: number;
  /** When processes died that had lived for less than `quickDeathMs`; oldest first. */
  quickDeathsAtMs: number[];
}

export type SessionEvent =
  /** Somebody wants to use it. */
  | { type: "needed"; atMs: number }
  /** A person wants a new process; forgets earlier deaths. */
  | { type: "restart" }
  | { type: "close" }
  | { type: "launched"; generation: number; connection: number; facts: LiveFacts }
  | { type: "launchFailed"; generation: number; fault: Fault; atMs: number }
  | { type: "connectionLost"; generation: number; connection: number; fault: Fault }
  | { type: "reconnected"; generation: number; connection: number }
  | { type: "reconnectFailed"; generation: number; connection: number; fault: Fault }
  | { type: "exited"; generation: number; fault: Fault; atMs: number; shown: boolean }
  | { type: "closed"; generation: number; fault: Fault | null }
  | { type: "restartDue"; generation: number; atMs: number };

export type SessionEffect =
  /** Start a process and connect to it, as `generation` and `connection`. Answered by launched or launchFailed. */
  | { type: "launch"; generation: number; connection: number }
  /** Connect to the living process after `delayMs`. Answered by reconnected or reconnectFailed. */
  | { type: "reconnect"; generation: number; connection: number; delayMs: number }
  /** End the process of `generation`, whatever state it is in, and all that belongs to it. Answered by closed. */
  | { type: "close"; generation: number }
  /** The process of `generation` is gone: find and end what it left behind. */
  | { type: "reap"; generation: number }
  /** Send restartDue after `delayMs`. */
  | { type: "restartLater"; generation: number; delayMs: number }
  /** Everybody who waits for the session gets it, or the fault. */
  | { type: "settle"; fault: Fault | null };

export const quickDeathMs = 60_000;
export const maxQuickDeaths = 3;
/** First try at once, then doubling. */
const reconnectDelaysMs = [0, 100, 250, 500, 1_000, 2_000, 5_000];
const restartDelaysMs = [0, 500, 2_000, 5_000];

export const newSession: Session = {
  state: { phase: "stopped", fault: null, broken: false },
  generation: 0,
  connection: 0,
  quickDeathsAtMs: [],
};

type Decision = [Session, SessionEffect[]];

export function decide(session: Session, event: SessionEvent): Decision {
  if (isStale(session, event)) return [session, []];
  const { state } = session;
  switch (event.type) {
    case "needed":
      if (state.phase === "stopped" && !state.broken) return launch(session);
      if (state.phase === "stopped") return [session, [{ type: "settle", fault: state.fault }]];
      if (state.phase === "live") return [session, [{ type: "settle", fault: null }]];
      if (state.phase === "closing") return [withState(session, { ...state, next: "start" }), []];
      return [session, []];

    case "restart": {
      const forgiven = { ...session, quickDeathsAtMs: [] };
      if (state.phase === "stopped") return launch(forgiven);
      if (state.phase === "closing") return [withState(forgiven, { ...state, next: "start" }), []];
      return close(forgiven, "start");
    }

    case "close":
      if (state.phase === "stopped") {
        return [{ ...session, state: { phase: "stopped", fault: null, broken: false } }, []];
      }
      if (state.phase === "closing")
        return [withState(session, { ...state, next: "stop" }), [settleClosed()]];
      return close(session, "stop");

    case "launched":
      if (state.phase !== "starting") return [session, []];
      return [withState(session, { phase: "live", facts: event.facts }), [{ type: "settle", fault: null }]];

    case "launchFailed": {
      if (state.phase !== "starting") return [session, []];
      const counted = countDeath(session, event.atMs);
      const broken = counted.quickDeathsAtMs.length > maxQuickDeaths;
      return [
        withState(counted, { phase: "stopped", fault: event.fault, broken }),
        [{ type: "settle", fault: event.fault }],
      ];
    }

    case "connectionLost":
      if (state.phase !== "live") return [session, []];
      return reconnect(session, state.facts, 0, event.fault);

    case "reconnectFailed":
      if (state.phase !== "lost") return [session, []];
      return reconnect(session, state.facts, state.attempt + 1, event.fault);

    case "reconnected":
      if (state.phase !== "lost") return [session, []];
      return [withState(session, { phase: "live", facts: state.facts }), [{ type: "settle", fault: null }]];

    case "exited":
      return exited(session, event);

    case "closed":
      if (state.phase !== "closing") return [session, []];
      if (state.next === "start" && !event.fault) return launch(session);
      return [
        withState(session, { phase: "stopped", fault: event.fault ?? state.fault, broken: false }),
        event.fault ? [{ type: "settle", fault: event.fault }] : [],
      ];

    case "restartDue":
      if (state.phase !== "stopped" || state.broken) return [session, []];
      return launch(session);

    default:
      return unreachable(event);
  }
}

function isStale(session: Session, event: SessionEvent): boolean {
  if ("generation" in event && event.generation !== session.generation) return true;
  return "connection" in event && event.connection !== session.connection;
}

function launch(session: Session): Decision {
  const generation = session.generation + 1;
  const connection = session.connection + 1;
  return [
    { ...session, generation, connection, state: { phase: "starting" } },
    [{ type: "launch", generation, connection }],
  ];
}

function close(session: Session, next: "stop" | "start"): Decision {
  return [
    // A new connection number makes everything that the old connection still says stale.
    { ...session, connection: session.connection + 1, state: { phase: "closing", next, fault: null } },
    next === "stop"
      ? [{ type: "close", generation: session.generation }, settleClosed()]
      : [{ type: "close", generation: session.generation }],
  ];
}

/** Whoever waited for a session that is being closed on purpose is told so. */
function settleClosed(): SessionEffect {
  return {
    type: "settle",
    fault: new Fault("session_closed", "The session was closed.", { retryable: true }),
  };
}

function reconnect(session: Session, facts: LiveFacts, attempt: number, fault: Fault): Decision {
  const connection = session.connection + 1;
  const delayMs = reconnectDelaysMs[Math.min(attempt, reconnectDelaysMs.length - 1)] ?? 0;
  return [
    { ...session, connection, state: { phase: "lost", facts, attempt, fault } },
    [{ type: "reconnect", generation: session.generation, connection, delayMs }],
  ];
}

function exited(session: Session, event: Extract<SessionEvent, { type: "exited" }>): Decision {
  const { state } = session;
  switch (state.phase) {
    // While it starts, the failed launch reports; while it closes, the close does. One report each.
    case "starting":
    case "closing":
    case "stopped":
      return [session, []];
    case "live":
    case "lost": {
      const lived = event.atMs - state.facts.startedAtMs;
      const counted =
        lived < quickDeathMs ? countDeath(session, event.atMs) : { ...session, quickDeathsAtMs: [] };
      const deaths = counted.quickDeathsAtMs.length;
      const broken = deaths > maxQuickDeaths;
      const effects: SessionEffect[] = [{ type: "reap", generation: session.generation }];
      if (event.shown && !broken) {
        const delayMs = restartDelaysMs[Math.min(deaths, restartDelaysMs.length - 1)] ?? 0;
        effects.push({ type: "restartLater", generation: session.generation, delayMs });
      }
      effects.push({ type: "settle", fault: event.fault });
      const stopped = withState(counted, { phase: "stopped", fault: event.fault, broken });
      return [{ ...stopped, connection: session.connection + 1 }, effects];
    }
    default:
      return unreachable(state);
  }
}

function countDeath(session: Session, atMs: number): Session {
  const recent = session.quickDeathsAtMs.filter((deathMs) => atMs - deathMs < quickDeathMs);
  return { ...session, quickDeathsAtMs: [...recent, atMs] };
}

function withState(session: Session, state: SessionState): Session {
  return { ...session, state };
}

function unreachable(value: never): never {
  throw new Error(`not a session event or state: ${JSON.stringify(value)}`);
}
