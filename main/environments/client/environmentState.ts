// What is known of one environment: its session, what is being done about it, what is wished. The decisions are in
// environmentMachine.ts and sessionRecovery.ts. All numbers come from one count, so no two things of any kind share one.

import type { Fault } from "../../fault";
import type { DisconnectedFault } from "./disconnected";
import type { ExecutorTarget } from "./executorTarget";

export type SessionPhase =
  | { name: "live"; connection: number }
  /** `fault`: why the connection was lost, or why the last attempt at a new one failed. */
  | { name: "recovering"; recovery: number; attempt: number; fault: Fault; at: RecoveryStep }
  /** Never used again. */
  | { name: "ended"; fault: Fault };

export type RecoveryStep =
  | { step: "lookup"; lookup: number }
  | { step: "resuming"; connection: number; registration: string }
  | { step: "waiting" };

export interface SessionState {
  /** The number of the attempt that made it. */
  id: number;
  identity: string;
  registration: string;
  phase: SessionPhase;
}

export interface Attempt {
  id: number;
  /** Who waits for a session. */
  callers: number[];
  at: { step: "lookup" } | { step: "connecting"; target: ExecutorTarget };
}

/** The session as a refresh found it when it asked the registry. */
export type Observed = { session: number; registration: string } | null;

export interface Refresh {
  caller: number;
  at:
    | { step: "lookup"; lookup: number; observed: Observed }
    | { step: "connecting"; attempt: number }
    | { step: "probing"; session: number };
}

export type Startup =
  | { phase: "not started" }
  | { phase: "running" }
  /** `fault`: of the last attempt to connect. Null: it is ready. */
  | { phase: "finished"; fault: Fault | null };

export interface EnvironmentState {
  lastId: number;
  session: SessionState | null;
  attempt: Attempt | null;
  refresh: Refresh | null;
  /** Refreshes that wait for the one before them. */
  queue: number[];
  startup: Startup;
  /** Why there is no session now, when that was not wished. */
  fault: Fault | null;
  closed: boolean;
}

export type ResumeVerdict =
  | "try again"
  /** The executor refuses the session for good. */
  | "refused"
  /** The executor does not know the session, and never will again. */
  | "not known";

export type EnvironmentEvent =
  | { type: "get"; caller: number }
  | { type: "refresh"; caller: number }
  /** What there is ends; the next who needs it connects anew. */
  | { type: "letGo" }
  | { type: "close" }
  | { type: "found"; lookup: number; target: ExecutorTarget }
  | { type: "notFound"; lookup: number; fault: Fault }
  | { type: "connected"; attempt: number }
  | { type: "connectFailed"; attempt: number; fault: Fault }
  | { type: "connectionLost"; session: number; connection: number; fault: Fault }
  | { type: "resumed"; session: number; connection: number }
  | { type: "resumeFailed"; session: number; connection: number; fault: Fault; verdict: ResumeVerdict }
  | { type: "retryDue"; session: number; recovery: number }
  | { type: "recoveryDue"; session: number; recovery: number }
  | { type: "probed"; session: number; fault: Fault | null };

export type EnvironmentEffect =
  /** Ask the registry; `resuming` this executor's session. Answered by found or notFound, unless cancelled. */
  | { type: "lookUp"; lookup: number; resuming?: string }
  | { type: "cancelLookup"; lookup: number }
  /** Connect and begin a session. Answered by connected or connectFailed, unless cancelled; then nothing is left of it. */
  | { type: "connect"; attempt: number; target: ExecutorTarget }
  | { type: "cancelConnect"; attempt: number }
  /** Whatever is asked of the session waits from now on. */
  | { type: "suspend"; session: number }
  /** Connect, resume the session and fill what was missed. Answered by resumed or resumeFailed, unless cancelled. */
  | { type: "resume"; session: number; connection: number; target: ExecutorTarget }
  | { type: "cancelResume"; connection: number }
  /** What has waited goes on over this connection. */
  | { type: "use"; session: number; connection: number }
  /** Send recoveryDue when the time for a recovery is over. */
  | { type: "limitRecovery"; session: number; recovery: number }
  /** Send retryDue after a pause that grows with `attempt`. */
  | { type: "retryLater"; session: number; recovery: number; attempt: number }
  /** Neither is wanted any more. */
  | { type: "stopTimers"; recovery: number }
  /** Whatever is asked of it, or still to be answered by it, fails now; its processes are lost; its connection is closed. */
  | { type: "end"; session: number; fault: DisconnectedFault }
  /** Ask the executor whether it is ready, over the connection in use and no other. Answered by probed. */
  | { type: "probe"; session: number }
  | { type: "give"; callers: number[]; session: number }
  | { type: "refuse"; callers: number[]; fault: Fault }
  | { type: "refreshed"; caller: number; fault: Fault | null };

export type Decision = [EnvironmentState, EnvironmentEffect[]];

export const newEnvironment: EnvironmentState = {
  lastId: 0,
  session: null,
  attempt: null,
  refresh: null,
  queue: [],
  startup: { phase: "not started" },
  fault: null,
  closed: false,
};

/** What others see of it. */
export type ConnectionState =
  /** `fault` null: it was not used yet, or let go of on purpose. */
  | { phase: "disconnected"; fault: Fault | null }
  | { phase: "connecting" }
  | { phase: "connected"; session: number; identity: string; registration: string }
  | { phase: "reconnecting"; session: number; identity: string; attempt: number; fault: Fault }
  | { phase: "closed" };

export function connectionStateOf({ session, attempt, fault, closed }: EnvironmentState): ConnectionState {
  if (closed) return { phase: "closed" };
  if (session?.phase.name === "live") {
    const { id, identity, registration } = session;
    return { phase: "connected", session: id, identity, registration };
  }
  if (session?.phase.name === "recovering") {
    const { id, identity, phase } = session;
    return { phase: "reconnecting", session: id, identity, attempt: phase.attempt, fault: phase.fault };
  }
  if (attempt !== null) return { phase: "connecting" };
  return { phase: "disconnected", fault };
}
