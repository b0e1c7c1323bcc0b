// The types of the fake codex, which itself is plain JavaScript, so that it runs as a program without being built. Its answers
// are checked against the protocol that is generated from the real binary.

import type { QueuedSubmission } from "../../../main/codex/protocol/v2/QueuedSubmission";
import type { Thread } from "../../../main/codex/protocol/v2/Thread";
import type { ThreadItem } from "../../../main/codex/protocol/v2/ThreadItem";
import type { ThreadStatus } from "../../../main/codex/protocol/v2/ThreadStatus";
import type { Turn } from "../../../main/codex/protocol/v2/Turn";
import type { TurnError } from "../../../main/codex/protocol/v2/TurnError";
import type { TurnStatus } from "../../../main/codex/protocol/v2/TurnStatus";
import type { RpcMethod, RpcParams, RpcResult } from "../../../main/codex/protocolMethods";
import type { FakeMessage, FakeScenario, TurnAction } from "./scenario";

export interface Journal {
  write(entry: Record<string, unknown>): void;
}

export interface Connection {
  send(text: string): void;
  drop(): void;
  onText(text: string): void;
  onClosed(): void;
}

/** Somebody who is connected, and the threads whose events go there. */
export interface Client {
  connection: Connection;
  initialized: boolean;
  name: string | null;
  threads: Set<string>;
}

export type Scenario = FakeScenario & { version: string };

/** What of a thread is on disk; the rest only a running server knows. */
export type ThreadRecord = Omit<Thread, "environments" | "canAcceptDirectInput" | "status" | "turns">;
export type StoredTurn = Omit<Turn, "itemsView">;
export type ItemOf<Type extends ThreadItem["type"]> = Extract<ThreadItem, { type: Type }>;

export interface StoredThread {
  record: ThreadRecord;
  /** Oldest first. */
  turns: StoredTurn[];
  archived: boolean;
  queue: QueuedSubmission[];
  /** Its last turn was interrupted: nothing is taken from the queue until one begins. */
  isHeld: boolean;
}

export interface LiveThread extends StoredThread {
  loaded: boolean;
  status: ThreadStatus;
  running: RunningTurn | null;
}

export interface RunningTurn {
  turn: StoredTurn;
  stop: AbortController;
  context: TurnContext;
  beganAtMs: number;
}

/** Where an action happens. */
export interface ActionContext {
  fake: FakeServer;
  threadId: string | null;
  turn: StoredTurn | null;
  /** Aborted when the turn has ended. */
  signal: AbortSignal | null;
}

export interface TurnContext extends ActionContext {
  threadId: string;
  turn: StoredTurn;
  signal: AbortSignal;
  cwd: string;
  /** The changes so far, as one diff. */
  diff: string | null;
  setStatus(status: ThreadStatus): void;
  end(status: TurnStatus, error?: TurnError): void;
  fail(error: TurnError, graceMs: number): void;
}

export interface ThreadStore {
  threads: Map<string, LiveThread>;
  /** Writes all threads that have a turn. */
  save(): void;
}

export interface Request {
  id: number | string;
  answered: Promise<FakeMessage>;
}

export interface FakeServer {
  readonly scenario: Scenario;
  readonly journal: Journal;
  readonly codexHome: string;
  readonly gateFolder: string | undefined;
  readonly store: ThreadStore;
  /** How many turns this process has started. */
  turnsStarted: number;
  /** To everybody, or to those who have the thread open. */
  notify(method: string, params: object, threadId?: string | null): void;
  sendRaw(text: string, threadId?: string | null): void;
  request(
    method: string,
    params: object,
    options: { threadId: string | null; id?: number | string },
  ): Request;
  /** Nobody need answer this any more, or somebody has. */
  withdraw(requestId: number | string, threadId: string): void;
  resendPending(threadId: string, client: Client): void;
  dropConnections(): void;
}

export interface Call {
  fake: FakeServer;
  client: Client;
}

export interface Answer<Result> {
  result: Result;
  /** What is said right after the answer. */
  afterwards?(): void;
}

/** What is answered, by method: exactly what the protocol says of it. */
export type Methods = { [M in RpcMethod]?: (params: RpcParams<M>, call: Call) => Answer<RpcResult<M>> };

/** An action is awaited; what it gives is of no interest. Its name is the key that all actions of its kind have. */
export type GeneralActionName = "notify" | "request" | "raw" | "wait" | "gate" | "drop" | "die";
export type TurnActionName =
  | "message"
  | "reasoning"
  | "plan"
  | "command"
  | "fileChange"
  | "item"
  | "usage"
  | "trouble"
  | "fail"
  | "end";

export type GeneralActions = {
  [Name in GeneralActionName]: (
    action: Extract<TurnAction, Record<Name, unknown>>,
    context: ActionContext,
  ) => unknown;
};

export type TurnActions = {
  [Name in TurnActionName]: (
    action: Extract<TurnAction, Record<Name, unknown>>,
    context: TurnContext,
  ) => unknown;
};
