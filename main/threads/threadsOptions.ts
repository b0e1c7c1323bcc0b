// What threads are given by whoever wires the app together.

import type { AppChange } from "../../preload/contract/app";
import type { Request } from "../../preload/contract/requests";
import type { ThreadSettings } from "../../preload/contract/thread";
import type { Clock } from "../clock";
import type { Fault } from "../fault";
import type { Ledger } from "../ledger/ledger";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import type { AgentTreesOptions } from "./agents/agentTrees";
import type { EnvironmentSource } from "./environments/environmentSource";
import type { ThreadRunMarks } from "./runMarks";
import type { TurnEnd } from "./turnEnd";

export interface ThreadsOptions {
  clock: Clock;
  log: Log;
  ledger: Pick<
    Ledger,
    | "transaction"
    | "submissions"
    | "queueHolds"
    | "drafts"
    | "reviewComments"
    | "threads"
    | "threadEnvironments"
    | "requests"
    | "runningItems"
  >;
  runMarks: ThreadRunMarks;
  connect(workspaceId: string): Promise<Connection>;
  connection(workspaceId: string): Connection | null;
  /** Throws Fault `folder_gone`. */
  presentFolder(workspaceId: string): Promise<string>;
  workspace(workspaceId: string): { path: string; demo: boolean; profileId: string };
  environments: EnvironmentSource;
  newThreadSettings(): ThreadSettings;
  configFault(error: unknown): Fault | null;
  publish(changes: AppChange[], urgent: boolean): void;
  waitingChanged(waiting: Request[]): void;
  listingChanged(workspaceId: string): void;
  /** A turn of a thread has ended; each is told once. */
  turnEnded(end: TurnEnd): void;
  /** What was sent to this thread, or to this key of one, could not be delivered. */
  cameBack(threadId: string, clientId: string, fault: Fault): void;
  /** A turn of this thread has ended while Holdfast was not running. */
  endedAway(threadId: string): void;
  /** A thread of this key is still to be started: what is typed under it is its own. */
  isAwaited?(key: string): boolean;
  /** Reads the end of a file; for tests. */
  readEnd?: AgentTreesOptions["readEnd"];
}
