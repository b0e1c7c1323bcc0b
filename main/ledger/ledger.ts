// All tables of one open database. Whoever holds a ledger closes it.

import type { Clock } from "../clock";
import { CellMarksLedger } from "./cellMarksLedger";
import { CellRunsLedger } from "./cellRunsLedger";
import { CellValuesLedger } from "./cellValuesLedger";
import { CleanupsLedger } from "./cleanupsLedger";
import { Database } from "./database";
import { DiscardsLedger } from "./discardsLedger";
import { DraftsLedger } from "./draftsLedger";
import { EnvironmentsLedger } from "./environmentsLedger";
import { EnvironmentTokensLedger } from "./environmentTokensLedger";
import { ExecutorRecordsLedger } from "./executorRecordsLedger";
import { HandlesLedger } from "./handlesLedger";
import { versionOf } from "./migrations";
import { QueueHoldsLedger } from "./queueHoldsLedger";
import { RequestsLedger } from "./requestsLedger";
import { ReviewCommentsLedger } from "./reviewCommentsLedger";
import { RunningItemsLedger } from "./runningItemsLedger";
import { ScriptsLedger } from "./scriptsLedger";
import { SettingsLedger } from "./settingsLedger";
import { SubmissionsLedger } from "./submissionsLedger";
import { TerminalsLedger } from "./terminalsLedger";
import { ThreadEnvironmentsLedger } from "./threadEnvironmentsLedger";
import { ThreadsLedger } from "./threadsLedger";
import { WindowsLedger } from "./windowsLedger";
import { WorkspacesLedger } from "./workspacesLedger";
import { WorktreeSetupsLedger } from "./worktreeSetupsLedger";
import { WorktreeStartsLedger } from "./worktreeStartsLedger";
import { WorktreesLedger } from "./worktreesLedger";

/** Enough for a reader that is just leaving. */
const hurriedMs = 50;
const checkBusyMs = 2_000;

export class Ledger {
  readonly workspaces: WorkspacesLedger;
  readonly threads: ThreadsLedger;
  readonly threadEnvironments: ThreadEnvironmentsLedger;
  readonly drafts: DraftsLedger;
  readonly reviewComments: ReviewCommentsLedger;
  readonly submissions: SubmissionsLedger;
  readonly queueHolds: QueueHoldsLedger;
  readonly settings: SettingsLedger;
  readonly windows: WindowsLedger;
  readonly handles: HandlesLedger;
  readonly cleanups: CleanupsLedger;
  readonly runningItems: RunningItemsLedger;
  readonly requests: RequestsLedger;
  readonly scripts: ScriptsLedger;
  readonly cellRuns: CellRunsLedger;
  readonly cellMarks: CellMarksLedger;
  readonly cellValues: CellValuesLedger;
  readonly worktrees: WorktreesLedger;
  readonly worktreeStarts: WorktreeStartsLedger;
  readonly worktreeSetups: WorktreeSetupsLedger;
  readonly discards: DiscardsLedger;
  readonly environments: EnvironmentsLedger;
  readonly environmentTokens: EnvironmentTokensLedger;
  readonly executorRecords: ExecutorRecordsLedger;
  readonly terminals: TerminalsLedger;
  readonly #database: Database;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.workspaces = new WorkspacesLedger(database, clock);
    this.threads = new ThreadsLedger(database, clock);
    this.threadEnvironments = new ThreadEnvironmentsLedger(database);
    this.drafts = new DraftsLedger(database, clock);
    this.reviewComments = new ReviewCommentsLedger(database, clock);
    this.submissions = new SubmissionsLedger(database, clock);
    this.queueHolds = new QueueHoldsLedger(database, clock);
    this.settings = new SettingsLedger(database);
    this.windows = new WindowsLedger(database);
    this.handles = new HandlesLedger(database, clock);
    this.cleanups = new CleanupsLedger(database, clock);
    this.runningItems = new RunningItemsLedger(database, clock);
    this.requests = new RequestsLedger(database, clock);
    this.scripts = new ScriptsLedger(database, clock);
    this.cellRuns = new CellRunsLedger(database, clock);
    this.cellMarks = new CellMarksLedger(database);
    this.cellValues = new CellValuesLedger(database);
    this.worktrees = new WorktreesLedger(database, clock);
    this.worktreeStarts = new WorktreeStartsLedger(database, clock);
    this.worktreeSetups = new WorktreeSetupsLedger(database);
    this.discards = new DiscardsLedger(database, clock);
    this.environments = new EnvironmentsLedger(database, clock);
    this.environmentTokens = new EnvironmentTokensLedger(database);
    this.executorRecords = new ExecutorRecordsLedger(database, clock);
    this.terminals = new TerminalsLedger(database, clock);
  }

  get path(): string {
    return this.#database.path;
  }

  /** What is in it, by table. */
  contents(): { version: number; tables: { name: string; rows: number }[] } {
    const names = this.#database.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name",
    );
    const tables = names.map(({ name }) => {
      // A name of ours, out of the file's own schema.
      const counted = this.#database.get<{ rows: number }>(
        `SELECT count(*) AS rows FROM "${name.replaceAll('"', '""')}"`,
      );
      return { name, rows: counted?.rows ?? 0 };
    });
    return { version: versionOf(this.#database), tables };
  }

  /**
   * What is wrong with the file; empty: nothing. Every page is read, over a connection of its own that changes nothing; this
   * process waits meanwhile, as it does at each start.
   */
  check(): string[] {
    const reader = new Database(this.path, { busyTimeoutMs: checkBusyMs, readOnly: true });
    try {
      const problems = reader
        .all<{ integrity_check: string }>("PRAGMA integrity_check(100)")
        .map((row) => row.integrity_check);
      return problems.length === 1 && problems[0] === "ok" ? [] : problems;
    } finally {
      reader.close();
    }
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
