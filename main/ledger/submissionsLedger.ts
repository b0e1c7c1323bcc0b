// What a person sent, recorded before it leaves and settled when codex is known to have it, or not to have it.
//
//   recorded -> sending -> sent -> delivered
//
// `sent`: codex answered; only `delivered` (its userMessage with our client id was seen) proves that it was kept.
// `undelivered`: known not to be kept; shown with its text, can be sent again or taken back.
// `recorded` with a place: a follow-up that waits here, since codex has no queue. It leaves by the ways of all others.
//
// Races, and what settles each:
// - Two Enters in one tick, or one window's message twice: the client id is unique, the second `record` changes nothing.
// - The userMessage overtakes the answer, or the answer is an error all the same: `delivered` can be reached from every
//   state, and a later `sent` or `undelivered` leaves it, since what was seen outweighs what is believed.
// - It was held to be lost, shown as undelivered or even taken back, and is seen after all: `delivered` again. Sending
//   it once more is then refused, so that it cannot run twice.
// - A follow-up is taken out of codex's queue to be steered into the running turn: `sending` again before it is taken out,
//   so that after a crash in between it is looked for in both places.

import type { Attachment } from "../../preload/contract/items";
import type { ThreadSettings } from "../../preload/contract/thread";
import type { Clock } from "../clock";
import { Fault } from "../fault";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";
import { readFault, readJson, storedFault, storedJson } from "./storedJson";

export type SubmissionKind = "turn" | "steer" | "queue";
export type SubmissionState = "recorded" | "sending" | "sent" | "delivered" | "undelivered" | "discarded";

export interface NewSubmission {
  /** Made once, by whoever the person pressed Send in. */
  clientId: string;
  /** The thread's id, or its provisional key while codex has not made it. */
  threadKey: string;
  threadId: string | null;
  workspaceId: string;
  profileId: string;
  kind: SubmissionKind;
  text: string;
  attachments: Attachment[];
  settings: ThreadSettings;
}

export interface SubmissionRecord extends NewSubmission {
  /** Grows with each submission: their order. */
  sequence: number;
  state: SubmissionState;
  turnId: string | null;
  /** Where it waits in the ledger's queue, lowest first; null: it does not. */
  place: number | null;
  /** Why it is undelivered. */
  fault: Fault | null;
  createdAtMs: number;
  updatedAtMs: number;
  /** When it was delivered or discarded. */
  settledAtMs: number | null;
}

interface Row extends Omit<SubmissionRecord, "text" | "attachments" | "settings" | "fault"> {
  text: string | Uint8Array;
  attachments: string;
  settings: string;
  fault: string | null;
}

const columns = `sequence, clientId, threadKey, threadId, workspaceId, profileId, kind, text, attachments, settings,
  state, turnId, place, fault, createdAtMs, updatedAtMs, settledAtMs`;
const open = "state NOT IN ('delivered', 'discarded')";

/** Where each state can go; staying is always possible and changes nothing. */
const next: Record<SubmissionState, readonly SubmissionState[]> = {
  recorded: ["sending", "delivered", "undelivered", "discarded"],
  sending: ["recorded", "sent", "delivered", "undelivered", "discarded"],
  sent: ["sending", "delivered", "undelivered", "discarded"],
  undelivered: ["sending", "delivered", "discarded"],
  discarded: ["delivered"],
  delivered: [],
};

export class SubmissionsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** On the disk when this returns. False: this client id is recorded already, whatever has become of it. */
  record(submission: NewSubmission): boolean {
    const nowMs = this.#clock.nowMs();
    const inserted = this.#database.run(
      `INSERT INTO submissions
         (clientId, threadKey, threadId, workspaceId, profileId, kind, text, attachments, settings, state,
          createdAtMs, updatedAtMs)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'recorded', ?, ?) ON CONFLICT (clientId) DO NOTHING`,
      submission.clientId,
      submission.threadKey,
      submission.threadId,
      submission.workspaceId,
      submission.profileId,
      submission.kind,
      storedText(submission.text),
      storedJson(submission.attachments),
      storedJson(submission.settings),
      nowMs,
      nowMs,
    );
    return inserted === 1;
  }

  get(clientId: string): SubmissionRecord | null {
    const row = this.#database.get<Row>(`SELECT ${columns} FROM submissions WHERE clientId = ?`, clientId);
    return row && read(row);
  }

  /** Neither delivered nor discarded, in the order in which they were sent. */
  listOpen(): SubmissionRecord[] {
    return this.#database
      .all<Row>(`SELECT ${columns} FROM submissions WHERE ${open} ORDER BY sequence`)
      .map(read);
  }

  listOpenOf(threadKey: string): SubmissionRecord[] {
    return this.#database
      .all<Row>(
        `SELECT ${columns} FROM submissions WHERE threadKey = ? AND ${open} ORDER BY sequence`,
        threadKey,
      )
      .map(read);
  }

  /** codex has named the thread: its submissions go by its id from now on. */
  nameThread(threadKey: string, threadId: string): void {
    this.#database.run(
      "UPDATE submissions SET threadKey = ?, threadId = ? WHERE threadKey = ?",
      threadId,
      threadId,
      threadKey,
    );
  }

  // Each of these throws Fault `submission_transition` when the state does not allow it, and `submission_unknown`.
  // They return false when nothing changed: it was in that state already, or is known to be delivered.

  /** About to leave, by this way. */
  sending(clientId: string, kind?: SubmissionKind): boolean {
    return this.#move(clientId, "sending", { turnId: null, fault: null, kind });
  }

  /** codex answered. */
  sent(clientId: string, turnId: string | null, kind?: SubmissionKind): boolean {
    return this.#move(clientId, "sent", { turnId, fault: null, kind });
  }

  /** Its userMessage was seen. */
  delivered(clientId: string, turnId: string | null): boolean {
    return this.#move(clientId, "delivered", { turnId, fault: null });
  }

  /** codex is known not to have kept it. */
  undelivered(clientId: string, fault: Fault): boolean {
    return this.#move(clientId, "undelivered", { turnId: null, fault });
  }

  /** The person took it back. */
  discarded(clientId: string): boolean {
    return this.#move(clientId, "discarded", { turnId: null, fault: null });
  }

  /** It waits in the ledger's queue from now on, behind all others of its thread. codex certainly does not have it. */
  waitHere(clientId: string): void {
    this.#database.transaction(() => {
      this.#move(clientId, "recorded", { turnId: null, fault: null, kind: "queue" });
      this.#database.run(
        `UPDATE submissions SET kind = 'queue', place = 1 + (
           SELECT COALESCE(MAX(other.place), 0) FROM submissions AS other WHERE other.threadKey = submissions.threadKey
         ) WHERE clientId = ? AND place IS NULL`,
        clientId,
      );
    });
  }

  /** The order of what waits in the ledger's queue. */
  arrange(clientIds: readonly string[]): void {
    this.#database.transaction(() => {
      for (const [index, clientId] of clientIds.entries()) {
        this.#database.run(
          "UPDATE submissions SET place = ? WHERE clientId = ? AND place IS NOT NULL",
          index + 1,
          clientId,
        );
      }
    });
  }

  /** The person has edited what they wrote. */
  rewrite(clientId: string, text: string, attachments: Attachment[]): void {
    this.#database.run(
      `UPDATE submissions SET text = ?, attachments = ?, updatedAtMs = ? WHERE clientId = ? AND ${open}`,
      storedText(text),
      storedJson(attachments),
      this.#clock.nowMs(),
      clientId,
    );
  }

  #move(
    clientId: string,
    to: SubmissionState,
    { turnId, fault, kind }: { turnId: string | null; fault: Fault | null; kind?: SubmissionKind },
  ): boolean {
    return this.#database.transaction(() => {
      const current = this.get(clientId);
      if (!current) {
        throw new Fault("submission_unknown", "Holdfast has no record of this message.", {
          detail: clientId,
        });
      }
      const isThere = current.state === to;
      if ((isThere && (kind ?? current.kind) === current.kind) || outweighs(current.state, to)) return false;
      if (!isThere && !next[current.state].includes(to)) {
        throw new Fault("submission_transition", `A message that is ${current.state} cannot become ${to}.`, {
          detail: clientId,
        });
      }
      const nowMs = this.#clock.nowMs();
      const settled = to === "delivered" || to === "discarded";
      this.#database.run(
        `UPDATE submissions SET state = ?, kind = ?, turnId = ?, place = NULL, fault = ?, updatedAtMs = ?, settledAtMs = ?
         WHERE clientId = ?`,
        to,
        kind ?? current.kind,
        // Sent again, it belongs to no turn yet.
        to === "sending" ? null : (turnId ?? current.turnId),
        fault && storedFault(fault),
        nowMs,
        settled ? nowMs : null,
        clientId,
      );
      return true;
    });
  }
}

function outweighs(current: SubmissionState, to: SubmissionState): boolean {
  return current === "delivered" && (to === "sent" || to === "undelivered");
}

function read(row: Row): SubmissionRecord {
  return {
    ...row,
    text: readText(row.text),
    attachments: readJson<Attachment[]>(row.attachments),
    settings: readJson<ThreadSettings>(row.settings),
    fault: row.fault === null ? null : readFault(row.fault),
  };
}
