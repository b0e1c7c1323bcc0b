// What a person has written beside lines of a change and not sent yet.

import type { LineRange, ReviewComment } from "../../preload/contract/comments";
import type { Clock } from "../clock";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";

interface Row {
  commentId: string;
  path: string;
  side: LineRange["side"];
  firstLine: number;
  lastLine: number;
  quote: string | Uint8Array;
  text: string | Uint8Array;
  revision: number;
}

const columns = "commentId, path, side, firstLine, lastLine, quote, text, revision";

export class ReviewCommentsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** In the order in which they stand in the files. */
  of(draftKey: string): ReviewComment[] {
    return this.#database
      .all<Row>(
        `SELECT ${columns} FROM review_comments WHERE draftKey = ?
         ORDER BY path, firstLine, lastLine, createdAtMs, rowid`,
        draftKey,
      )
      .map(read);
  }

  get(draftKey: string, commentId: string): ReviewComment | null {
    const row = this.#database.get<Row>(
      `SELECT ${columns} FROM review_comments WHERE draftKey = ? AND commentId = ?`,
      draftKey,
      commentId,
    );
    return row && read(row);
  }

  add(draftKey: string, commentId: string, place: LineRange, text: string): void {
    const nowMs = this.#clock.nowMs();
    this.#database.run(
      `INSERT INTO review_comments (${columns}, draftKey, createdAtMs, updatedAtMs)
       VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)`,
      commentId,
      place.path,
      place.side,
      place.firstLine,
      place.lastLine,
      storedText(place.quote),
      storedText(text),
      draftKey,
      nowMs,
      nowMs,
    );
  }

  rewrite(draftKey: string, commentId: string, text: string): void {
    this.#database.run(
      `UPDATE review_comments SET text = ?, revision = revision + 1, updatedAtMs = ?
       WHERE draftKey = ? AND commentId = ?`,
      storedText(text),
      this.#clock.nowMs(),
      draftKey,
      commentId,
    );
  }

  delete(draftKey: string, commentId: string): void {
    this.#database.run(
      "DELETE FROM review_comments WHERE draftKey = ? AND commentId = ?",
      draftKey,
      commentId,
    );
  }

  /** The thread has another key now. */
  move(fromKey: string, toKey: string): void {
    this.#database.run("UPDATE review_comments SET draftKey = ? WHERE draftKey = ?", toKey, fromKey);
  }

  keys(): string[] {
    return this.#database
      .all<{ draftKey: string }>("SELECT DISTINCT draftKey FROM review_comments ORDER BY draftKey")
      .map(({ draftKey }) => draftKey);
  }
}

function read(row: Row): ReviewComment {
  return { ...row, quote: readText(row.quote), text: readText(row.text) };
}
