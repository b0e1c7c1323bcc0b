// All tables of one open database. Whoever holds a ledger closes it.

import type { Clock } from "../clock";
import { CleanupsLedger } from "./cleanupsLedger";
import type { Database } from "./database";
import { DraftsLedger } from "./draftsLedger";
import { HandlesLedger } from "./handlesLedger";
import { RequestsLedger } from "./requestsLedger";
import { RunningItemsLedger } from "./runningItemsLedger";
import { SettingsLedger } from "./settingsLedger";
import { SubmissionsLedger } from "./submissionsLedger";
import { ThreadsLedger } from "./threadsLedger";
import { WindowsLedger } from "./windowsLedger";
import { WorkspacesLedger } from "./workspacesLedger";

/** Enough for a reader that is just leaving. */
const hurriedMs = 50;

export class Ledger {
  readonly workspaces: WorkspacesLedger;
  readonly threads: ThreadsLedger;
  readonly drafts: DraftsLedger;
  readonly submissions: SubmissionsLedger;
  readonly settings: SettingsLedger;
  readonly windows: WindowsLedger;
  readonly handles: HandlesLedger;
  readonly cleanups: CleanupsLedger;
  readonly runningItems: RunningItemsLedger;
  readonly requests: RequestsLedger;
  readonly #database: Database;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.workspaces = new WorkspacesLedger(database, clock);
    this.threads = new ThreadsLedger(database, clock);
    this.drafts = new DraftsLedger(database, clock);
    this.submissions = new SubmissionsLedger(database, clock);
    this.settings = new SettingsLedger(database);
    this.windows = new WindowsLedger(database);
    this.handles = new HandlesLedger(database, clock);
    this.cleanups = new CleanupsLedger(database, clock);
    this.runningItems = new RunningItemsLedger(database, clock);
    this.requests = new RequestsLedger(database, clock);
  }

  get path(): string {
    return this.#database.path;
  }

  /** Everything that `task` writes through this ledger is kept, or nothing of it. `task` must not wait for anything. */
  transaction<Result>(task: () => Result): Result {
    return this.#database.transaction(task);
  }

  /** From now on no write waits for another process: the app ends, and a wait would hold up all of it. */
  hurry(): void {
    this.#database.exec(`PRAGMA busy_timeout = ${hurriedMs}`);
  }

  /**
   * Brings everything into the one file and closes it. Every later use is the Fault `ledger_closed`. Safe to call twice;
   * waits for no other process.
   */
  close(): void {
    if (!this.#database.isOpen) return;
    try {
      this.#database.exec("PRAGMA busy_timeout = 0");
      this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // Nothing is lost: what could not be brought into the file (a full disk) is read from its log at the next start.
    }
    this.#database.close();
  }
}
