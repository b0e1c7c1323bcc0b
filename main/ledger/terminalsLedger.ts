// Terminals on this machine that may have something running: written down before they are started, struck off when nothing of
// them is left. What is on record at the start of Holdfast was left by a run that is over.

import type { Clock } from "../clock";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";

export interface TerminalIntent {
  terminalId: string;
  workspaceId: string;
  /** As it was typed; null: the shell itself. */
  command: string | null;
  cwd: string;
}

export interface TerminalRecord extends TerminalIntent {
  /** What was started first; null: Holdfast went away before it knew. */
  leader: { pid: number; startTime: string } | null;
  beganAtMs: number;
}

interface Row {
  terminalId: string;
  workspaceId: string;
  command: string | Uint8Array | null;
  cwd: string | Uint8Array;
  leaderPid: number | null;
  leaderStartTime: string | null;
  beganAtMs: number;
}

export class TerminalsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** On the disk when this returns. */
  starting({ terminalId, workspaceId, command, cwd }: TerminalIntent): void {
    this.#database.run(
      "INSERT INTO terminals (terminalId, workspaceId, command, cwd, beganAtMs) VALUES (?, ?, ?, ?, ?)",
      terminalId,
      workspaceId,
      command === null ? null : storedText(command),
      storedText(cwd),
      this.#clock.nowMs(),
    );
  }

  /** It is known which process it is. */
  ledBy(terminalId: string, { pid, startTime }: { pid: number; startTime: string }): void {
    this.#database.run(
      "UPDATE terminals SET leaderPid = ?, leaderStartTime = ? WHERE terminalId = ?",
      pid,
      startTime,
      terminalId,
    );
  }

  /** Nothing of it is left. It can be learnt again at the next start: no flush of its own. */
  gone(terminalId: string): void {
    this.#database.relaxed(() => {
      this.#database.run("DELETE FROM terminals WHERE terminalId = ?", terminalId);
    });
  }

  /** In the order in which they were begun. */
  list(): TerminalRecord[] {
    return this.#database
      .all<Row>("SELECT * FROM terminals ORDER BY beganAtMs, rowid")
      .map(({ leaderPid, leaderStartTime, command, cwd, ...row }) => ({
        ...row,
        command: command === null ? null : readText(command),
        cwd: readText(cwd),
        leader:
          leaderPid === null || leaderStartTime === null
            ? null
            : { pid: leaderPid, startTime: leaderStartTime },
      }));
  }
}
