// What a thread needs of the rest of main, as narrow interfaces: so that threads are tested without processes or a disk.

import type { Attachment } from "../../preload/contract/items";
import type { Request } from "../../preload/contract/requests";
import type { ThreadHead } from "../../preload/contract/thread";
import type { Clock } from "../clock";
import type { Thread } from "../codex/protocol/v2/Thread";
import type { ThreadEnvironment } from "../codex/protocol/v2/ThreadEnvironment";
import type { Turn } from "../codex/protocol/v2/Turn";
import type { TurnEnvironmentParams } from "../codex/protocol/v2/TurnEnvironmentParams";
import type { Fault } from "../fault";
import type { QueueHoldsLedger } from "../ledger/queueHoldsLedger";
import type { RunningItemsLedger } from "../ledger/runningItemsLedger";
import type { SubmissionsLedger } from "../ledger/submissionsLedger";
import type { EnvironmentChoice } from "../ledger/threadEnvironmentsLedger";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import type { KeptItem } from "./keptItem";
import type { RequestBook } from "./requestBook";
import type { RunEvent } from "./runMachine";
import type { ThreadRunMarks } from "./runMarks";
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
  /** Returns `answer`, which codex normally gives at once: that it does not is said in the thread. */
  awaited<Answer>(answer: Promise<Answer>): Promise<Answer>;
}

/** What the loader needs of its thread. */
export interface LoadingThread extends RunningThread {
  readonly place: {
    /** Where codex is to have the thread that it makes work; undefined: it need not be told. Rejects when nothing can be made. */
    prepareStart(connection: Connection): Promise<TurnEnvironmentParams[] | undefined>;
    /** codex has said where the thread works. */
    reported(environments: readonly ThreadEnvironment[] | null | undefined): void;
  };
  /** codex is about to load it, and would send by itself what waits in its queue. */
  beforeResume(connection: Connection): Promise<void>;
  /** codex's record has been merged; `status` as codex told it with the record, or undefined. */
  statusFound(status: unknown): void;
  /** The newest turns have become part of the transcript. */
  listed(turns: Turn[]): void;
  /** It can be used over this connection now. */
  loaded(connection: Connection): void;
  /** Items that ran or were cut off, as the ledger has them: codex does not list these. */
  keptItems(): KeptItem[];
  /** codex does not know it. */
  historyLost(): void;
}

export interface ThreadHost {
  clock: Clock;
  log: Log;
  requests: RequestBook;
  /** What waits in this thread and in those of its child agents. */
  requestsOf(threadId: string): Request[];
  submissions: SubmissionsLedger;
  queueHolds: QueueHoldsLedger;
  runningItems: RunningItemsLedger;
  runMarks: ThreadRunMarks;
  environments: {
    /** Where the thread works; null: on this machine. */
    of(thread: HostedThread): EnvironmentChoice | null;
    /** Null: there is none of this id, any more. */
    name(environmentId: string): string | null;
    /** Holdfast's own session there; null: none right now. */
    session(environmentId: string): number | null;
    /** Has Holdfast connect to it too. */
    attend(environmentId: string): void;
    /** Has this codex connect to where the environment is now. Returns codex's id of it. */
    reach(connection: Connection, environmentId: string): Promise<string>;
    /** For an agent: the thread above it has been told where to work. Others may always be loaded. */
    isRootSelected(thread: HostedThread): boolean;
  };
  /** The launch profile that threads of this workspace are started with. */
  profileId(workspaceId: string): string;
  /** Starts the workspace's session if it must. Throws the Fault that says why it cannot be used. */
  connect(workspaceId: string): Promise<Connection>;
  /** The connection that is live now, without starting anything. */
  connection(workspaceId: string): Connection | null;
  folderPath(workspaceId: string): string;
  /** The workspace's folder; throws Fault `folder_gone` when it is not there. */
  folder(workspaceId: string): Promise<string>;
  /** codex has made the thread of a runtime that was only a key until now. */
  promoted(thread: HostedThread, threadId: string): void;
  /** No turn has ever ended in this thread: when codex does not know it any more, nothing is lost. */
  isUnused(threadId: string): boolean;
  /** It is a child agent of another thread. */
  isAgent(threadId: string): boolean;
  /** codex does not know the unused thread any more. It is a key again, and made anew for the next message. */
  unmade(thread: HostedThread, threadId: string): void;
  /** codex has the thread in memory for us, or, when false, has said that it has not. */
  resident(thread: HostedThread, isResident: boolean): void;
  headChanged(thread: HostedThread, head: ThreadHead): void;
  /** Told once for each turn, at the first certain word of its end. `turnId` null: it was never named. */
  turnOver(thread: HostedThread, turnId: string | null): void;
  /** A message has come back, not delivered. */
  cameBack(thread: HostedThread, clientId: string, fault: Fault): void;
  /** Part of the conversation was loaded: it may name child agents. */
  loaded(thread: HostedThread): void;
  /** codex has given its record of the thread. */
  recorded(thread: Thread): void;
  /** Another thread of the same tree (parents and child agents) is shown or at work. */
  treeInUse(thread: HostedThread): boolean;
  /** Sends Stop to the child agents, and waits for none of them. */
  stopChildren(thread: HostedThread): void;
  /** A message was given back to be edited: it is a draft now. */
  takenBack(thread: HostedThread, text: string, attachments: Attachment[]): void;
  /** A fault of codex's configuration, when this error is one. */
  configFault(error: unknown): Fault | null;
}
