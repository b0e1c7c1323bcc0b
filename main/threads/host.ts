// What a thread needs of the rest of main, as narrow interfaces: so that threads are tested without processes or a disk.

import type { Attachment } from "../../preload/contract/items";
import type { ThreadHead, ThreadSettings } from "../../preload/contract/thread";
import type { Clock } from "../clock";
import type { Fault } from "../fault";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import type { RequestBook } from "./requestBook";
import type { ThreadRuntime } from "./threadRuntime";

export type SubmissionMode = "turn" | "steer" | "queue";

/** What becomes of one thing the person sent; written down before each step is taken. */
export type SubmissionState =
  /** On disk; nothing has left yet. */
  | "recorded"
  /** About to leave, or left without an answer: delivery is unknown until codex's record has been read. */
  | "sending"
  /** codex has answered. */
  | "sent"
  /** codex's record has it. */
  | "delivered"
  /** codex does not have it; the text waits for the person. */
  | "undelivered"
  /** The person took it back. */
  | "discarded";

export interface Submission {
  clientId: string;
  threadKey: string;
  threadId: string | null;
  workspaceId: string;
  mode: SubmissionMode;
  text: string;
  attachments: Attachment[];
  settings: ThreadSettings;
  state: SubmissionState;
  createdAtMs: number;
  error: string | null;
}

export interface SubmissionRecords {
  /** On disk when it returns. False: this client id is recorded already. Throws Fault. */
  record(submission: Submission): boolean;
  advance(
    clientId: string,
    state: SubmissionState,
    facts?: { threadId?: string; turnId?: string; error?: string },
  ): void;
  /** Everything of this thread that is neither delivered nor discarded, oldest first. */
  open(threadKey: string): Submission[];
}

export interface ThreadHost {
  clock: Clock;
  log: Log;
  requests: RequestBook;
  submissions: SubmissionRecords;
  /** Starts the workspace's session if it must. Throws the Fault that says why it cannot be used. */
  connect(workspaceId: string): Promise<Connection>;
  /** The connection that is live now, without starting anything. */
  connection(workspaceId: string): Connection | null;
  /** The workspace's folder; throws Fault `folder_gone` when it is not there. */
  folder(workspaceId: string): Promise<string>;
  /** codex has made the thread of a runtime that was only a key until now. */
  promoted(thread: ThreadRuntime, threadId: string): void;
  headChanged(thread: ThreadRuntime, head: ThreadHead): void;
  /** A fault of codex's configuration, when this error is one. */
  configFault(error: unknown): Fault | null;
}
