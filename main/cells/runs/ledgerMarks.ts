// What runs have done to threads, on record; and in memory, since every message of a long conversation is looked up.

import type { RunRef } from "../../../preload/contract/cells";
import type { CellMarksLedger, ThreadMark } from "../../ledger/cellMarksLedger";
import type { RunMarks } from "../verbs/runMarks";

export interface LedgerMarksOptions {
  ledger: CellMarksLedger;
  /** Null: it is kept no more. */
  scriptName(runId: string): string | null;
  threadsChanged(runId: string): void;
}

export class LedgerMarks implements RunMarks {
  readonly #options: LedgerMarksOptions;
  readonly #runOfMessage = new Map<string, string>();
  readonly #threads = new Map<string, ThreadMark>();
  readonly #keyOfThread = new Map<string, string>();

  constructor(options: LedgerMarksOptions) {
    this.#options = options;
    this.reload();
  }

  message(runId: string, clientId: string): void {
    this.#options.ledger.addMessage(runId, clientId);
    if (!this.#runOfMessage.has(clientId)) this.#runOfMessage.set(clientId, runId);
  }

  thread(runId: string, threadKey: string): void {
    this.#options.ledger.addThread(runId, threadKey);
    if (this.#threads.has(threadKey)) return;
    this.#threads.set(threadKey, { threadKey, threadId: null, runId });
    this.#options.threadsChanged(runId);
  }

  threadNamed(threadKey: string, threadId: string): void {
    const mark = this.#mark(threadKey);
    if (!mark || mark.threadId === threadId) return;
    this.#options.ledger.nameThread(mark.threadKey, threadId);
    this.#threads.set(mark.threadKey, { ...mark, threadId });
    this.#keyOfThread.set(threadId, mark.threadKey);
    this.#options.threadsChanged(mark.runId);
  }

  byMessage(clientId: string): RunRef | null {
    const runId = this.#runOfMessage.get(clientId);
    return runId === undefined ? null : this.refOf(runId);
  }

  byThread(threadKey: string): RunRef | null {
    const mark = this.#mark(threadKey);
    return mark ? this.refOf(mark.runId) : null;
  }

  refOf(runId: string): RunRef | null {
    const scriptName = this.#options.scriptName(runId);
    return scriptName === null ? null : { runId, scriptName };
  }

  /** In the order in which it has started them: their ids where codex has given them some. */
  threadsOf(runId: string): string[] {
    return [...this.#threads.values()]
      .filter((mark) => mark.runId === runId)
      .map((mark) => mark.threadId ?? mark.threadKey);
  }

  /** From the ledger: at the start, and when runs have been dropped there. */
  reload(): void {
    const { ledger } = this.#options;
    this.#runOfMessage.clear();
    this.#threads.clear();
    this.#keyOfThread.clear();
    for (const { clientId, runId } of ledger.messages()) this.#runOfMessage.set(clientId, runId);
    for (const mark of ledger.threads()) {
      this.#threads.set(mark.threadKey, mark);
      if (mark.threadId !== null) this.#keyOfThread.set(mark.threadId, mark.threadKey);
    }
  }

  /** By its key, its id, or an id that it has had: codex gives it another one when it has forgotten the first. */
  #mark(threadKey: string): ThreadMark | undefined {
    return this.#threads.get(this.#keyOfThread.get(threadKey) ?? threadKey);
  }
}
