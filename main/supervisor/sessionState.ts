// What is known of one session: its processes, what is being done about them, what is wished. The decisions are in
// sessionMachine.ts and sessionTasks.ts.

import type { Fault } from "../fault";

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

/** The process that is used, or that was used last and is still owned. */
export type Current =
  /** `fault` says why nothing runs when that was not wished. `broken`: only a restart by hand starts it again. */
  | { phase: "none"; fault: Fault | null; broken: boolean }
  | { phase: "live"; generation: number; facts: LiveFacts }
  /** The process lives, the connection does not. */
  | { phase: "lost"; generation: number; facts: LiveFacts; attempt: number; sinceMs: number; fault: Fault }
  /** Being closed, or its close has failed (`left` says why): not used, still owned. */
  | { phase: "unclosed"; handleId: string; fault: Fault | null; left: Fault | null; broken: boolean };

/** A handle that is not used any more and whose close has failed. */
export interface RetiredHandle {
  handleId: string;
  fault: Fault;
}

/** What a caller wants. `ids` are the callers who wait for it; nobody waits for a restart after a death. */
export type Wish =
  | { type: "start" | "replace" | "restart"; ids: number[] }
  | { type: "close"; ids: number[]; everything: boolean }
  | { type: "clean"; ids: number[]; handleId: string }
  | { type: "adopt"; ids: number[]; handleId: string };

export type LaunchStep =
  /** One attempt at each retired handle; `waiting` have not answered yet. */
  | { step: "closing retired"; waiting: string[] }
  | { step: "closing old"; handleId: string }
  | { step: "launching"; generation: number; connection: number }
  /** The new process is current; the one before it is being closed. `wasUsed`: until then it was in use. */
  | { step: "closing replaced"; handleId: string; wasUsed: boolean }
  /** It came up although it had been given up. */
  | { step: "closing aborted"; handleId: string };

export type Task =
  | { type: "start" | "replace" | "restart"; ids: number[]; aborted: boolean; at: LaunchStep }
  | { type: "adopt"; ids: number[]; aborted: boolean; at: LaunchStep; handleId: string }
  /** `used`: the handle that was in use until then. */
  | { type: "close"; ids: number[]; waiting: string[]; used: string | null; fault: Fault | null }
  | { type: "clean"; ids: number[]; handleId: string }
  /** The process has died by itself: what it left behind is being ended. */
  | { type: "reap"; handleId: string; fault: Fault; broken: boolean; restartDelayMs: number | null };

/** What others see of a session. */
export type SessionState =
  | { phase: "stopped"; fault: Fault | null; broken: boolean }
  | { phase: "starting" }
  | { phase: "live"; facts: LiveFacts }
  | { phase: "lost"; facts: LiveFacts; attempt: number; fault: Fault }
  | { phase: "closing" };

export interface Session {
  current: Current;
  retired: RetiredHandle[];
  task: Task | null;
  queue: Wish[];
  /** Callers who need the session while its connection is being made anew. */
  waiting: number[];
  /** The current process died while a task was under way. */
  death: Extract<SessionEvent, { type: "exited" }> | null;
  /** It is to be started again by itself after a while: restartDue will come. */
  restartPending: boolean;
  /** Counts launches and adoptions; a process belongs to exactly one. */
  generation: number;
  /** Counts connections over all generations; `connection` is the one of the current process. */
  connections: number;
  connection: number;
  /** When processes died that had lived for less than `quickDeathMs`; oldest first. */
  quickDeathsAtMs: number[];
}

export type SessionEvent =
  /** Somebody wants to use it. */
  | { type: "needed"; id: number }
  /** A new process is to take the place of this one, which stays if the new one fails. Forgets earlier deaths. */
  | { type: "replace"; id: number }
  /** End this process first, then start a new one. Forgets earlier deaths. */
  | { type: "restart"; id: number }
  /** `everything`: with what is retired. */
  | { type: "close"; id: number; everything: boolean }
  /** One more attempt to close a handle whose close has failed. */
  | { type: "clean"; id: number; handleId: string }
  /** A process of an earlier run lives: use it. */
  | { type: "adopt"; id: number; handleId: string }
  | { type: "launched"; generation: number; connection: number; facts: LiveFacts }
  /** `left`: what was made could not be closed again. */
  | { type: "launchFailed"; generation: number; fault: Fault; atMs: number; left: RetiredHandle | null }
  | { type: "connectionLost"; generation: number; connection: number; fault: Fault; atMs: number }
  | { type: "reconnected"; generation: number; connection: number }
  | { type: "reconnectFailed"; generation: number; connection: number; fault: Fault; atMs: number }
  | { type: "exited"; generation: number; fault: Fault; atMs: number; shown: boolean }
  /** An attempt to close a handle is over. `fault` null: nothing is left of it. */
  | { type: "closeEnded"; handleId: string; fault: Fault | null }
  | { type: "restartDue"; generation: number };

export type SessionEffect =
  /** Start a process and connect to it, as `generation` and `connection`. Answered by launched or launchFailed. */
  | { type: "launch"; generation: number; connection: number; replacing: boolean }
  /** The same with a process that lives already. */
  | { type: "adopt"; generation: number; connection: number; handleId: string }
  /** The launch of `generation` is given up: what it makes is closed, and then it answers launchFailed. */
  | { type: "abort"; generation: number }
  /** Connect to the living process after `delayMs`. Answered by reconnected or reconnectFailed. */
  | { type: "reconnect"; generation: number; connection: number; delayMs: number }
  /** Nothing that the connection in use says is heard any more. */
  | { type: "mute" }
  /** The connection that the launch of `generation` has made is the one in use from now on. */
  | { type: "use"; generation: number }
  /** End what is left of the handle. Answered by closeEnded. */
  | { type: "close"; handleId: string }
  /** Nobody can use the process of this handle any more. */
  | { type: "gone"; handleId: string; fault: Fault }
  /** The current connection is ready to be used. */
  | { type: "announce" }
  /** Send restartDue after `delayMs`. */
  | { type: "restartLater"; generation: number; delayMs: number }
  /** restartDue is not wanted any more. */
  | { type: "cancelRestart" }
  /** These callers get what they wished, or the fault. */
  | { type: "settle"; ids: number[]; fault: Fault | null };

export type Decision = [Session, SessionEffect[]];

export const quickDeathMs = 60_000;
export const maxQuickDeaths = 3;

/** `retired`: what an earlier run could not close. */
export function newSession(retired: RetiredHandle[] = []): Session {
  return {
    current: { phase: "none", fault: null, broken: false },
    retired,
    task: null,
    queue: [],
    waiting: [],
    death: null,
    restartPending: false,
    generation: 0,
    connections: 0,
    connection: 0,
    quickDeathsAtMs: [],
  };
}

/** Its connection can be used, and whoever needs to know has been told. */
export function isUsable({ current, task }: Session): boolean {
  if (current.phase !== "live") return false;
  return !(task && "at" in task && task.at.step === "closing replaced");
}

export function generationOf(current: Current): number | null {
  return current.phase === "live" || current.phase === "lost" ? current.generation : null;
}

export function stateOf(session: Session): SessionState {
  const { current, task } = session;
  if (task && "at" in task && !isUsable(session)) return { phase: "starting" };
  if (task?.type === "close") return { phase: "closing" };
  switch (current.phase) {
    case "none":
      return { phase: "stopped", fault: current.fault, broken: current.broken };
    case "unclosed":
      return { phase: "stopped", fault: current.fault ?? current.left, broken: current.broken };
    case "live":
      return { phase: "live", facts: current.facts };
    case "lost":
      return { phase: "lost", facts: current.facts, attempt: current.attempt, fault: current.fault };
    default:
      return current satisfies never;
  }
}

export function sameState(a: SessionState, b: SessionState): boolean {
  if (a.phase !== b.phase) return false;
  switch (a.phase) {
    case "starting":
    case "closing":
      return true;
    case "live":
      return b.phase === "live" && a.facts === b.facts;
    case "lost":
      return b.phase === "lost" && a.facts === b.facts && a.attempt === b.attempt && a.fault === b.fault;
    case "stopped":
      return b.phase === "stopped" && a.fault === b.fault && a.broken === b.broken;
    default:
      return a satisfies never;
  }
}

/** The handles that the session owns, besides what a launch that is under way may make. */
export function ownedHandles({ current, retired, task }: Session): string[] {
  const used =
    current.phase === "none"
      ? []
      : [current.phase === "unclosed" ? current.handleId : current.facts.handleId];
  const inHand =
    task && "at" in task && (task.at.step === "closing replaced" || task.at.step === "closing aborted")
      ? [task.at.handleId]
      : [];
  const adopted = task?.type === "adopt" && !used.includes(task.handleId) ? [task.handleId] : [];
  return [...used, ...retired.map((handle) => handle.handleId), ...inHand, ...adopted];
}
