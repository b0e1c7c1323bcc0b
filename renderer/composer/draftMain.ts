// What a draft needs from outside; tests hand in their own.

import type { CallParams, CallResult, KeptDraft } from "../../preload/contract";

export type SendMode = CallParams<"messages.send">["mode"];

/** The part of main that drafts need. */
export interface DraftMain {
  get(threadKey: string): Promise<KeptDraft>;
  put(change: CallParams<"drafts.put">): Promise<CallResult<"drafts.put">>;
  /** Answers when another window has changed it, or after a while with null. */
  next(question: CallParams<"drafts.next">): Promise<CallResult<"drafts.next">>;
  park(threadKey: string): Promise<CallResult<"drafts.park">>;
  send(message: CallParams<"messages.send">): Promise<CallResult<"messages.send">>;
}

export interface DraftTimers {
  nowMs(): number;
  /** Returns what cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** Who this page is to main, and how it names what it sends. */
export interface DraftIds {
  writer: string;
  newClientId(): string;
}
