// What codex asked, and what was decided. Each request gets one answer: the first.
//
//   waiting -> answered -> resolved
//        \---------\-----> withdrawn
//
// Races, and what settles each:
// - Two windows answer at once: only a waiting request can be answered, the second `answer` is told so.
// - The connection drops and codex asks again with the same id: `receive` finds the record. If it was answered, the
//   answer is there to be sent again, and nobody is asked twice.
// - The same id for something else: an id is unique on one process only, so records belong to a handle; and a request
//   about something else, or whose record has ended, is a new one and never inherits an answer.

import type { Clock } from "../clock";
import { Fault } from "../fault";
import type { Database } from "./database";
import { readJson, storedJson } from "./storedJson";

export type RequestState = "waiting" | "answered" | "resolved" | "withdrawn";

export interface ReceivedRequest {
  handleId: string;
  /** 0 and "0" are two ids. */
  requestId: string | number;
  threadId: string | null;
  method: string;
  params: unknown;
}

export interface RequestRecord extends ReceivedRequest {
  state: RequestState;
  /** Undefined: not answered. */
  answer: unknown;
  askedAtMs: number;
  answeredAtMs: number | null;
  endedAtMs: number | null;
}

interface Row extends Omit<RequestRecord, "requestId" | "params" | "answer"> {
  requestId: string;
  params: string;
  answer: string | null;
}

const columns =
  "handleId, requestId, threadId, method, params, state, answer, askedAtMs, answeredAtMs, endedAtMs";

export class RequestsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Records it, or finds it when codex asks again; the record says whether it is answered already. */
  receive(request: ReceivedRequest): RequestRecord {
    return this.#database.transaction(() => {
      const known = this.get(request.handleId, request.requestId);
      if (known && isSame(known, request)) return known;
      this.#database.run(
        "DELETE FROM requests WHERE handleId = ? AND requestId = ?",
        request.handleId,
        storedJson(request.requestId),
      );
      this.#database.run(
        `INSERT INTO requests (handleId, requestId, threadId, method, params, state, askedAtMs)
         VALUES (?, ?, ?, ?, ?, 'waiting', ?)`,
        request.handleId,
        storedJson(request.requestId),
        request.threadId,
        request.method,
        storedJson(request.params ?? null),
        this.#clock.nowMs(),
      );
      return this.#known(request.handleId, request.requestId);
    });
  }

  get(handleId: string, requestId: string | number): RequestRecord | null {
    const row = this.#database.get<Row>(
      `SELECT ${columns} FROM requests WHERE handleId = ? AND requestId = ?`,
      handleId,
      storedJson(requestId),
    );
    return row && read(row);
  }

  /** Waiting or answered, in the order in which they were asked. */
  listOpen(handleId: string): RequestRecord[] {
    return this.#database
      .all<Row>(
        `SELECT ${columns} FROM requests WHERE handleId = ? AND state IN ('waiting', 'answered') ORDER BY sequence`,
        handleId,
      )
      .map(read);
  }

  /** Of this thread, what was asked and has never been answered, in the order in which it was. */
  listUnanswered(threadId: string): RequestRecord[] {
    return this.#database
      .all<Row>(
        `SELECT ${columns} FROM requests
         WHERE threadId = ? AND state IN ('waiting', 'withdrawn') AND answer IS NULL ORDER BY sequence`,
        threadId,
      )
      .map(read);
  }

  /** On the disk before it is sent. False: it does not wait for an answer any more, and nothing was changed. */
  answer(handleId: string, requestId: string | number, answer: unknown): boolean {
    return (
      this.#database.run(
        `UPDATE requests SET state = 'answered', answer = ?, answeredAtMs = ?
         WHERE handleId = ? AND requestId = ? AND state = 'waiting'`,
        storedJson(answer),
        this.#clock.nowMs(),
        handleId,
        storedJson(requestId),
      ) === 1
    );
  }

  /** codex has its answer, from here or from elsewhere. False: it had ended already. */
  resolved(handleId: string, requestId: string | number): boolean {
    return this.#end(handleId, requestId, "resolved");
  }

  /** codex does not wait for it any more. False: it had ended already. */
  withdrawn(handleId: string, requestId: string | number): boolean {
    return this.#end(handleId, requestId, "withdrawn");
  }

  /** The process is gone, and with it all that it waited for. Returns how many that were. */
  withdrawAll(handleId: string): number {
    return this.#database.run(
      `UPDATE requests SET state = 'withdrawn', endedAtMs = ?
       WHERE handleId = ? AND state IN ('waiting', 'answered')`,
      this.#clock.nowMs(),
      handleId,
    );
  }

  #end(handleId: string, requestId: string | number, state: "resolved" | "withdrawn"): boolean {
    return (
      this.#database.run(
        `UPDATE requests SET state = ?, endedAtMs = ?
         WHERE handleId = ? AND requestId = ? AND state IN ('waiting', 'answered')`,
        state,
        this.#clock.nowMs(),
        handleId,
        storedJson(requestId),
      ) === 1
    );
  }

  #known(handleId: string, requestId: string | number): RequestRecord {
    const record = this.get(handleId, requestId);
    if (!record) throw new Fault("request_unknown", "Holdfast has no record of this request.");
    return record;
  }
}

function isSame(known: RequestRecord, request: ReceivedRequest): boolean {
  const open = known.state === "waiting" || known.state === "answered";
  return (
    open &&
    known.method === request.method &&
    known.threadId === request.threadId &&
    subjectOf(known.params) === subjectOf(request.params)
  );
}

/** What a request is about, in the fields that codex's requests have in common. */
function subjectOf(params: unknown): string {
  const fields: Record<string, unknown> = typeof params === "object" && params !== null ? { ...params } : {};
  return storedJson([fields.turnId ?? null, fields.itemId ?? null, fields.approvalId ?? null]);
}

function read(row: Row): RequestRecord {
  return {
    ...row,
    requestId: readJson<string | number>(row.requestId),
    params: readJson<unknown>(row.params),
    answer: row.answer === null ? undefined : readJson<unknown>(row.answer),
  };
}
