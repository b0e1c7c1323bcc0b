// What runs have done to threads: the threads that each has started and the messages that it has sent. It goes with the run.

import type { Database } from "./database";

export interface ThreadMark {
  /** The thread's id, or its provisional key before codex has named it. */
  threadKey: string;
  threadId: string | null;
  runId: string;
}

export class CellMarksLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A message belongs to the run that has sent it first. */
  addMessage(runId: string, clientId: string): void {
    this.#database.run(
      "INSERT INTO cell_messages (clientId, runId) VALUES (?, ?) ON CONFLICT (clientId) DO NOTHING",
      clientId,
      runId,
    );
  }

  /** A thread belongs to the run that has started it first. */
  addThread(runId: string, threadKey: string): void {
    this.#database.run(
      "INSERT INTO cell_threads (threadKey, runId) VALUES (?, ?) ON CONFLICT (threadKey) DO NOTHING",
      threadKey,
      runId,
    );
  }

  nameThread(threadKey: string, threadId: string): void {
    this.#database.run("UPDATE cell_threads SET threadId = ? WHERE threadKey = ?", threadId, threadKey);
  }

  messages(): { clientId: string; runId: string }[] {
    return this.#database.all("SELECT clientId, runId FROM cell_messages");
  }

  /** In the order in which they were started. */
  threads(): ThreadMark[] {
    return this.#database.all("SELECT threadKey, threadId, runId FROM cell_threads ORDER BY rowid");
  }
}
