// Every process tree that Holdfast means to start, has started, or still has to end.
//
//   intended -> running -> closing -> gone
//                              \-> retired -> gone
//
// Race: Holdfast dies between the spawn and the recording of its facts. The intent, with the marker that the process
// carries in its environment, was on the disk before: the next start finds the process by the marker.
// Nothing leaves `gone`, so a pid that has been given to a stranger since is never looked for again.

import type { Clock } from "../clock";
import { Fault } from "../fault";
import type { Database } from "./database";
import { readJson, storedJson } from "./storedJson";

export type HandleState = "intended" | "running" | "closing" | "retired" | "gone";

/** Never the environment: it may hold secrets. */
export interface HandleCommand {
  file: string;
  args: string[];
  workingDirectory: string;
}

export interface HandleExit {
  code: number | null;
  signal: string | null;
}

/** How a process is reached. Never a secret: the token of a loopback connection is in a private file. */
export type HandleChannel =
  | { kind: "socket"; path: string }
  | { kind: "loopback"; tokenFile: string }
  /** Its input and output: it ends with the app. */
  | { kind: "stdio" };

export interface HandleIntent {
  handleId: string;
  sessionId: string;
  workspaceId: string;
  profileId: string;
  /** The value of the ownership marker in the environment of everything that belongs to the handle. */
  marker: string;
  command: HandleCommand;
  channel: HandleChannel;
  /** What the launch profile has to undo when the process is gone; null: nothing. */
  teardown: unknown;
  logPath: string | null;
}

export interface HandleFacts {
  pid: number;
  /** As the operating system gives it; says whether a pid still means the same process. */
  startTime: string;
  processGroup: number | null;
}

export interface HandleRecord extends HandleIntent {
  state: HandleState;
  /** Null: the process was not started, or Holdfast died before it could write down which it was. */
  facts: HandleFacts | null;
  intendedAtMs: number;
  startedAtMs: number | null;
  endedAtMs: number | null;
  exit: HandleExit | null;
}

interface Row extends Omit<HandleRecord, "command" | "exit" | "facts" | "channel" | "teardown"> {
  command: string;
  /** Of version 1, which had no channel. */
  socketPath: string | null;
  channel: string | null;
  teardown: string | null;
  exit: string | null;
  pid: number | null;
  startTime: string | null;
  processGroup: number | null;
}

const columns = `handleId, sessionId, workspaceId, profileId, marker, state, command, socketPath, channel, teardown, logPath, pid,
  startTime, processGroup, intendedAtMs, startedAtMs, endedAtMs, exit`;

const next: Record<HandleState, readonly HandleState[]> = {
  intended: ["running", "closing", "retired", "gone"],
  running: ["closing", "retired", "gone"],
  closing: ["retired", "gone"],
  retired: ["gone"],
  gone: [],
};

export class HandlesLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Before the spawn; on the disk when this returns. */
  intend(intent: HandleIntent): void {
    this.#database.run(
      `INSERT INTO handles
         (handleId, sessionId, workspaceId, profileId, marker, state, command, socketPath, channel, teardown,
          logPath, intendedAtMs)
       VALUES (?, ?, ?, ?, ?, 'intended', ?, ?, ?, ?, ?, ?)`,
      intent.handleId,
      intent.sessionId,
      intent.workspaceId,
      intent.profileId,
      intent.marker,
      storedJson(intent.command),
      intent.channel.kind === "socket" ? intent.channel.path : null,
      storedJson(intent.channel),
      intent.teardown === null ? null : storedJson(intent.teardown),
      intent.logPath,
      this.#clock.nowMs(),
    );
  }

  get(handleId: string): HandleRecord | null {
    const row = this.#database.get<Row>(`SELECT ${columns} FROM handles WHERE handleId = ?`, handleId);
    return row && read(row);
  }

  /** No process was ever started with this ledger. */
  get isEmpty(): boolean {
    return this.#database.get("SELECT 1 FROM handles LIMIT 1") === null;
  }

  /** Oldest first. */
  listNotGone(): HandleRecord[] {
    return this.#database
      .all<Row>(`SELECT ${columns} FROM handles WHERE state <> 'gone' ORDER BY intendedAtMs, rowid`)
      .map(read);
  }

  // Each of these throws Fault `handle_transition` when the state does not allow it, and `handle_unknown`. They return
  // false when the handle was in that state already.

  /** Right after the spawn. */
  started(handleId: string, facts: HandleFacts): boolean {
    return this.#move(handleId, "running", (nowMs) => {
      this.#database.run(
        "UPDATE handles SET pid = ?, startTime = ?, processGroup = ?, startedAtMs = ? WHERE handleId = ?",
        facts.pid,
        facts.startTime,
        facts.processGroup,
        nowMs,
        handleId,
      );
    });
  }

  /** What its launch owed is done, or on record as a cleanup of its own. */
  tornDown(handleId: string): void {
    this.#database.run("UPDATE handles SET teardown = NULL WHERE handleId = ?", handleId);
  }

  closing(handleId: string): boolean {
    return this.#move(handleId, "closing");
  }

  /** Closing it has failed: it is not used any more, and still owned. */
  retired(handleId: string): boolean {
    return this.#move(handleId, "retired");
  }

  /** Nothing of its tree is left. `exit` is null when nobody saw how it ended. */
  gone(handleId: string, exit: HandleExit | null): boolean {
    return this.#move(handleId, "gone", (nowMs) => {
      this.#database.run(
        "UPDATE handles SET endedAtMs = ?, exit = ? WHERE handleId = ?",
        nowMs,
        exit && storedJson(exit),
        handleId,
      );
    });
  }

  #move(handleId: string, to: HandleState, alsoWrite?: (nowMs: number) => void): boolean {
    return this.#database.transaction(() => {
      const row = this.#database.get<{ state: HandleState }>(
        "SELECT state FROM handles WHERE handleId = ?",
        handleId,
      );
      if (!row) {
        throw new Fault("handle_unknown", "Holdfast has no record of this process.", { detail: handleId });
      }
      if (row.state === to) return false;
      if (!next[row.state].includes(to)) {
        throw new Fault("handle_transition", `A process that is ${row.state} cannot become ${to}.`, {
          detail: handleId,
        });
      }
      this.#database.run("UPDATE handles SET state = ? WHERE handleId = ?", to, handleId);
      alsoWrite?.(this.#clock.nowMs());
      return true;
    });
  }
}

function read(row: Row): HandleRecord {
  const { command, exit, pid, startTime, processGroup, socketPath, channel, teardown, ...rest } = row;
  return {
    ...rest,
    command: readJson<HandleCommand>(command),
    channel: readChannel(channel, socketPath),
    teardown: teardown === null ? null : readJson<unknown>(teardown),
    exit: exit === null ? null : readJson<HandleExit>(exit),
    facts: pid === null || startTime === null ? null : { pid, startTime, processGroup },
  };
}

/** One that cannot be read is like one that ends with the app: the process is not gone on with, and is ended. */
function readChannel(channel: string | null, socketPath: string | null): HandleChannel {
  // Version 1 had no channels.
  if (channel === null) return socketPath === null ? { kind: "stdio" } : { kind: "socket", path: socketPath };
  const stored = readJson<Partial<Record<"kind" | "path" | "tokenFile", unknown>> | null>(channel);
  if (stored?.kind === "socket" && typeof stored.path === "string")
    return { kind: "socket", path: stored.path };
  if (stored?.kind === "loopback" && typeof stored.tokenFile === "string") {
    return { kind: "loopback", tokenFile: stored.tokenFile };
  }
  return { kind: "stdio" };
}
