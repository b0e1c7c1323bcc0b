// What was begun at executors: written down before it is asked for, and settled after. What is open at the start of Holdfast was
// begun by a run that is over; nobody hears of it any more. It is ended (environments/leftBehind.ts), or its executor does that by
// itself.

import type { Clock } from "../clock";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";
import { readJson, storedJson } from "./storedJson";

/** So many that have ended are kept, for looking into what has happened. */
const keptSessions = 200;
const keptProcesses = 1_000;
/** Between two looks at how many there are. */
const pruneEvery = 100;

export interface LeftProcess {
  processId: string;
  argv: string[];
  /** As a file URI. */
  cwd: string;
  beganAtMs: number;
}

/** A session of a run that is over, with what was open in it. */
export interface LeftSession {
  environmentId: string;
  sessionId: string;
  identity: string;
  /** In the order in which they were begun. */
  processes: LeftProcess[];
}

interface LeftRow extends Omit<LeftProcess, "argv" | "cwd">, Omit<LeftSession, "processes"> {
  argv: string;
  cwd: string | Uint8Array;
}

export class ExecutorRecordsLedger {
  readonly #database: Database;
  readonly #clock: Clock;
  #untilPrune = pruneEvery;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** On the disk when this returns. An executor that is started anew may give a name again that another one has given before. */
  sessionBegan({
    environmentId,
    sessionId,
    identity,
  }: {
    environmentId: string;
    sessionId: string;
    identity: string;
  }): void {
    this.#database.run(
      `INSERT OR REPLACE INTO executor_sessions (sessionId, environmentId, identity, beganAtMs) VALUES (?, ?, ?, ?)`,
      sessionId,
      environmentId,
      identity,
      this.#clock.nowMs(),
    );
  }

  sessionEnded(sessionId: string): void {
    this.#settle(
      "UPDATE executor_sessions SET endedAtMs = ? WHERE sessionId = ? AND endedAtMs IS NULL",
      this.#clock.nowMs(),
      sessionId,
    );
  }

  /** On the disk when this returns. */
  processStarting({
    sessionId,
    processId,
    argv,
    cwd,
  }: {
    sessionId: string;
    processId: string;
    argv: string[];
    cwd: string;
  }): void {
    this.#database.run(
      "INSERT INTO executor_processes (processId, sessionId, argv, cwd, beganAtMs) VALUES (?, ?, ?, ?, ?)",
      processId,
      sessionId,
      storedJson(argv),
      storedText(cwd),
      this.#clock.nowMs(),
    );
  }

  processEnded(processId: string, how: "closed" | "lost" | "not started"): void {
    this.#settle(
      "UPDATE executor_processes SET endedAtMs = ?, outcome = ? WHERE processId = ? AND outcome IS NULL",
      this.#clock.nowMs(),
      how,
      processId,
    );
  }

  /** For the start: whatever is open was lost with the run that began it. Returns the sessions in which processes were open. */
  settleAll(): LeftSession[] {
    const nowMs = this.#clock.nowMs();
    return this.#database.transaction(() => {
      const left = this.#left();
      this.#database.run("UPDATE executor_sessions SET endedAtMs = ? WHERE endedAtMs IS NULL", nowMs);
      this.#database.run(
        "UPDATE executor_processes SET endedAtMs = ?, outcome = 'lost' WHERE outcome IS NULL",
        nowMs,
      );
      this.#prune();
      return left;
    });
  }

  #left(): LeftSession[] {
    const sessions = new Map<string, LeftSession>();
    const rows = this.#database.all<LeftRow>(
      `SELECT environmentId, sessionId, identity, processId, argv, cwd, executor_processes.beganAtMs AS beganAtMs
       FROM executor_processes JOIN executor_sessions USING (sessionId)
       WHERE outcome IS NULL ORDER BY executor_processes.rowid`,
    );
    for (const { environmentId, sessionId, identity, processId, argv, cwd, beganAtMs } of rows) {
      const session = sessions.get(sessionId) ?? { environmentId, sessionId, identity, processes: [] };
      session.processes.push({ processId, argv: readJson<string[]>(argv), cwd: readText(cwd), beganAtMs });
      sessions.set(sessionId, session);
    }
    return [...sessions.values()];
  }

  /** It can be learnt again at the next start that it is over: no flush of its own. */
  #settle(sql: string, ...values: (string | number)[]): void {
    this.#database.relaxed(() => {
      this.#database.run(sql, ...values);
      this.#untilPrune -= 1;
      if (this.#untilPrune <= 0) this.#prune();
    });
  }

  #prune(): void {
    this.#untilPrune = pruneEvery;
    for (const [table, kept] of [
      ["executor_sessions", keptSessions],
      ["executor_processes", keptProcesses],
    ] as const) {
      this.#database.run(
        `DELETE FROM ${table} WHERE rowid IN (
           SELECT rowid FROM ${table} WHERE endedAtMs IS NOT NULL
           ORDER BY endedAtMs DESC, rowid DESC LIMIT -1 OFFSET ${kept}
         )`,
      );
    }
  }
}
