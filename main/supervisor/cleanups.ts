// Work that is owed: written down before it is begun, gone only when it has succeeded, tried again by itself, with back-off,
// and by hand (behaviour: Handles, close and pending cleanup).
//
// Races settled here:
// - The same work is begun twice (a session closes its process while the timer tries it): one attempt, both get its outcome.
// - Holdfast dies in the middle of it: it is on record and due at once, so the next start takes it up.
// - A pass while another goes on, or while the person presses Retry: what is being tried is not tried again.
// - It is owed by nobody any more (its subject has gone): the executor says so, and it is struck off.
// - Its executor has to wait (the session is busy) or cannot even begin: that is an attempt like any other, which is not
//   begun a second time, and after which it is not due at once.
// - The ledger cannot be written or read (a full disk, it is closed already): the work is done, and tried again with the same
//   pauses, which are remembered here too.
// - The computer's clock is put back: what would be due later than any pause lasts is due now.

import type { Clock, Timer } from "../clock";
import { asFault, Fault } from "../fault";
import type { CleanupRecord, CleanupsLedger, NewCleanup } from "../ledger/cleanupsLedger";
import type { Log } from "../log";

/** Makes one attempt, through `perform`. Null without one: it is owed no more. */
export type CleanupExecutor = (record: CleanupRecord) => Promise<Fault | null>;

export interface CleanupPass {
  attempted: number;
  cleaned: number;
  failed: number;
}

export interface OwedCleanup extends CleanupRecord {
  /** It is being tried right now. */
  trying: boolean;
}

export interface CleanupsOptions {
  ledger: CleanupsLedger;
  clock: Clock;
  log: Log;
  random(): number;
  /** Something is owed that was not, or no more, or was tried. */
  changed(): void;
}

/** By how often it has failed. */
const delaysMs = [2_000, 5_000, 15_000, 60_000, 300_000];
const longestDelayMs = 330_000;
/** So many at most in one pass of the timer. */
const perPass = 4;

export class Cleanups {
  readonly #options: CleanupsOptions;
  readonly #executors = new Map<string, CleanupExecutor>();
  /** What is being done. */
  readonly #underWay = new Map<string, Promise<Fault | null>>();
  /** What has been asked of an executor, which may still wait for its turn. */
  readonly #asked = new Map<string, Promise<Fault | null>>();
  /** When what has failed may be tried again by itself. */
  readonly #pausesUntilMs = new Map<string, number>();
  #timer: Timer | null = null;
  #running = false;

  constructor(options: CleanupsOptions) {
    this.#options = options;
  }

  /** Who takes up cleanups of this kind. Each kind has one. */
  register(kind: string, executor: CleanupExecutor): void {
    this.#executors.set(kind, executor);
  }

  /** What is owed, the oldest first. */
  list(): OwedCleanup[] {
    return this.#options.ledger
      .listOpen()
      .map((record) => ({ ...record, trying: this.#isTried(record.id) }))
      .sort((a, b) => a.createdAtMs - b.createdAtMs);
  }

  get(id: string): CleanupRecord | null {
    return this.#options.ledger.get(id);
  }

  /**
   * Does the work, on record. The Fault says why it is still owed. Never rejects; when it cannot be written down it is done
   * all the same, since not doing it would help nobody.
   */
  perform(cleanup: NewCleanup, work: () => Promise<Fault | null>): Promise<Fault | null> {
    const already = this.#underWay.get(cleanup.id);
    if (already) return already;
    this.#write("recorded", () => this.#options.ledger.record(cleanup));
    const attempt = new Promise<Fault | null>((resolve) => resolve(work()))
      .catch((error: unknown) => asFault(error))
      .then((fault) => {
        this.#underWay.delete(cleanup.id);
        this.#settle(cleanup, fault);
        return fault;
      });
    this.#underWay.set(cleanup.id, attempt);
    if ((this.#owed(cleanup.id)?.attempts ?? 0) > 0) this.#tell();
    return attempt;
  }

  /** One attempt now, whenever it is due. Null: it is owed no more. */
  async retry(id: string): Promise<Fault | null> {
    const record = this.#options.ledger.get(id);
    return record ? this.#attempt(record) : null;
  }

  /** Tries at most `limit` of those that are due. */
  async pass(limit: number): Promise<CleanupPass> {
    const due = this.#open()
      .filter((record) => this.#delayMs(record) === 0 && this.#canTry(record))
      .slice(0, limit);
    const outcomes = await Promise.all(due.map((record) => this.#attempt(record)));
    const failed = outcomes.filter((fault) => fault !== null).length;
    return { attempted: due.length, cleaned: due.length - failed, failed };
  }

  /** From now on what is due is tried by itself, beginning with what an earlier run owed. */
  begin(): void {
    this.#running = true;
    this.#arm();
  }

  /** Nothing begins by itself any more. */
  close(): void {
    this.#running = false;
    this.#timer?.cancel();
    this.#timer = null;
  }

  async #attempt(record: CleanupRecord): Promise<Fault | null> {
    const underWay = this.#underWay.get(record.id);
    if (underWay) return underWay;
    const asked = this.#asked.get(record.id);
    if (asked) return asked;
    const executor = this.#executors.get(record.kind);
    if (!executor) {
      return new Fault("cleanup_unknown", `Nothing here can do a cleanup of kind ${record.kind}.`);
    }
    const attempt = new Promise<Fault | null>((resolve) => resolve(executor(record)))
      .catch((error: unknown) => asFault(error))
      .then((fault) => {
        this.#asked.delete(record.id);
        // Most of the time `perform` has written it down already.
        if (this.#owed(record.id)?.attempts === record.attempts) this.#settle(record, fault);
        else this.#arm();
        // What was told when the attempt was written down said that it was still going on.
        this.#tell();
        return fault;
      });
    this.#asked.set(record.id, attempt);
    return attempt;
  }

  #canTry(record: CleanupRecord): boolean {
    return this.#executors.has(record.kind) && !this.#isTried(record.id);
  }

  #isTried(id: string): boolean {
    return this.#underWay.has(id) || this.#asked.has(id);
  }

  #settle(cleanup: NewCleanup, fault: Fault | null): void {
    const { ledger, clock, log, random } = this.#options;
    const { id } = cleanup;
    const record = this.#owed(id);
    const attempts = record?.attempts ?? 0;
    if (fault) {
      const pauseMs = delaysMs[Math.min(attempts, delaysMs.length - 1)] ?? 0;
      // Some jitter, so that what failed together is not tried together for ever.
      const untilMs = clock.nowMs() + Math.round(pauseMs * (0.9 + 0.2 * random()));
      log.warn("a cleanup has failed", { id, code: fault.code, message: fault.message, pauseMs });
      this.#pausesUntilMs.set(id, untilMs);
      this.#write("failed", () => {
        if (!record) ledger.record(cleanup);
        ledger.attempted(id, fault, untilMs);
      });
    } else if (!record || this.#write("succeeded", () => ledger.succeeded(id))) {
      this.#pausesUntilMs.delete(id);
    } else {
      // Done, and still on record: it is struck off with a later attempt.
      this.#pausesUntilMs.set(id, clock.nowMs() + longestDelayMs);
    }
    if (fault || attempts > 0) this.#tell();
    this.#arm();
  }

  /** 0: it is due. */
  #delayMs({ id, nextAttemptAtMs }: CleanupRecord): number {
    const nowMs = this.#options.clock.nowMs();
    const delayMs = Math.max(nextAttemptAtMs, this.#pausesUntilMs.get(id) ?? 0) - nowMs;
    return delayMs > longestDelayMs ? 0 : Math.max(0, delayMs);
  }

  #arm(): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (!this.#running) return;
    const delaysMs = this.#open()
      .filter((record) => this.#canTry(record))
      .map((record) => this.#delayMs(record));
    if (delaysMs.length === 0) return;
    this.#timer = this.#options.clock.after(Math.min(...delaysMs), () => {
      this.#timer = null;
      // Each attempt settles itself and arms the timer anew; none rejects.
      void this.pass(perPass).then(() => this.#arm());
    });
  }

  #tell(): void {
    try {
      this.#options.changed();
    } catch (error) {
      // A defect of whoever is told; the work does not suffer from it.
      this.#options.log.error("a change of what is owed could not be told", {
        error: asFault(error).message,
      });
    }
  }

  #open(): CleanupRecord[] {
    return this.#read(() => this.#options.ledger.listOpen()) ?? [];
  }

  /** Null too when it cannot be found out. */
  #owed(id: string): CleanupRecord | null {
    return this.#read(() => this.#options.ledger.get(id));
  }

  #read<Value>(task: () => Value): Value | null {
    try {
      return task();
    } catch (error) {
      this.#options.log.error("what is owed could not be read", { error: asFault(error).message });
      return null;
    }
  }

  /** False: it could not be written. */
  #write(doing: string, task: () => unknown): boolean {
    try {
      task();
      return true;
    } catch (error) {
      this.#options.log.error("a cleanup could not be written down", {
        doing,
        error: asFault(error).message,
      });
      return false;
    }
  }
}
