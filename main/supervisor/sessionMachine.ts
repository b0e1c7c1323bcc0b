// The life of one session as decisions: what happens next, given what has happened. No I/O, no clock of its own.
//
// What callers wish (start, replace, restart, close, clean, adopt) is done one after another: one task at a time, the others
// queue. What happens to processes and connections comes in between, as events.
//
// Races settled here:
// - Two callers need the session at once: the second joins the task of the first. One launch, both succeed.
// - A close while it starts: what waits is told, the launch is aborted, and what it made is closed before the close begins.
//   A launch that succeeds in spite of the abort is closed and never used.
// - A replacement is current only when it has fully answered. Until then the one before it is used; if the replacement fails,
//   nothing has happened to it. Afterwards the old one is closed, and only then is the new one announced: two processes
//   never work on the same threads.
// - A close fails: the process is unusable and still owned. One replacement may be started; storing it tries the close
//   once more, and when that fails too the old handle is retired. With a retired handle every start makes one attempt to
//   close it, and is refused (`process_cleanup_pending`) when that fails: no process is ever added to those that cannot
//   be ended.
// - A process dies by itself: what it left behind is ended before another starts. If a task is under way, that comes after it.
// - Anything late: every event carries the generation of its process (and of its connection); an older one is ignored.
// - A close while it waits to be started again by itself: it stays closed.
// - Its connection is lost while something else is being done: what waits for it is answered by whatever comes first, the
//   connection made anew, the process that takes its place, or patience that has run out.
// - Holdfast died while it replaced a process, and two of them live: the other one has its attempt to be closed before one
//   of them is used again.
// - A process of an earlier run that is not used after all (there is one already, or the session is closed): it is closed.
// - A process that dies again and again: automatic restarts stop after `maxQuickDeaths`, and only a person goes on.

import type { Fault } from "../fault";
import {
  type Decision,
  generationOf,
  isUsable,
  type LiveFacts,
  type Session,
  type SessionEvent,
  type Wish,
} from "./sessionState";
import {
  abortTask,
  begin,
  closedFault,
  closeEnded,
  enqueue,
  launched,
  launchFailed,
  notAdopted,
  reap,
  restartCancelled,
  settled,
  unreachable,
} from "./sessionTasks";

/** First try at once, then doubling. */
const reconnectDelaysMs = [0, 100, 250, 500, 1_000, 2_000, 5_000];
/** After so long without a connection whoever waits for it is told; the attempts go on. */
const patientMs = 15_000;

export function decide(session: Session, event: SessionEvent): Decision {
  if (isStale(session, event)) return [session, []];
  switch (event.type) {
    case "needed":
      return needed(session, event.id);
    case "replace":
    case "restart":
      return begin(enqueue(session, { type: event.type, ids: [event.id] }));
    case "close":
      return close(session, event);
    case "clean":
    case "adopt":
      return begin(enqueue(session, { type: event.type, ids: [event.id], handleId: event.handleId }));
    case "launched":
      return launched(session, event);
    case "launchFailed":
      return launchFailed(session, event);
    case "closeEnded":
      return closeEnded(session, event.handleId, event.fault);
    case "connectionLost":
      if (session.current.phase !== "live") return [session, []];
      return reconnect(session, session.current, { attempt: 0, sinceMs: event.atMs }, event);
    case "reconnectFailed":
      if (session.current.phase !== "lost") return [session, []];
      return reconnect(
        session,
        session.current,
        { attempt: session.current.attempt + 1, sinceMs: session.current.sinceMs },
        event,
      );
    case "reconnected":
      return reconnected(session);
    case "exited":
      return exited(session, event);
    case "restartDue":
      return begin(enqueue({ ...session, restartPending: false }, { type: "start", ids: [] }));
    default:
      return unreachable(event);
  }
}

function isStale(session: Session, event: SessionEvent): boolean {
  switch (event.type) {
    case "connectionLost":
    case "reconnected":
    case "reconnectFailed":
      return event.generation !== generationOf(session.current) || event.connection !== session.connection;
    case "exited":
      return event.generation !== generationOf(session.current);
    case "restartDue":
      return !session.restartPending || event.generation !== session.generation;
    case "launched":
    case "launchFailed": {
      const { task } = session;
      const at = task && "at" in task ? task.at : null;
      return at?.step !== "launching" || at.generation !== event.generation;
    }
    default:
      return false;
  }
}

function needed(session: Session, id: number): Decision {
  const { current, task } = session;
  if (isUsable(session)) return [session, [{ type: "settle", ids: [id], fault: null }]];
  if (task === null && current.phase === "lost") {
    return [{ ...session, waiting: [...session.waiting, id] }, []];
  }
  return begin(enqueue(session, { type: "start", ids: [id] }));
}

function close(session: Session, event: Extract<SessionEvent, { type: "close" }>): Decision {
  // A start that nobody waits for any more is not made; a cleanup is owed all the same.
  const isKept = ({ type }: Wish) => type === "close" || type === "clean";
  const kept = session.queue.filter(isKept);
  const dropped = session.queue.filter((wish) => !isKept(wish));
  const told = [...dropped, { ids: session.waiting }];
  const unused = dropped.flatMap((wish) => (wish.type === "adopt" ? [wish.handleId] : []));
  const cleared = notAdopted(
    { ...session, waiting: [], queue: kept, restartPending: false },
    unused,
    closedFault(),
  );
  const [aborting, abortEffects] = abortTask(cleared);
  const [closing, closeEffects] = begin(
    enqueue(aborting, { type: "close", ids: [event.id], everything: event.everything }),
  );
  return [
    closing,
    [
      ...restartCancelled(session),
      ...settled(
        told.flatMap(({ ids }) => ids),
        closedFault(),
      ),
      ...abortEffects,
      ...closeEffects,
    ],
  ];
}

function reconnect(
  session: Session,
  { generation, facts }: { generation: number; facts: LiveFacts },
  { attempt, sinceMs }: { attempt: number; sinceMs: number },
  { fault, atMs }: { fault: Fault; atMs: number },
): Decision {
  const connection = session.connections + 1;
  const delayMs = reconnectDelaysMs[Math.min(attempt, reconnectDelaysMs.length - 1)] ?? 0;
  const told = atMs - sinceMs >= patientMs ? session.waiting : [];
  return [
    {
      ...session,
      connection,
      connections: connection,
      waiting: session.waiting.filter((id) => !told.includes(id)),
      current: { phase: "lost", generation, facts, attempt, sinceMs, fault },
    },
    [{ type: "reconnect", generation, connection, delayMs }, ...settled(told, fault)],
  ];
}

function reconnected(session: Session): Decision {
  const { current, waiting } = session;
  if (current.phase !== "lost") return [session, []];
  const live: Session = {
    ...session,
    waiting: [],
    current: { phase: "live", generation: current.generation, facts: current.facts },
  };
  // While the old one is being closed, the announcement comes with the end of that.
  if (!isUsable(live)) return [{ ...live, waiting }, []];
  return [live, [{ type: "announce" }, ...settled(waiting, null)]];
}

function exited(session: Session, event: Extract<SessionEvent, { type: "exited" }>): Decision {
  const { current, task } = session;
  if (current.phase !== "live" && current.phase !== "lost") return [session, []];
  if (task !== null) return [{ ...session, death: event }, []];
  return reap(session, event, current.facts);
}
