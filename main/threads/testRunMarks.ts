// For tests: what runs have done to threads, in memory.

import type { RunRef } from "../../preload/contract/cells";
import type { ThreadRunMarks } from "./runMarks";

export class TestRunMarks implements ThreadRunMarks {
  /** By client id, the run that has sent it. */
  readonly messages = new Map<string, string>();
  /** By key and by id, the run that has started it. */
  readonly threads = new Map<string, string>();

  message(runId: string, clientId: string): void {
    this.messages.set(clientId, runId);
  }

  threadNamed(threadKey: string, threadId: string): void {
    const runId = this.threads.get(threadKey);
    if (runId !== undefined) this.threads.set(threadId, runId);
  }

  byMessage(clientId: string): RunRef | null {
    return this.#ref(this.messages.get(clientId));
  }

  byThread(threadKey: string): RunRef | null {
    return this.#ref(this.threads.get(threadKey));
  }

  nameOf(runId: string): string {
    return `Script of ${runId}`;
  }

  #ref(runId: string | undefined): RunRef | null {
    return runId === undefined ? null : { runId, scriptName: this.nameOf(runId) };
  }
}
