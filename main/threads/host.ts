// What a thread needs of the rest of main, as narrow interfaces: so that threads are tested without processes or a disk.

import type { Request } from "../../preload/contract/requests";
import type { ThreadHead } from "../../preload/contract/thread";
import type { Clock } from "../clock";
import type { Fault } from "../fault";
import type { SubmissionsLedger } from "../ledger/submissionsLedger";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import type { RequestBook } from "./requestBook";
import type { ThreadState } from "./threadState";

/** A thread as the host sees it. */
export interface HostedThread {
  readonly key: string;
  readonly threadId: string | null;
  readonly workspaceId: string;
  readonly state: ThreadState;
}

export interface ThreadHost {
  clock: Clock;
  log: Log;
  requests: RequestBook;
  /** What waits in this thread and in those of its child agents. */
  requestsOf(threadId: string): Request[];
  submissions: SubmissionsLedger;
  /** The launch profile that threads of this workspace are started with. */
  profileId(workspaceId: string): string;
  /** Starts the workspace's session if it must. Throws the Fault that says why it cannot be used. */
  connect(workspaceId: string): Promise<Connection>;
  /** The connection that is live now, without starting anything. */
  connection(workspaceId: string): Connection | null;
  /** The workspace's folder; throws Fault `folder_gone` when it is not there. */
  folder(workspaceId: string): Promise<string>;
  /** codex has made the thread of a runtime that was only a key until now. */
  promoted(thread: HostedThread, threadId: string): void;
  headChanged(thread: HostedThread, head: ThreadHead): void;
  /** A fault of codex's configuration, when this error is one. */
  configFault(error: unknown): Fault | null;
}
