// The tasks of a session, one after another: start, replace, restart, adopt, close, clean, and the reaping of a process that
// has died. The races are named in sessionMachine.ts.

import { Fault } from "../fault";
import {
  type Decision,
  generationOf,
  type LaunchStep,
  type LiveFacts,
  maxQuickDeaths,
  quickDeathMs,
  type RetiredHandle,
  type Session,
  type SessionEffect,
  type SessionEvent,
  type Task,
  type Wish,
} from "./sessionState";

type AdoptTask = Extract<Task, { type: "adopt" }>;
type LaunchTask = Extract<Task, { at: LaunchStep }>;
type StartWish = Extract<Wish, { type: "start" | "replace" | "restart" }>;

/** The code of a start that was refused. */
const pendingCode = "process_cleanup_pending";
const restartDelaysMs = [0, 500, 2_000, 5_000];
/** A wish that asks for more takes in one that asks for less. */
const strength = { start: 0, replace: 1, restart: 2 } as const;

/** Puts a wish at the end of the queue, or together with one that it means the same as. */
export function enqueue(session: Session, wish: Wish): Session {
  const { task, queue } = session;
  const last = queue.at(-1);
  if (isStart(wish)) {
    if (!last && task && isLaunch(task) && task.type !== "adopt" && !task.aborted) {
      return { ...session, task: { ...task, ids: [...task.ids, ...wish.ids] } };
    }
    if (last && isStart(last)) {
      const type = strength[wish.type] > strength[last.type] ? wish.type : last.type;
      return { ...session, queue: [...queue.slice(0, -1), { type, ids: [...last.ids, ...wish.ids] }] };
    }
  }
  if (wish.type === "close" && last?.type === "close") {
    const everything = last.everything || wish.everything;
    const merged: Wish = { type: "close", ids: [...last.ids, ...wish.ids], everything };
    return { ...session, queue: [...queue.slice(0, -1), merged] };
  }
  return { ...session, queue: [...queue, wish] };
}

/** Begins what is to be done next, unless something is being done. */
export function begin(session: Session): Decision {
  if (session.task !== null) return [session, []];
  const { current, death } = session;
  if (death && death.generation === generationOf(current) && "facts" in current) {
    return reap(session, death, current.facts);
  }
  const [wish, ...queue] = session.queue;
  if (!wish) return [death ? { ...session, death: null } : session, []];
  const next = { ...session, death: null, queue };
  switch (wish.type) {
    case "start":
    case "replace":
    case "restart":
      return beginStart(next, wish);
    case "close":
      return beginClose(next, wish);
    case "clean":
      return beginClean(next, wish);
    case "adopt":
      return beginAdopt(next, wish);
    default:
      return unreachable(wish);
  }
}

function beginStart(session: Session, { type, ids }: StartWish): Decision {
  const { current } = session;
  if (type === "start") {
    if (current.phase === "live") return passed(session, ids, null);
    if (current.phase === "lost") return begin({ ...session, waiting: [...session.waiting, ...ids] });
    if (current.broken) return passed(session, ids, current.fault ?? closedFault());
  }
  const forgiven = type === "start" ? session : { ...session, quickDeathsAtMs: [] };
  const waiting = session.retired.map((handle) => handle.handleId);
  const task: LaunchTask = { type, ids, aborted: false, at: { step: "closing retired", waiting } };
  if (waiting.length === 0) return afterRetired(forgiven, task);
  return [{ ...forgiven, task }, waiting.map((handleId) => ({ type: "close", handleId }))];
}

/** What is retired has had its attempt. */
function afterRetired(session: Session, task: LaunchTask): Decision {
  if (task.type === "adopt") return adopt(session, task);
  if (task.aborted) return finish({ ...session, task }, closedFault());
  const { current, retired } = session;
  if (retired.length > 0) {
    const fault = pendingFault(retired);
    return finish({ ...withFault(session, fault), task }, fault);
  }
  // A connection that is lost may belong to a process that hangs: it is no good beside a new one.
  if (current.phase === "lost" || (current.phase === "live" && task.type === "restart")) {
    const { handleId } = current.facts;
    return [
      {
        ...session,
        waiting: [],
        current: { phase: "unclosed", handleId, fault: null, left: null, broken: false },
        // Who waited for the lost connection waits for the new process now.
        task: { ...task, ids: [...task.ids, ...session.waiting], at: { step: "closing old", handleId } },
      },
      [{ type: "mute" }, { type: "close", handleId }],
    ];
  }
  return launch(session, task);
}

function launch(session: Session, task: LaunchTask): Decision {
  if (task.aborted) return finish({ ...session, task }, closedFault());
  const generation = session.generation + 1;
  const connection = session.connections + 1;
  const replacing = session.current.phase === "live";
  return [
    {
      ...session,
      restartPending: false,
      generation,
      connections: connection,
      task: { ...task, at: { step: "launching", generation, connection } },
    },
    [...restartCancelled(session), { type: "launch", generation, connection, replacing }],
  ];
}

function beginAdopt(session: Session, wish: Extract<Wish, { type: "adopt" }>): Decision {
  const { ids, handleId } = wish;
  if (session.current.phase !== "none") {
    const fault = new Fault("not_adopted", "The session has a process of its own already.");
    return passed(notAdopted(session, [handleId], fault), ids, fault);
  }
  // Another one that an earlier run has left may still be at work on the same threads: it is ended first.
  const waiting = session.retired.map((handle) => handle.handleId);
  const task: AdoptTask = {
    type: "adopt",
    ids,
    handleId,
    aborted: false,
    at: { step: "closing retired", waiting },
  };
  if (waiting.length === 0) return adopt(session, task);
  return [{ ...session, task }, waiting.map((each) => ({ type: "close", handleId: each }))];
}

/** No process is added by it: so what could not be ended does not stand in its way. */
function adopt(session: Session, task: AdoptTask): Decision {
  const { handleId } = task;
  if (task.aborted) {
    return finish(notAdopted({ ...session, task }, [handleId], closedFault()), closedFault());
  }
  const generation = session.generation + 1;
  const connection = session.connections + 1;
  return [
    {
      ...session,
      restartPending: false,
      generation,
      connections: connection,
      task: { ...task, at: { step: "launching", generation, connection } },
    },
    [...restartCancelled(session), { type: "adopt", generation, connection, handleId }],
  ];
}

function beginClose(session: Session, wish: Extract<Wish, { type: "close" }>): Decision {
  const { current, retired } = session;
  const { ids, everything } = wish;
  const own = current.phase === "none" ? [] : [handleOf(current)];
  const waiting = everything ? [...own, ...retired.map((handle) => handle.handleId)] : own;
  const used = generationOf(current) === null ? null : (own[0] ?? null);
  // What failed before is no news any more.
  const closing = { ...withFault(session, null), restartPending: false };
  const task: Task = { type: "close", ids, waiting, used, fault: null };
  if (waiting.length === 0) return finish({ ...closing, task }, null, restartCancelled(session));
  const [handleId] = own;
  return [
    {
      ...closing,
      task,
      ...(handleId === undefined
        ? {}
        : { current: { phase: "unclosed", handleId, fault: null, left: null, broken: false } }),
    },
    [
      ...restartCancelled(session),
      ...(used === null ? [] : [{ type: "mute" } as const]),
      ...waiting.map((each): SessionEffect => ({ type: "close", handleId: each })),
    ],
  ];
}

function beginClean(session: Session, wish: Extract<Wish, { type: "clean" }>): Decision {
  const { current, retired } = session;
  const { ids, handleId } = wish;
  const isOwed =
    retired.some((handle) => handle.handleId === handleId) ||
    (current.phase === "unclosed" && current.handleId === handleId);
  // It has gone meanwhile, or is in use: nothing is owed.
  if (!isOwed) return passed(session, ids, null);
  return [{ ...session, task: { type: "clean", ids, handleId } }, [{ type: "close", handleId }]];
}

export function launched(session: Session, event: Extract<SessionEvent, { type: "launched" }>): Decision {
  const { task, current } = session;
  if (!task || !isLaunch(task)) return [session, []];
  const { generation, connection, facts } = event;
  if (task.aborted) {
    const { handleId } = facts;
    return [
      { ...session, task: { ...task, at: { step: "closing aborted", handleId } } },
      [{ type: "close", handleId }],
    ];
  }
  const live: Session = { ...session, connection, current: { phase: "live", generation, facts } };
  const use: SessionEffect = { type: "use", generation };
  if (current.phase === "none") return finish(live, null, [use, { type: "announce" }]);
  const handleId = handleOf(current);
  const wasUsed = current.phase !== "unclosed";
  return [
    { ...live, task: { ...task, at: { step: "closing replaced", handleId, wasUsed } } },
    [...(wasUsed ? [{ type: "mute" } as const] : []), use, { type: "close", handleId }],
  ];
}

export function launchFailed(
  session: Session,
  event: Extract<SessionEvent, { type: "launchFailed" }>,
): Decision {
  const { task, current } = session;
  if (!task || !isLaunch(task)) return [session, []];
  const { fault, atMs, left } = event;
  const owning = left ? { ...session, retired: [...session.retired, left] } : session;
  if (task.aborted) return finish(owning, closedFault());
  // Nothing has happened to the one before it; and what an earlier run left says nothing about the next start.
  if (generationOf(current) !== null || task.type === "adopt") return finish(owning, fault);
  const counted = countDeath(owning, atMs);
  const broken = counted.quickDeathsAtMs.length > maxQuickDeaths;
  return finish(withFault(counted, fault, broken), fault);
}

export function closeEnded(session: Session, handleId: string, fault: Fault | null): Decision {
  const { task } = session;
  switch (task?.type) {
    case "reap":
      return task.handleId === handleId ? reaped(session, task, fault) : [session, []];
    case "close":
      return task.waiting.includes(handleId) ? oneClosed(session, task, handleId, fault) : [session, []];
    case "clean":
      return task.handleId === handleId ? finish(afterClose(session, handleId, fault), fault) : [session, []];
    case "start":
    case "replace":
    case "restart":
    case "adopt":
      return stepClosed(session, task, handleId, fault);
    case undefined:
      return [session, []];
    default:
      return unreachable(task);
  }
}

function reaped(session: Session, task: Extract<Task, { type: "reap" }>, left: Fault | null): Decision {
  const { handleId, fault, broken, restartDelayMs } = task;
  const restart: SessionEffect[] =
    restartDelayMs === null
      ? []
      : [{ type: "restartLater", generation: session.generation, delayMs: restartDelayMs }];
  const ended: Session = {
    ...session,
    restartPending: restartDelayMs !== null,
    current: left ? { phase: "unclosed", handleId, fault, left, broken } : { phase: "none", fault, broken },
  };
  return finish(ended, null, restart);
}

function oneClosed(
  session: Session,
  task: Extract<Task, { type: "close" }>,
  handleId: string,
  fault: Fault | null,
): Decision {
  const waiting = task.waiting.filter((each) => each !== handleId);
  const closed = afterClose(session, handleId, fault);
  const gone: SessionEffect[] =
    task.used === handleId ? [{ type: "gone", handleId, fault: stoppedFault() }] : [];
  const now: Task = { ...task, waiting, fault: task.fault ?? fault };
  if (waiting.length > 0) return [{ ...closed, task: now }, gone];
  return finish({ ...closed, task: now }, now.fault, gone);
}

function stepClosed(session: Session, task: LaunchTask, handleId: string, fault: Fault | null): Decision {
  const { at } = task;
  switch (at.step) {
    case "closing retired": {
      if (!at.waiting.includes(handleId)) return [session, []];
      const waiting = at.waiting.filter((each) => each !== handleId);
      const closed = afterClose(session, handleId, fault);
      const now: LaunchTask = { ...task, at: { ...at, waiting } };
      return waiting.length > 0 ? [{ ...closed, task: now }, []] : afterRetired(closed, now);
    }
    case "closing old": {
      if (at.handleId !== handleId) return [session, []];
      const [next, effects] = launch(afterClose(session, handleId, fault), task);
      return [next, [{ type: "gone", handleId, fault: stoppedFault() }, ...effects]];
    }
    case "closing replaced":
      return at.handleId === handleId ? replaced(session, task, at, fault) : [session, []];
    case "closing aborted": {
      if (at.handleId !== handleId) return [session, []];
      const retired = fault ? [...session.retired, { handleId, fault }] : session.retired;
      return finish({ ...session, retired }, closedFault());
    }
    case "launching":
      return [session, []];
    default:
      return unreachable(at);
  }
}

/** The old process has been closed, or is retired now: the new one can be announced, if it is still there. */
function replaced(
  session: Session,
  task: LaunchTask,
  at: Extract<LaunchStep, { step: "closing replaced" }>,
  fault: Fault | null,
): Decision {
  const { current, death } = session;
  const { handleId } = at;
  const retired = fault ? [...session.retired, { handleId, fault }] : session.retired;
  const gone: SessionEffect[] = at.wasUsed ? [{ type: "gone", handleId, fault: stoppedFault() }] : [];
  const owning = { ...session, retired };
  // Given up or not: it can be used until the close begins, so whoever needs to know is told.
  if (death && death.generation === generationOf(current)) return finish(owning, death.fault, gone);
  if (current.phase === "lost") {
    const patient = { ...owning, task: { ...task, ids: [] }, waiting: [...session.waiting, ...task.ids] };
    return finish(patient, null, gone);
  }
  const waiting = session.waiting;
  return finish({ ...owning, waiting: [] }, null, [...gone, { type: "announce" }, ...settled(waiting, null)]);
}

/** The current process is dead and no task is under way: what it left behind is ended before anything else. */
export function reap(
  session: Session,
  event: Extract<SessionEvent, { type: "exited" }>,
  facts: LiveFacts,
): Decision {
  const { fault, atMs, shown } = event;
  const isQuick = atMs - facts.startedAtMs < quickDeathMs;
  const counted = isQuick ? countDeath(session, atMs) : { ...session, quickDeathsAtMs: [] };
  const deaths = counted.quickDeathsAtMs.length;
  const broken = deaths > maxQuickDeaths;
  const delayMs = restartDelaysMs[Math.min(deaths, restartDelaysMs.length - 1)] ?? 0;
  const { handleId } = facts;
  return [
    {
      ...counted,
      death: null,
      waiting: [],
      current: { phase: "unclosed", handleId, fault, left: null, broken },
      task: { type: "reap", handleId, fault, broken, restartDelayMs: shown && !broken ? delayMs : null },
    },
    [
      { type: "mute" },
      { type: "gone", handleId, fault },
      ...settled(session.waiting, fault),
      { type: "close", handleId },
    ],
  ];
}

/** Gives up what is being started, because the session is to be closed. Whoever waits for it is told. */
export function abortTask(session: Session): Decision {
  const { task } = session;
  if (!task || !isLaunch(task) || task.aborted) return [session, []];
  const { at, ids } = task;
  return [
    { ...session, task: { ...task, ids: [], aborted: true } },
    [
      ...settled(ids, closedFault()),
      ...(at.step === "launching" ? [{ type: "abort", generation: at.generation } as const] : []),
    ],
  ];
}

/** The task is done: whoever waited is told, and the next begins. */
function finish(session: Session, fault: Fault | null, before: SessionEffect[] = []): Decision {
  const ids = session.task && "ids" in session.task ? session.task.ids : [];
  const [next, effects] = begin({ ...session, task: null });
  return [next, [...before, ...settled(ids, fault), ...effects]];
}

/** There is nothing to do for a wish. */
function passed(session: Session, ids: number[], fault: Fault | null): Decision {
  const [next, effects] = begin(session);
  return [next, [...settled(ids, fault), ...effects]];
}

/** What is owned after an attempt to close a handle that is not in use. */
function afterClose(session: Session, handleId: string, fault: Fault | null): Session {
  const { current } = session;
  const retired = session.retired.flatMap((handle) => {
    if (handle.handleId !== handleId) return [handle];
    return fault ? [{ handleId, fault }] : [];
  });
  const isCurrent = current.phase === "unclosed" && current.handleId === handleId;
  if (isCurrent && fault) return { ...session, retired, current: { ...current, left: fault } };
  const tried: Session = {
    ...session,
    retired,
    // Why nothing runs is not changed by the end of what was left.
    current: isCurrent ? { phase: "none", fault: current.fault, broken: current.broken } : current,
  };
  // Nothing stands in the way of a start any more.
  const wasRefused = "fault" in current && current.fault?.code === pendingCode;
  return wasRefused && retired.length === 0 ? withFault(tried, null) : tried;
}

/** These are not used after all: each is owned until it has been closed. */
export function notAdopted(session: Session, handleIds: string[], fault: Fault): Session {
  return {
    ...session,
    retired: [...session.retired, ...handleIds.map((handleId) => ({ handleId, fault }))],
    queue: [...handleIds.map((handleId): Wish => ({ type: "clean", ids: [], handleId })), ...session.queue],
  };
}

export function restartCancelled(session: Session): SessionEffect[] {
  return session.restartPending ? [{ type: "cancelRestart" }] : [];
}

function withFault(session: Session, fault: Fault | null, broken = false): Session {
  const { current } = session;
  if (current.phase !== "none" && current.phase !== "unclosed") return session;
  return { ...session, current: { ...current, fault, broken } };
}

function countDeath(session: Session, atMs: number): Session {
  const recent = session.quickDeathsAtMs.filter((deathMs) => atMs - deathMs < quickDeathMs);
  return { ...session, quickDeathsAtMs: [...recent, atMs] };
}

function pendingFault(retired: RetiredHandle[]): Fault {
  return new Fault(
    pendingCode,
    "An earlier codex of this workspace has not ended yet, so no other one is started beside it.",
    {
      hint: `${retired.map(({ fault }) => fault.message).join(" ")} Retry the cleanup; codex can be started once it has succeeded.`,
      retryable: true,
    },
  );
}

/** Whoever waits for a session that is being closed on purpose is told so. */
export function closedFault(): Fault {
  return new Fault("session_closed", "The session was closed.", { retryable: true });
}

function stoppedFault(): Fault {
  return new Fault("session_closed", "codex was stopped.", { retryable: true });
}

export function settled(ids: number[], fault: Fault | null): SessionEffect[] {
  return ids.length === 0 ? [] : [{ type: "settle", ids, fault }];
}

function handleOf(current: Exclude<Session["current"], { phase: "none" }>): string {
  return current.phase === "unclosed" ? current.handleId : current.facts.handleId;
}

function isLaunch(task: Task): task is LaunchTask {
  return "at" in task;
}

function isStart(wish: Wish): wish is StartWish {
  return wish.type === "start" || wish.type === "replace" || wish.type === "restart";
}

export function unreachable(value: never): never {
  throw new Error(`not a session event, wish or step: ${JSON.stringify(value)}`);
}
