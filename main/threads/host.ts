// What a thread needs of the rest of main, as narrow interfaces: so that threads are tested without processes or a disk.

import type { Attachment } from "../../preload/contract/items";
import type { Request } from "../../preload/contract/requests";
import type { ThreadHead } from "../../preload/contract/thread";
import type { Clock } from "../clock";
import type { Fault } from "../fault";
import type { RunningItemsLedger } from "../ledger/runningItemsLedger";
import type { SubmissionsLedger } from "../ledger/submissionsLedger";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import type { RequestBook } from "./requestBook";
import type { RunEvent } from "./runMachine";
import type { ThreadState } from "./threadState";

/** A thread as the host sees it. */
export interface HostedThread {
  readonly key: string;
  readonly threadId: string | null;
  readonly workspaceId: string;
  readonly state: ThreadState;
}

/** A thread as its own parts see it. */
export interface RunningThread extends HostedThread {
  /** Lets the run machine take the event, and does what it decides. */
  run(event: RunEvent): void;
}

export interface ThreadHost {
  clock: Clock;
  log: Log;
  requests: RequestBook;
  /** What waits in this thread and in those of its child agents. */
  requestsOf(threadId: string): Request[];
  submissions: SubmissionsLedger;
  runningItems: RunningItemsLedger;
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
  /** No turn has ever ended in this thread: when codex does not know it any more, nothing is lost. */
  isUnused(threadId: string): boolean;
  /** codex does not know the unused thread any more. It is a key again, and made anew for the next message. */
  unmade(thread: HostedThread, threadId: string): void;
  /** codex has the thread in memory for us, or, when false, has said that it has not. */
  resident(thread: HostedThread, isResident: boolean): void;
  headChanged(thread: HostedThread, head: ThreadHead): void;
  /** Told once for each turn, at the first certain word of its end. `turnId` null: it was never named. */
  turnOver(thread: HostedThread, turnId: string | null): void;
  /** Part of the conversation was loaded: it may name child agents. */
  loaded(thread: HostedThread): void;
  /** Another thread of the same tree (parents and child agents) is shown or at work. */
  treeInUse(thread: HostedThread): boolean;
  /** Sends Stop to the child agents, and waits for none of them. */
  stopChildren(thread: HostedThread): void;
  /** An undelivered message was given back to be edited: it is a draft now. */
  takenBack(thread: HostedThread, text: string, attachments: Attachment[]): void;
  /** A fault of codex's configuration, when this error is one. */
  configFault(error: unknown): Fault | null;
}
