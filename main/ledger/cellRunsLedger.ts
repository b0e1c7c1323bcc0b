// The runs of scripts: each is written down before it starts, with what it writes and what it asks for as that comes. The
// beginning and the end of a run are on the disk before anything follows from them; what lies between is written relaxed,
// since it comes often and only the death of the machine itself can take the last of it.

import type { RunCall, RunError, RunOutputItem, RunRow } from "../../preload/contract/cells";
import type { Clock } from "../clock";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";
import { readJson, storedJson } from "./storedJson";

export interface NewRun {
  runId: string;
  /** null: its script is none that was saved. */
  scriptId: string | null;
  scriptName: string;
  source: string;
  workspaceId: string;
  workspaceName: string;
}

export type RunEnd = "completed" | "failed" | "stopped" | "cut off";

export interface RunRecord extends Omit<RunRow, "state"> {
  state: "running" | RunEnd;
}

type Stored<Record, Texts extends keyof Record> = Omit<Record, Texts> & {
  [Name in Texts]: Record[Name] extends string ? string | Uint8Array : string | Uint8Array | null;
};
type Row = Stored<RunRecord, "scriptName" | "workspaceName">;
type CallRow = Stored<RunCall, "summary" | "error">;

/** So many that have ended are kept, and of these the newest whose output is no more than so much together. */
const keptRuns = 200;
const keptOutputBytes = 512 * 1024 * 1024;
const rowCharacters = 32 * 1024;

const columns = "runId, scriptId, scriptName, workspaceId, workspaceName, state, startedAtMs, endedAtMs";
const callColumns = "callId, tool, summary, threadId, state, error, startedAtMs, endedAtMs";

export class CellRunsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  start(run: NewRun): RunRecord {
    const startedAtMs = this.#clock.nowMs();
    this.#database.run(
      `INSERT INTO cell_runs (runId, scriptId, scriptName, source, workspaceId, workspaceName, state, startedAtMs)
       VALUES (?, ?, ?, ?, ?, ?, 'running', ?)`,
      run.runId,
      run.scriptId,
      storedText(run.scriptName),
      storedText(run.source),
      run.workspaceId,
      storedText(run.workspaceName),
      startedAtMs,
    );
    const { source: _, ...rest } = run;
    return { ...rest, state: "running", startedAtMs, endedAtMs: null };
  }

  /** `from`: the number of the first of these items. Those that are kept already are left as they are. */
  addOutput(runId: string, from: number, items: readonly RunOutputItem[]): void {
    this.#database.relaxed(() => this.#addOutput(runId, from, items));
  }

  /**
   * Its last output and its end in one. Calls that were not answered are cut off. What has ended already keeps the end that
   * it has.
   */
  end(
    runId: string,
    end: { state: RunEnd; error: RunError | null; from: number; output: readonly RunOutputItem[] },
  ): void {
    const nowMs = this.#clock.nowMs();
    this.#database.transaction(() => {
      this.#addOutput(runId, end.from, end.output);
      this.#database.run(
        `UPDATE cell_calls SET state = 'cut off', endedAtMs = ? WHERE runId = ? AND state = 'pending'`,
        nowMs,
        runId,
      );
      this.#database.run(
        `UPDATE cell_runs SET state = ?, error = ?, endedAtMs = ? WHERE runId = ? AND state = 'running'`,
        end.state,
        end.error && storedJson(end.error),
        nowMs,
        runId,
      );
    });
  }

  /** Nothing runs any more that an earlier life of Holdfast has started. */
  cutOffRunning(): void {
    const nowMs = this.#clock.nowMs();
    this.#database.transaction(() => {
      this.#database.run(
        `UPDATE cell_calls SET state = 'cut off', endedAtMs = ?
         WHERE state = 'pending' AND runId IN (SELECT runId FROM cell_runs WHERE state = 'running')`,
        nowMs,
      );
      this.#database.run(
        "UPDATE cell_runs SET state = 'cut off', endedAtMs = ? WHERE state = 'running'",
        nowMs,
      );
    });
  }

  putCall(runId: string, call: RunCall): void {
    this.#database.relaxed(() =>
      this.#database.run(
        `INSERT INTO cell_calls (runId, ${callColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (runId, callId) DO UPDATE SET
           threadId = excluded.threadId, state = excluded.state, error = excluded.error, endedAtMs = excluded.endedAtMs`,
        runId,
        call.callId,
        call.tool,
        storedText(call.summary),
        call.threadId,
        call.state,
        call.error === null ? null : storedText(call.error),
        call.startedAtMs,
        call.endedAtMs,
      ),
    );
  }

  /** Answered calls before this one are of no use any more. */
  dropCallsBefore(runId: string, callId: number): void {
    this.#database.relaxed(() =>
      this.#database.run(
        "DELETE FROM cell_calls WHERE runId = ? AND callId < ? AND state <> 'pending'",
        runId,
        callId,
      ),
    );
  }

  /** The newest first. */
  list(): RunRecord[] {
    return this.#database
      .all<Row>(`SELECT ${columns} FROM cell_runs ORDER BY sequence DESC`)
      .map((row) => read(row));
  }

  get(runId: string): { record: RunRecord; source: string; error: RunError | null } | null {
    const row = this.#database.get<Row & { source: string | Uint8Array; error: string | null }>(
      `SELECT ${columns}, source, error FROM cell_runs WHERE runId = ?`,
      runId,
    );
    if (!row) return null;
    const { source, error, ...rest } = row;
    return {
      record: read(rest),
      source: readText(source),
      error: error === null ? null : readJson<RunError>(error),
    };
  }

  /**
   * The end of the output before item number `before`, about as many items as have `mostBytes` together, but one at least;
   * `from` is the number of the first.
   */
  outputBefore(
    runId: string,
    before: number,
    mostBytes: number,
  ): { items: RunOutputItem[]; from: number; total: number } {
    const total = this.#outputCount(runId);
    const end = Math.min(before, total);
    const rows = this.#database.all<{ position: number; items: string }>(
      `SELECT position, items FROM (
         SELECT position, items, row_number() OVER backwards AS place, sum(bytes) OVER backwards AS bytes
         FROM cell_output WHERE runId = ? AND position < ?
         WINDOW backwards AS (ORDER BY position DESC)
       ) WHERE place = 1 OR bytes <= ? ORDER BY position`,
      runId,
      end,
      mostBytes,
    );
    const from = rows[0]?.position ?? 0;
    const items = rows.flatMap((row) => readJson<RunOutputItem[]>(row.items)).slice(0, end - from);
    return { items, from, total };
  }

  /** The newest calls in the order in which they were made, and how many there were before those. */
  lastCalls(runId: string, most: number): { calls: RunCall[]; earlier: number } {
    const calls = this.#database
      .all<CallRow>(
        `SELECT ${callColumns} FROM cell_calls WHERE runId = ? ORDER BY callId DESC LIMIT ?`,
        runId,
        most,
      )
      .map((row) => ({
        ...row,
        summary: readText(row.summary),
        error: row.error === null ? null : readText(row.error),
      }))
      .reverse();
    return { calls, earlier: (calls[0]?.callId ?? 1) - 1 };
  }

  /** With everything of them; those that run are left. */
  forget(runIds: readonly string[]): void {
    this.#database.transaction(() => {
      for (const runId of runIds) {
        this.#database.run("DELETE FROM cell_runs WHERE runId = ? AND state <> 'running'", runId);
      }
    });
  }

  /** Takes away the oldest of those that have ended; whether there were any. */
  prune(): boolean {
    return pruneRuns(this.#database) > 0;
  }

  #addOutput(runId: string, from: number, items: readonly RunOutputItem[]): void {
    let position = this.#outputCount(runId);
    let added = 0;
    for (const row of rowsOf(items.slice(Math.max(0, position - from)))) {
      const json = storedJson(row);
      const bytes = Buffer.byteLength(json);
      this.#database.run(
        "INSERT INTO cell_output (runId, position, count, items, bytes) VALUES (?, ?, ?, ?, ?)",
        runId,
        position,
        row.length,
        json,
        bytes,
      );
      position += row.length;
      added += bytes;
    }
    if (added > 0) {
      this.#database.run("UPDATE cell_runs SET outputBytes = outputBytes + ? WHERE runId = ?", added, runId);
    }
  }

  #outputCount(runId: string): number {
    const last = this.#database.get<{ position: number; count: number }>(
      "SELECT position, count FROM cell_output WHERE runId = ? ORDER BY position DESC LIMIT 1",
      runId,
    );
    return last ? last.position + last.count : 0;
  }
}

/** Few rows for many small items, and none so large that reading a few items of it would take long. */
function rowsOf(items: readonly RunOutputItem[]): RunOutputItem[][] {
  const rows: RunOutputItem[][] = [];
  let characters = rowCharacters;
  for (const item of items) {
    if (characters >= rowCharacters) {
      rows.push([]);
      characters = 0;
    }
    rows.at(-1)?.push(item);
    characters += (item.type === "image" ? item.dataUrl : item.text).length + 30;
  }
  return rows;
}

/** Removes the oldest runs that have ended, with everything of them; returns how many. */
export function pruneRuns(database: Database): number {
  return database.relaxed(() =>
    database.run(
      `DELETE FROM cell_runs WHERE sequence IN (
         SELECT sequence FROM (
           SELECT sequence, row_number() OVER newestFirst AS place, sum(outputBytes) OVER newestFirst AS bytes
           FROM cell_runs WHERE state <> 'running'
           WINDOW newestFirst AS (ORDER BY sequence DESC)
         ) WHERE place > 1 AND (place > ? OR bytes > ?)
       )`,
      keptRuns,
      keptOutputBytes,
    ),
  );
}

function read(row: Row): RunRecord {
  return { ...row, scriptName: readText(row.scriptName), workspaceName: readText(row.workspaceName) };
}
